// A game's picture in the lobby: four cards of its deck.

import { pictures } from "./art/art.js";
import { backOf, faceOf, ratioOf } from "./faces.js";
import { drawing, h } from "./dom.js";

const SHOWN = { hanafuda: ["1-1", "3-1", "8-1", "12-1"], cards: ["AS", "QH", "JC", "KD"], tiles: ["1z", "5m", "1s", "7z"] }; // of each deck, where it has them

export function pictureOf(game) {
  const deck = game.deck ?? "", all = pictures(deck), wanted = (SHOWN[deck] ?? []).filter((each) => all.includes(each));
  const shown = wanted.length ? wanted : all.slice(0, 4);
  const faces = shown.length ? shown.map((picture) => faceOf(deck, { picture, short: {} }, {})) : lettered(game, deck);
  return h("span", { class: "fan", css: { "--ratio": String(ratioOf(deck)) } }, faces.map((face) => h("span", { class: "card" }, drawing(face))));
}

/** A game without art shows cards with letters of its own. */
function lettered(game, deck) {
  const cards = (game.cards ?? []).slice(0, 3).map((card) => faceOf(deck, card, game.colours ?? {}));
  return cards.length ? cards : [backOf(deck), backOf(deck), backOf(deck)];
}
