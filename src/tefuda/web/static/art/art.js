// The art of all decks. A scene names its deck and the picture of each of its cards; a card without one is lettered.
//
//     draw(scene.deck, card, { language: "en", signs: true, four: true, title: "queen of spades" })
//     back(scene.deck, { back: "black" })
//
// Options: `language` of a lettered card; `signs` in a corner (month and kind, a tile in letters); `four` colours for
// playing cards; `back` red or black; `colours` of the scene, for lettered cards; `title` for screen readers,
// without which a drawing is hidden from them.

import * as cards from "./cards.js";
import * as hanafuda from "./hanafuda.js";
import * as lettered from "./lettered.js";
import * as tiles from "./tiles.js";

const DECKS = { hanafuda, cards, tiles };

const deckOf = (deck) => (Object.hasOwn(DECKS, deck) ? DECKS[deck] : lettered);

/** A card of a scene as SVG text. */
export function draw(deck, card, options = {}) {
  const from = deckOf(deck);
  if (from !== lettered && from.NAMES.includes(card.picture)) {
    return from.draw(card.picture, { short: card.short?.en, ...options });
  }
  const { language = "en", colours = {}, title = "" } = options;
  return lettered.draw(card.short?.[language] ?? card.short?.en ?? "", { colour: colours[card.style], title });
}

/** The back of a deck as SVG text. */
export const back = (deck, { back: colour = "red", title = "" } = {}) => deckOf(deck).back({ colour, title });

/** Width divided by height of the cards of a deck. */
export const proportion = (deck) => deckOf(deck).WIDTH / deckOf(deck).HEIGHT;

/** The names of all pictures of a deck; none for lettered cards. */
export const pictures = (deck) => deckOf(deck).NAMES ?? [];
