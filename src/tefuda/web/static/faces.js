// What is drawn on a card: the picture of its deck, or its short name in letters.

import * as art from "./art/art.js";
import { settings } from "./settings.js";
import { lang } from "./words.js";

/** Height divided by width. */
export const ratioOf = (deck) => 1 / art.proportion(deck);

/** The face of a card as SVG text. */
export const faceOf = (deck, card, colours) =>
  art.draw(deck, card, { language: lang(), signs: settings.corner, four: settings.fourColours, colours });

/** The back of a card as SVG text. */
export const backOf = (deck) => art.back(deck, { back: settings.back });
