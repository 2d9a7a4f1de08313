// What is drawn on a card. A deck with art is drawn; any other card is lettered with its short name.

import { h } from "./dom.js";
import { told } from "./words.js";

const PLAIN_RATIO = 1.4;

export function ratioOf(deck) {
  return { hanafuda: 108 / 66, cards: 1.4, tiles: 1.36 }[deck] ?? PLAIN_RATIO;
}

/** The face of a card as an element. */
export function faceOf(deck, card, options) {
  return lettered(card, options.colour);
}

/** A card with its short name, or with the signs that stand on it from top to bottom. */
function lettered(card, colour) {
  const signs = card.face?.length ? card.face : [told(card.short) || told(card.name)];
  const longest = Math.max(...signs.map((sign) => [...sign].length));
  const size = longest <= 2 ? "large" : longest <= 5 ? "middle" : "little";
  return h("span", { class: `lettered lettered--${size} ink-${colour || "plain"}`, "aria-hidden": "true" }, signs.map((sign) => h("span", {}, sign)));
}

/** The back of a card as SVG text. */
export function backOf(deck, colour) {
  const fill = { red: "#9e2f22", black: "#2a2730", blue: "#2b4a7d", green: "#2f6b4c" }[colour] ?? "#9e2f22";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 66 100" preserveAspectRatio="none"><rect width="66" height="100" rx="5" fill="${fill}"/><rect x="4" y="4" width="58" height="92" rx="3" fill="none" stroke="#ffffff" stroke-opacity=".35" stroke-width="1.5"/></svg>`;
}
