// A game's picture in the lobby: four cards of its deck.

import { pictures } from "./art/art.js";
import { backOf, faceOf, ratioOf } from "./faces.js";
import { drawing, h } from "./dom.js";

const SHOWN = { // of each deck, where it has them; games of one deck show different ones
  hanafuda: [["1-1", "3-1", "8-1", "12-1"], ["11-1", "7-1", "10-1", "6-1"]],
  cards: [["AS", "QH", "JC", "KD"], ["10H", "QS", "KH", "2C"], ["7C", "8D", "9S", "8H"], ["JS", "QD", "KS", "AH"]],
  tiles: [["1z", "0m", "1s", "7z"], ["5z", "9p", "3s", "1m"]],
};

/** @param {object} game @param {number} number which of the games of its deck it is */
export function pictureOf(game, number = 0) {
  const deck = game.deck ?? "", all = pictures(deck), sets = SHOWN[deck] ?? [[]];
  const wanted = sets[number % sets.length].filter((each) => all.includes(each));
  const shown = wanted.length ? wanted : all.slice(0, 4);
  const faces = shown.length ? shown.map((picture) => faceOf(deck, { picture, short: {} }, {})) : lettered(game, deck);
  return h("span", { class: "fan", css: { "--ratio": String(ratioOf(deck)) } }, faces.map((face) => h("span", { class: "card" }, drawing(face))));
}

/** A game without art shows cards with letters of its own. */
function lettered(game, deck) {
  const cards = (game.cards ?? []).slice(0, 3).map((card) => faceOf(deck, card, game.colours ?? {}));
  return cards.length ? cards : [backOf(deck), backOf(deck), backOf(deck)];
}
