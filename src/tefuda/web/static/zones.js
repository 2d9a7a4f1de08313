// How a zone is laid out, by its key; a key that is not known here is a plain row.

import { h } from "./dom.js";
import { backElement, backsElement, cardElement } from "./cards.js";
import { noteOf } from "./notes.js";
import { placeOf, sizeOf } from "./scene.js";
import { say, told } from "./words.js";

/**
 * A zone set as an element.
 * @param {import("./scene.js").ZoneSet} set
 * @param {{scene: object, own: boolean, active?: boolean, side: string}} where `own`: it lies before the reader; `active`: who may play from it
 */
export function zoneElement(set, where) {
  const draw = DRAWERS[set.key] ?? row;
  const count = set.parts.reduce((sum, zone) => sum + sizeOf(zone), 0);
  return h("div", {
    class: `zone zone--${DRAWERS[set.key] ? set.key : "row"}${where.own ? " zone--own" : ""}`,
    data: { key: set.key, zone: set.seat === null ? set.key : `${set.key}:${set.seat}`, count },
    role: "group", "aria-label": `${told(set.name)}${where.own || set.seat === null ? "" : `, ${told(where.scene.seats[set.seat]?.name)}`}: ${count}`,
    css: { "--n": String(Math.max(1, count)), "--half": String(count <= 5 ? Math.max(1, count) : Math.ceil(count / 2)) },
  }, draw(set, where));
}

/** The cards of one part of a zone. */
function cardsOf(zone, { scene, active = false }, backs = backsElement) {
  const place = placeOf(zone), equal = new Map();
  const cards = (zone.cards ?? []).map((card) => {
    const number = equal.get(card.id) ?? 0;
    equal.set(card.id, number + 1);
    const playing = active && ["hand", "drawn"].includes(zone.key);
    const marked = (card.marks ?? []).some((mark) => mark === "playable" || mark === "capturable");
    return cardElement(card, { scene, place, number, button: playing || (marked && Boolean(scene.moves?.length)) });
  });
  return [...cards, backs(zone.backs ?? 0, place)];
}

const part = (zone, where, { title = false, notes = false } = {}) => {
  const empty = sizeOf(zone) === 0 && !(zone.cards ?? []).length;
  return h("div", { class: `part${empty ? " part--empty" : ""}`, data: { place: placeOf(zone) }, css: { "--n": String(Math.max(1, sizeOf(zone))) } },
    title && zone.title && h("span", { class: "part__title" }, told(zone.title)),
    h("div", { class: "part__cards" }, cardsOf(zone, where)),
    notes && (zone.notes ?? []).length > 0 && h("div", { class: "part__notes" }, zone.notes.map((note) => noteOf(note, where.scene))));
};

/** A row with the zone's name: what every unknown zone gets. */
function row(set, where) {
  return [h("span", { class: "zone__name" }, told(set.name)), set.parts.map((zone) => part(zone, where, { title: true, notes: true }))];
}

function hand(set, where) {
  return set.parts.map((zone) => part(zone, where, { notes: where.own }));
}

/** Captured cards by kind: how many, the cards, what they come to. */
function pile(set, where) {
  return set.parts.map((zone) => h("div", { class: "part part--pile", data: { place: placeOf(zone) }, css: { "--n": String(Math.max(1, sizeOf(zone))) } },
    h("div", { class: "part__head" }, h("span", { class: "part__title" }, told(zone.title ?? zone.name)), h("span", { class: "part__count" }, String(sizeOf(zone)))),
    h("div", { class: "part__cards" }, cardsOf(zone, where)),
    h("div", { class: "part__notes" }, (zone.notes ?? []).map((note) => noteOf(note, where.scene)))));
}

function field(set, where) {
  return set.parts.map((zone) => part(zone, where));
}

/** What each seat has laid: a slot that is there before the card is. */
function trick(set, where) {
  return h("div", { class: "slot", data: { place: placeOf(set.parts[0]) } }, set.parts.map((zone) => cardsOf(zone, where)));
}

function laid(set, where) {
  return set.parts.map((zone) => h("div", { class: "laid", data: { place: placeOf(zone) } },
    h("div", { class: "slot", data: { place: placeOf(zone) } }, cardsOf(zone, where)),
    set.parts.length > 1 && h("span", { class: "part__title" }, told(zone.title ?? zone.name))));
}

function river(set, where) {
  return set.parts.map((zone) => h("div", { class: "river", data: { place: placeOf(zone) } }, cardsOf(zone, where)));
}

function melds(set, where) {
  return set.parts.map((zone) => part(zone, where));
}

/** Cards that are not dealt or drawn yet, or out of play: one stack with its number; open ones lie beside it. */
function stack(set, where) {
  const zones = set.parts, open = zones.flatMap((zone) => zone.cards ?? []), backs = zones.reduce((sum, zone) => sum + (zone.backs ?? 0), 0);
  const place = placeOf(zones[0]), notes = zones.flatMap((zone) => zone.notes ?? []);
  return [
    h("div", { class: "stack", data: { place } },
      open.length > 0 && h("span", { class: "stack__open" }, open.map((card, number) => cardElement(card, { scene: where.scene, place, number }))),
      backs > 0 && h("span", { class: "stack__backs", role: "img", "aria-label": say("hiddenCards", { count: backs }) },
        Array.from({ length: Math.min(backs, 3) }, () => backElement(place)))),
    h("span", { class: "stack__name" }, told(set.name), h("b", {}, ` ${open.length || backs}`)),
    notes.map((note) => noteOf(note, where.scene)),
  ];
}

/** Cards that are out of play: only their number, until somebody asks. */
function played(set, where) {
  const cards = set.parts.flatMap((zone) => zone.cards ?? []), backs = set.parts.reduce((sum, zone) => sum + (zone.backs ?? 0), 0);
  const place = placeOf(set.parts[0]);
  return h("details", { class: "played" },
    h("summary", {}, h("span", { class: "played__name" }, told(set.name)), h("b", {}, ` ${cards.length + backs}`)),
    h("div", { class: "played__cards" }, cards.map((card, number) => cardElement(card, { scene: where.scene, place, number })), backsElement(backs, place)));
}

const DRAWERS = { hand, drawn: hand, pile, field, waiting: hand, trick, laid, river, melds, deck: stack, wall: stack, "dead-wall": stack, rest: stack, played };
