// The four suits: their shapes, about 20 high around (0, 0), and their colours by two and by four.

import { BLUE, GREEN, INK, RED, at, shape } from "../svg.js";

export const SUITS = {
  C: {
    two: INK, four: GREEN,
    d: "M-1 2.6C-3 7 -9.4 6.6 -9.4 1.4C-9.4 -2.6 -5.6 -4 -3.2 -2.6C-6 -5.6 -4 -10 0 -10S6 -5.6 3.2 -2.6" +
      "C5.6 -4 9.4 -2.6 9.4 1.4C9.4 6.6 3 7 1 2.6C1 6.4 2 9 4 10H-4C-2 9 -1 6.4 -1 2.6Z",
  },
  D: {
    two: RED, four: BLUE,
    d: "M0 -10.4C2.4 -6 5 -2.6 8 0C5 2.6 2.4 6 0 10.4C-2.4 6 -5 2.6 -8 0C-5 -2.6 -2.4 -6 0 -10.4Z",
  },
  H: {
    two: RED, four: RED,
    d: "M0 10C-3 5 -9.6 1.4 -9.6 -4.4C-9.6 -10.4 -1.6 -11 0 -5C1.6 -11 9.6 -10.4 9.6 -4.4C9.6 1.4 3 5 0 10Z",
  },
  S: {
    two: INK, four: INK,
    d: "M0 -10.4C2.4 -5.4 9.6 -2.4 9.6 2.8C9.6 7.4 3.4 8.2 1 4.4C1 7 2 9 4 10H-4" +
      "C-2 9 -1 7 -1 4.4C-3.4 8.2 -9.6 7.4 -9.6 2.8C-9.6 -2.4 -2.4 -5.4 0 -10.4Z",
  },
};

/** The sign of a suit at a place, so high; upside down in the lower half of a card. */
export const pip = (suit, x, y, height, colour, turned = false) =>
  at(x, y, shape(SUITS[suit].d, colour), turned ? 180 : 0, height / 20);
