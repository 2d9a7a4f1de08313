// A card as an element: a button where something can be done with it, a picture where not.

import { drawing, h } from "./dom.js";
import { say, told } from "./words.js";
import { backOf, faceOf, ratioOf } from "./faces.js";

let deck = "", colours = {}; // of the table that is drawn now

/** Cards drawn from now on are of this deck; `colours` are those of its styles, for lettered cards. */
export function useDeck(name, styles = {}) {
  deck = name ?? "";
  colours = styles;
}

export const ratio = () => ratioOf(deck);

const face = (card) => drawing(faceOf(deck, card, colours));

/** The words for a card: its name, and what its marks mean. */
function cardWords(card, scene) {
  const meanings = (card.marks ?? []).map((mark) => scene?.legend?.find((each) => each.key === mark)?.name).filter(Boolean);
  return [told(card.name), ...meanings.map(told)].join(", ");
}

/**
 * A card that lies face up.
 * @param {import("./scene.js").Card} card
 * @param {{scene?: object, place?: string, button?: boolean, number?: number}} [how] `number`: which of the equal cards of its place
 */
export function cardElement(card, { scene, place = "", button = false, number = 0 } = {}) {
  const marks = (card.marks ?? []).map((mark) => `is-${mark}`);
  const words = cardWords(card, scene);
  return h(button ? "button" : "span", {
    class: ["card", card.style && `card--${card.style}`, ...marks].filter(Boolean).join(" "),
    data: { card: card.id, place, number },
    ...(button ? { type: "button", "aria-label": words } : { role: "img", "aria-label": words }),
    title: told(card.name),
  }, face(card));
}

/** A card that the reader cannot see. */
export function backElement(place = "") {
  return h("span", { class: "card card--back", data: { place }, "aria-hidden": "true" }, drawing(backOf(deck)));
}

/** A card within a line, in words for a screen reader. */
export function smallCard(card) {
  return h("span", { class: "card card--small", role: "img", "aria-label": told(card.name) }, face(card));
}

/** Several hidden cards as one picture with its number in words. */
export function backsElement(count, place, most = 14) {
  if (!count) return [];
  return h("span", { class: "backs", role: "img", "aria-label": say("hiddenCards", { count }), css: { "--backs": String(Math.min(count, most)) } },
    Array.from({ length: Math.min(count, most) }, () => backElement(place)));
}
