// The end of a game: the result as players tell it, and where to go on.

import { ask } from "./api.js";
import { fill, h } from "./dom.js";
import { dealLink, share } from "./bar.js";
import { digitsFor } from "./hint.js";
import { keepReview, reviewOf } from "./keep.js";
import { linesOf } from "./notes.js";
import { openTable } from "./sitting.js";
import { toast } from "./announce.js";
import { plain, say, signed, told } from "./words.js";

const LOOK_EVERY = 700; // milliseconds between two looks at a review that goes on

/** @param {import("./table.js").TableScreen} table */
export function endElement(table) {
  const { scene, result, info, game, seat } = table;
  const places = result?.places, scores = result?.scores ?? scene.seats.map((each) => each.points);
  const order = scene.seats.map((_, number) => number).sort((one, two) => (places ? places[one] - places[two] : scores[two] - scores[one]));
  const lines = result?.lines?.length ? result.lines : table.log.lastResults();
  const deal = result?.deal ?? info?.deal;
  return h("section", { class: "end", "aria-label": say("result") },
    h("h2", { class: "end__title" }, headline(seat, places, scores)),
    h("ol", { class: "end__seats" }, order.map((number) => h("li", { class: number === seat ? "is-own" : "" },
      h("span", { class: "end__place" }, places ? String(places[number]) : ""), h("span", { class: "end__name" }, told(scene.seats[number].name)),
      h("span", { class: "end__score" }, scene.signed ? signed(scores[number], digits(scores)) : plain(scores[number]))))),
    h("div", { class: "end__lines", tabindex: "0", role: "group", "aria-label": say("result") }, linesOf(lines).map((line) => h("p", {}, line)), skillLine(table)),
    h("div", { class: "end__ways" },
      seat !== null && h("button", { type: "button", class: "button button--main", onclick: () => review(table) }, say("review")),
      h("button", { type: "button", class: "button", onclick: () => next(table) }, say("next")),
      seat !== null && h("button", { type: "button", class: "button", onclick: () => table.again(seat) }, say("sameDeal")),
      seat !== null && scene.seats.length > 1 && h("button", { type: "button", class: "button", onclick: () => table.again((seat + 1) % scene.seats.length) }, say("sameDealOther")),
      deal !== undefined && deal !== null && h("button", { type: "button", class: "button button--quiet", onclick: () => share(dealLink(game.name, info?.preset ?? "", deal)) }, say("shareDeal")),
      h("button", { type: "button", class: "button button--quiet", onclick: () => save(table) }, say("saveFile")),
      h("a", { class: "button button--quiet", href: "#/" }, say("backToLobby"))));
}

const digits = (scores) => (scores.every(Number.isInteger) ? 0 : 2);

function headline(seat, places, scores) {
  if (seat === null || seat === undefined) return say("gameOver");
  const best = Math.max(...scores), place = places?.[seat];
  if (place !== undefined ? place === 1 : scores[seat] === best) {
    const shared = places ? places.filter((each) => each === 1).length > 1 : scores.filter((each) => each === best).length > 1;
    return say(shared ? "resultShared" : "resultWon");
  }
  return place !== undefined && scores.length > 2 ? say("resultPlace", { place }) : say("resultLost");
}

/** Luck and skill: they are judged when somebody asks, and told where the result stands. */
function skillLine(table) {
  const { id, key, seat } = table;
  if (seat === null || !key || document.getElementById("canned")) return null;
  const line = h("p", { class: "end__skill", role: "status" });
  const judged = () => follow(line, reviewOf(id, seat)).catch((problem) => (line.textContent = problem.message));
  if (reviewOf(id, seat)) setTimeout(judged);
  else fill(line, h("button", { type: "button", class: "button", onclick: () => begin(table).then(judged, (problem) => toast(problem.message)) }, say("judgeLuck")));
  return line;
}

/** Tell how far a review has come, until it is done or the line is gone. */
async function follow(line, review) {
  while (line.isConnected) {
    const { state, done, of, skill, luck, unit, why } = await ask(`/api/reviews/${encodeURIComponent(review)}`);
    if (state === "failed") throw new Error(told(why));
    if (state === "done") {
      const digits = digitsFor([skill[0], luck[0]]);
      line.textContent = `${say("skill")} ${signed(skill[0], digits)} · ${say("luck")} ${signed(luck[0], digits)} (${told(unit)})`;
      return;
    }
    line.textContent = say("judging", { percent: Math.floor((100 * done) / Math.max(1, of)) });
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }
}

async function begin({ id, key, seat }) {
  const { review } = await ask("/api/reviews", { body: { table: id, key, seat } });
  keepReview(id, seat, review);
  return review;
}

async function review(table) {
  try {
    location.hash = `#/review/${await begin(table)}`;
  } catch (problem) {
    toast(problem.message);
  }
}

/** The game as one file that opens without a server. */
async function save({ id, key, game }) {
  try {
    const page = await ask(`/api/exports/tables/${encodeURIComponent(id)}`, { key, text: true });
    const address = URL.createObjectURL(new Blob([page], { type: "text/html" }));
    h("a", { href: address, download: `${game.name}.html` }).click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  } catch (problem) {
    toast(problem.message);
  }
}

/** Another deal of the same game, with the same players. */
async function next(table) {
  const { info, game } = table;
  const seats = table.people.map((each) => each.name);
  await openTable({ game: info?.game ?? game.name, preset: info?.preset ?? null, options: info?.options ?? {}, seats, deal: null, practice: Boolean(info?.practice) });
}
