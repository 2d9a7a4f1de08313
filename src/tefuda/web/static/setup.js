// Before the table: rules, seats, level, deal number. The defaults are good: one click sits down.

import { choice, fill, h, showDialog, toggle } from "./dom.js";
import { dealLink, share } from "./bar.js";
import { openTable } from "./sitting.js";
import { ask } from "./api.js";
import { say, told } from "./words.js";

const PERSON = "person", FRIEND = "friend", PLACE = "tefuda.setup";

/**
 * @param {object} game of the lobby
 * @param {object} lobby
 * @param {{preset?: string, deal?: number}} [given] from a shared link
 */
export function setupDialog(game, lobby, given = {}) {
  const presets = game.presets ?? [], last = lastOf(game);
  const known = (name) => presets.some((each) => each.name === name);
  const wanted = {
    preset: known(given.preset) ? given.preset : known(last.preset) ? last.preset : (presets[0]?.name ?? null), options: {},
    seat: Math.min(last.seat ?? 0, game.seats - 1), others: Array.from({ length: game.seats }, (_, seat) => last.others?.[seat] ?? null),
    deal: given.deal ?? null, practice: last.practice ?? true, watch: false,
  };
  const preset = () => presets.find((each) => each.name === wanted.preset) ?? {};
  const players = () => (game.players ?? []).filter((player) => !preset().players || preset().players.includes(player.name));
  const levels = () => preset().levels ?? game.levels ?? [];
  const usual = () => levels().find((level) => level.key === "middle")?.player ?? levels()[0]?.player ?? game.usual;
  const body = h("div", { class: "setup" });
  const dialog = showDialog(told(game.title), body, { wide: true, label: say("close") });
  const set = (key, value, again = false) => {
    wanted[key] = value;
    if (again) draw();
  };
  draw();

  function draw() {
    const focused = document.activeElement?.id;
    fill(body,
      h("form", { onsubmit: sit },
        presets.length > 1 && h("fieldset", {}, h("legend", {}, say("rules")), h("div", { class: "presets" }, presets.map((each) => h("label", { class: "preset" },
          h("input", { type: "radio", name: "preset", id: `preset-${each.name}`, value: each.name, checked: each.name === wanted.preset, onchange: () => { wanted.options = {}; set("preset", each.name, true); } }),
          h("span", { class: "preset__name" }, told(each.title ?? each.name)), h("span", { class: "preset__about" }, told(each.about)))))),
        (game.options ?? []).length > 0 && h("details", { class: "options" }, h("summary", {}, say("options")), game.options.map(option)),
        h("fieldset", {}, h("legend", {}, say("seats")),
          toggle(say("onlyWatch"), wanted.watch, (value) => set("watch", value, true)),
          h("ol", { class: "sitting" }, Array.from({ length: game.seats }, (_, seat) => h("li", {}, seatRow(seat)))),
          strength()),
        h("fieldset", {}, h("legend", {}, say("deal")), dealRow(), toggle(say("practice"), wanted.practice, (value) => set("practice", value))),
        h("div", { class: "setup__go" },
          h("button", { type: "submit", class: "button button--main button--large", id: "sit-down" }, wanted.watch ? say("watch") : say("sitDown")),
          h("button", { type: "button", class: "button button--quiet", onclick: guide }, say("guideOpen")))));
    (document.getElementById(focused) ?? body.querySelector("#sit-down"))?.focus();
  }

  function option(each) {
    const value = wanted.options[each.name] ?? preset().options?.[each.name] ?? each.default;
    const change = (now) => (wanted.options[each.name] = String(now));
    const about = h("p", { class: "quiet" }, coded(told(each.about))), name = told(each.title ?? each.name);
    if (each.choices) return h("div", { class: "option" }, choice(name, each.choices.map((one) => [one, valueName(each, one)]), value, change), about);
    const id = `option-${each.name}`;
    return h("div", { class: "option" }, h("div", { class: "choice" }, h("label", { for: id }, name), h("input", { id, type: "number", min: each.low, max: each.high, value, onchange: (event) => change(event.target.value) })), about);
  }

  function seatRow(seat) {
    const own = !wanted.watch && seat === wanted.seat, label = say("seatNumber", { seat: seat + 1 });
    const options = [
      ...(wanted.watch ? [] : [[PERSON, say("me")], [FRIEND, say("anotherPerson")]]),
      ...levels().map((level) => [`level:${level.key}`, `${told(level.name)} (${level.player})`]),
      ...players().map((player) => [player.name, player.name]),
    ];
    return choice(label, options, own ? PERSON : (wanted.others[seat] ?? levelOf(usual())), (value) => {
      if (value === PERSON) {
        if (wanted.others[seat] === PERSON) wanted.others[seat] = null;
        wanted.others[wanted.seat] = null;
        wanted.seat = seat;
      } else if (own) {
        const free = Array.from({ length: game.seats }, (_, each) => each).find((each) => each !== seat);
        wanted.others[seat] = value;
        wanted.seat = free;
      } else wanted.others[seat] = value;
      draw();
    }, { id: `seat-${seat}` });
  }

  function levelOf(player) {
    const level = levels().find((each) => each.player === player);
    return level ? `level:${level.key}` : player;
  }

  function playerAt(seat) {
    const value = wanted.others[seat] ?? levelOf(usual());
    if (value === FRIEND) return PERSON;
    return value.startsWith("level:") ? (levels().find((each) => `level:${each.key}` === value)?.player ?? usual()) : value;
  }

  /** How strong those are who were chosen, in a line each. */
  function strength() {
    const names = new Set(Array.from({ length: game.seats }, (_, seat) => (!wanted.watch && seat === wanted.seat ? null : playerAt(seat))));
    const lines = [...names].map((name) => (game.players ?? []).find((player) => player.name === name)).filter(Boolean);
    return h("ul", { class: "strength" }, lines.map((player) => h("li", {}, h("b", {}, player.name), ` ${told(player.about)}`, player.strength ? h("span", { class: "quiet" }, ` ${told(player.strength)}`) : null)));
  }

  function dealRow() {
    return h("div", { class: "deal" }, h("div", { class: "choice" }, h("label", { for: "deal-number" }, say("dealField")),
      h("input", { id: "deal-number", type: "number", min: 0, max: 1e15, inputmode: "numeric", placeholder: say("anyDeal"), value: wanted.deal ?? "", oninput: (event) => set("deal", event.target.value === "" ? null : Math.floor(Number(event.target.value))) })),
    h("button", { type: "button", class: "button button--quiet", onclick: () => set("deal", lobby.today?.deal ?? null, true) }, say("todayButton")),
    h("button", { type: "button", class: "button button--quiet", onclick: () => share(dealLink(game.name, wanted.preset ?? "", wanted.deal ?? lobby.today?.deal ?? 1)) }, say("share")));
  }

  async function guide() {
    const query = new URLSearchParams({ game: game.name, ...(wanted.preset ? { rules: wanted.preset } : {}) });
    for (const [option, value] of Object.entries(wanted.options)) query.append("changed", `${option}=${value}`);
    const { lines } = await ask(`/api/guide?${query}`).catch((problem) => ({ lines: [problem.message] }));
    showDialog(say("guideOpen"), h("div", { class: "guide" }, lines.map((line) => h("p", {}, told(line)))), { label: say("close") });
  }

  async function sit(event) {
    event.preventDefault();
    const seats = Array.from({ length: game.seats }, (_, seat) => (!wanted.watch && seat === wanted.seat ? PERSON : playerAt(seat)));
    keep(game, { preset: wanted.preset, seat: wanted.seat, others: wanted.others, practice: wanted.practice });
    const several = seats.filter((each) => each === PERSON).length > 1;
    const opened = await openTable({ game: game.name, preset: wanted.preset, options: wanted.options, seats, deal: several ? null : wanted.deal, practice: wanted.practice && !several });
    if (opened) dialog.close();
  }
}

/** A value of an option; in Japanese with the word by which the explanation calls it. */
function valueName({ names }, value) {
  if (value === "yes" || value === "no") return say(value);
  const name = names?.[value] ? told(names[value]) : value;
  return name === value ? value : `${name} (${value})`;
}

/** A text whose words between backticks are values of options. */
const coded = (text) => text.split("`").map((part, place) => (place % 2 ? h("code", {}, part) : part));

function lastOf(game) {
  try {
    return JSON.parse(localStorage.getItem(PLACE))?.[game.name] ?? {};
  } catch {
    return {};
  }
}

function keep(game, chosen) {
  try {
    const all = JSON.parse(localStorage.getItem(PLACE)) ?? {};
    localStorage.setItem(PLACE, JSON.stringify({ ...all, [game.name]: chosen }));
  } catch {
    // The choice is not kept then.
  }
}
