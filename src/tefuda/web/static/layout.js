// A whole table: the seats around it, what all share in the middle. Three arrangements, chosen by the zones alone.
//   facing   two seats, one above the other
//   board    seats with a river: a square whose sides are turned towards their seats
//   around   any other number of seats, with the middle between them

import { h } from "./dom.js";
import { ratio, useDeck } from "./cards.js";
import { linesOf, noteOf } from "./notes.js";
import { sidesOf, zoneSets } from "./scene.js";
import { plain, say, signed, told } from "./words.js";
import { zoneElement } from "./zones.js";

const MIDDLE_OF_SEAT = ["trick"]; // zones of a seat that lie in the middle

function arrangementOf(scene) {
  if (scene.zones?.some((zone) => zone.key === "river")) return "board";
  return scene.seats?.length === 2 ? "facing" : "around";
}

/**
 * The table of a scene.
 * @param {object} scene
 * @param {{people?: object[]}} [how] `people`: who sits at each seat, and whether they are here
 */
export function tableElement(scene, { people = [] } = {}) {
  const deck = scene.deck ?? "";
  useDeck(deck, scene.colours ?? {});
  const arrangement = arrangementOf(scene), sides = sidesOf(scene), sets = zoneSets(scene);
  const board = arrangement === "board";
  const inMiddle = (set) => set.seat === null || MIDDLE_OF_SEAT.includes(set.key) || (board && set.key === "river") || (board && sides.get(set.seat) !== "own");
  const said = scene.notes?.length || !scene.zones?.length ? words(scene) : null, beside = arrangement === "around" && scene.zones?.length > 0;
  const middle = h("div", { class: "middle" }, !beside && said, board ? boardOf(scene, sets.filter(inMiddle), sides, people) : middleOf(scene, sets.filter(inMiddle), sides));
  const seats = [...sides].map(([seat, side]) => {
    const own = side === "own", here = sets.filter((set) => set.seat === seat && !inMiddle(set));
    if (board && !own) return null;
    return h("section", { class: `seat seat--${side}${scene.asked === seat ? " is-asked" : ""}`, data: { seat }, "aria-label": told(scene.seats[seat].name) },
      !(board && own) && plate(scene, seat, people[seat]),
      sorted(here, own).map((set) => zoneElement(set, { scene, own, active: own && scene.reader !== null, side })));
  });
  const others = seats.filter((each, place) => place > 0), top = [...sides.values()].filter((side) => side === "top").length;
  return h("div", {
    class: `table table--${arrangement} seats-${sides.size}`, data: { deck, top },
    css: { "--ratio": String(ratio()) },
  }, others, middle, seats[0] ?? null, beside && said);
}

/** Own cards come last, nearest to the reader; of another seat the hand comes first. */
function sorted(sets, own) {
  const order = own ? ["pile", "laid", "played", "hand", "drawn", "melds"] : ["hand", "drawn", "laid", "melds", "pile", "played"];
  const rank = (set) => (order.includes(set.key) ? order.indexOf(set.key) : own ? -1 : order.length);
  return [...sets].sort((one, two) => rank(one) - rank(two));
}

/** Who sits here, and how it stands. */
export function plate(scene, seat, person) {
  const { name, points, marks = [], notes = [] } = scene.seats[seat];
  const legend = (key) => scene.legend?.find((mark) => mark.key === key);
  const told_points = notes.some((note) => typeof note.value === "number" && note.value === points);
  return h("div", { class: "plate", data: { seat } },
    h("span", { class: "plate__name" }, scene.asked === seat && h("span", { class: "plate__turn", role: "img", "aria-label": say("toMove") }, "●"), told(name),
      person?.name === "person" && !person.here && h("span", { class: "plate__away" }, say("away"))),
    !told_points && h("span", { class: "plate__points", "aria-label": `${told(scene.points_name) || say("points")}: ${points}` }, scene.signed ? signed(points) : plain(points)),
    marks.length > 0 && h("span", { class: "plate__marks" }, marks.map((mark) => h("span", { class: `mark mark--${mark}` }, told(legend(mark)?.name ?? mark)))),
    notes.length > 0 && h("span", { class: "plate__notes" }, notes.filter((note) => note.key !== "void" || note.cards?.length).map((note) => noteOf(note, scene))));
}

function middleOf(scene, sets, sides) {
  const tricks = sets.filter((set) => MIDDLE_OF_SEAT.includes(set.key));
  const shared = sets.filter((set) => !MIDDLE_OF_SEAT.includes(set.key));
  const stacks = shared.filter((set) => ["deck", "rest", "wall", "dead-wall"].includes(set.key));
  return [
    stacks.length > 0 && h("div", { class: "stacks" }, stacks.map((set) => zoneElement(set, { scene, own: false, side: "middle" }))),
    shared.filter((set) => !stacks.includes(set)).map((set) => zoneElement(set, { scene, own: false, side: "middle" })),
    tricks.length > 0 && h("div", { class: "tricks" }, tricks.map((set) => {
      const drawn = zoneElement(set, { scene, own: false, side: sides.get(set.seat) });
      drawn.classList.add(`at-${sides.get(set.seat)}`);
      return drawn;
    })),
  ];
}

/** A square with a side for each seat, turned towards it; names and walls stand upright in the centre. */
function boardOf(scene, sets, sides, people) {
  const stacks = sets.filter((set) => set.seat === null);
  return h("div", { class: "board" },
    [...sides].map(([seat, side]) => h("div", { class: `side side--${side}` },
      sets.filter((set) => set.seat === seat).map((set) => zoneElement(set, { scene, own: false, side })))),
    h("div", { class: "centre" },
      h("div", { class: "centre__walls" },
        h("div", { class: "centre__title" }, (scene.title ?? []).slice(0, 1).map((note) => told(note.name))),
        stacks.map((set) => zoneElement(set, { scene, own: false, side: "middle" }))),
      [...sides].map(([seat, side]) => h("div", { class: `centre__seat centre__seat--${side}${scene.asked === seat ? " is-asked" : ""}` }, plate(scene, seat, people[seat])))));
}

/** The words of a scene: all that a game without zones has. */
function words(scene) {
  const bare = !scene.zones?.length;
  const notes = scene.notes ?? [];
  const simple = notes.every((note) => note.value === undefined && !note.cards?.length && note.needs === undefined);
  return h("div", { class: bare ? "words words--bare" : "words" },
    simple ? h("pre", {}, notes.flatMap((note) => linesOf([note.name])).join("\n")) : notes.map((note) => noteOf(note, scene)));
}
