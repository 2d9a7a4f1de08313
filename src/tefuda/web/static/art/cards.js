// The 52 playing cards. A picture is named by rank and suit: "AS", "10H", "QC"; ranks A 2 … 10 J Q K, suits C D H S.
// Proportion 5 : 7. The index is large, so that a fan of cards shows it.

import { DARK_RED, INK, WHITE, at, box, each, line, picture, shape } from "./svg.js";
import { court } from "./cards/courts.js";
import { SUITS, pip } from "./cards/suits.js";

export const WIDTH = 70;
export const HEIGHT = 98;
const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
export const NAMES = Object.keys(SUITS).flatMap((suit) => RANKS.map((rank) => rank + suit));

// The ranks as strokes, around (0, 0), 10 wide and 16 high.
const GLYPHS = {
  A: "M-5 8L0 -8L5 8M-3 2.5H3",
  2: "M-4.5 -4C-4.5 -9.5 4.5 -9.5 4.5 -4C4.5 0 -2 3 -4.8 8H5",
  3: "M-4.5 -8H4.2L-1 -1.6C6.5 -2.4 6.4 8 0 8C-2.6 8 -4.4 7 -5 5",
  4: "M2.6 8V-8L-5 3.6H5.4",
  5: "M4.2 -8H-3.4L-4 -0.6C-1.5 -3 5 -2.8 5 2.6C5 9 -3 9.4 -5 5.4",
  6: "M4 -7C-2 -10 -5 -4 -4.8 2C-4.6 10 5 10 5 2.8C5 -3.6 -3.4 -3.6 -4.6 2",
  7: "M-5 -8H5C2 -3 -0.6 2 -1.4 8",
  8: "M0 -0.8C-5.6 -1.6 -5 -8 0 -8S5.6 -1.6 0 -0.8C-6.6 0 -6.2 8 0 8S6.6 0 0 -0.8Z",
  9: "M-4 7C2 10 5 4 4.8 -2C4.6 -10 -5 -10 -5 -2.8C-5 3.6 3.4 3.6 4.6 -2",
  10: "M-4.6 8V-8L-7 -5.4M3.6 -8C-1 -8 -1 8 3.6 8S8.2 -8 3.6 -8Z",
  J: "M-0.6 -8H4V3.4C4 9.6 -4.6 9.4 -4.8 4",
  Q: "M0 -8C-6.8 -8 -6.8 8 0 8S6.8 -8 0 -8ZM1 3L5.6 8.6",
  K: "M-4.4 -8V8M4.8 -8L-4.4 1.4M-1 -2L5 8",
};

// Where the pips stand: [column, row], columns −1 to 1, rows −3 to 3.
const SIDES = [[-1, -3], [1, -3], [-1, 3], [1, 3]];
const MIDDLES = [[-1, 0], [1, 0]];
const TWICE = [[-1, -1], [1, -1], [-1, 1], [1, 1]];
const PLACES = {
  2: [[0, -3], [0, 3]],
  3: [[0, -3], [0, 0], [0, 3]],
  4: SIDES,
  5: [...SIDES, [0, 0]],
  6: [...SIDES, ...MIDDLES],
  7: [...SIDES, ...MIDDLES, [0, -1.5]],
  8: [...SIDES, ...MIDDLES, [0, -1.5], [0, 1.5]],
  9: [...SIDES, ...TWICE, [0, 0]],
  10: [...SIDES, ...TWICE, [0, -2], [0, 2]],
};

const rim = box(1, 1, WIDTH - 2, HEIGHT - 2, "none", 6, 2, INK);
const upright = (drawing) => at(35, 49, drawing);
const bothWays = (drawing) => upright(drawing + at(0, 0, drawing, 180));

/** The middle of a card: one large pip, as many as the rank says, or half a figure twice. */
function middle(rank, suit, colour) {
  if (rank === "A") return upright(pip(suit, 0, 0, 34, colour));
  if (rank in PLACES) {
    const height = PLACES[rank].length > 8 ? 11.5 : 13.5;
    return upright(PLACES[rank].map(([x, y]) => pip(suit, x * 8, y * 11, height, colour, y > 0)).join(""));
  }
  return upright(box(-14.5, -43.5, 29, 87, "#fbf3df", 1, 1, colour)) + bothWays(court(rank, suit)) +
    upright(line("M-14 4L14 -4", INK, 1.6));
}

/** A card by its name; with `four`, each suit has a colour of its own. */
export function draw(name, { four = false, title = "" } = {}) {
  const [rank, suit] = [name.slice(0, -1), name.slice(-1)];
  const colour = SUITS[suit][four ? "four" : "two"];
  const index = at(-23.6, -34.4, line(GLYPHS[rank], colour, 3), 0, rank === "10" ? 1 : 1.1) +
    pip(suit, -23.6, -14.6, 16, colour);
  return picture(WIDTH, HEIGHT, box(1, 1, WIDTH - 2, HEIGHT - 2, WHITE, 6) + middle(rank, suit, colour) +
    bothWays(index) + rim, title);
}

/** The back: red or black lattice. */
export function back({ colour = "red", title = "" } = {}) {
  const ground = colour === "black" ? "#35303a" : DARK_RED;
  const lattice = each(9, (i) => `M6 ${-40 + i * 16}L64 ${18 + i * 16}M64 ${-40 + i * 16}L6 ${18 + i * 16}`);
  return picture(WIDTH, HEIGHT, box(1, 1, WIDTH - 2, HEIGHT - 2, WHITE, 6) +
    box(6, 6, WIDTH - 12, HEIGHT - 12, ground, 3) +
    `<svg x="6" y="6" width="58" height="86" viewBox="6 6 58 86">${line(lattice, "#e3d6c4", 1)}</svg>` +
    shape("M35 33L46 49L35 65L24 49Z", ground, 1.4, "#e3d6c4") + rim, title);
}
