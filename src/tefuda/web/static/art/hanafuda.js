// The 48 flower cards. A picture is named by its month and its place in the month, the most precious card first:
// "1-1" (crane) to "12-4". Proportion 33 : 54.

import {
  BLUE, DARK_RED, GREEN, INK, PAPER, RED, YELLOW,
  at, box, cut, disc, each, letters, picture, polar, polygon, shape,
} from "./svg.js";
import { MONTHS } from "./hanafuda/months.js";

export const WIDTH = 66;
export const HEIGHT = 108;
export const NAMES = MONTHS.flatMap((_, month) => [1, 2, 3, 4].map((place) => `${month + 1}-${place}`));

// The kinds of each month's cards: bright, animal, ribbon, chaff.
const KINDS = ["brcc", "arcc", "brcc", "arcc", "arcc", "arcc", "arcc", "bacc", "arcc", "arcc", "barc", "bccc"];

// A sign for each kind: a star, a paw, a strip, a ring.
const star = polygon(Array.from({ length: 10 }, (_, i) => polar(i % 2 ? 2.6 : 6, i * 36)));
const SIGNS = {
  b: shape(star, YELLOW, 1),
  a: disc(0, 2, 3.4, GREEN) + each(3, (i) => disc(...polar(5.4, -50 + i * 50), 1.7, GREEN)),
  r: box(-2.4, -5.5, 4.8, 11, RED, 0, 1),
  c: disc(0, 0, 4, "none", 1.6, BLUE),
};

const rim = box(1.5, 1.5, WIDTH - 3, HEIGHT - 3, "none", 4, 3, INK);

/** A corner with the number of the month and the sign of the kind. */
const corner = (month, place) =>
  shape("M2 2H24V30C24 32 23 33 21 33H2Z", PAPER, 1.4) + letters(String(month), 12.8, 16.8, month > 9 ? 13 : 16) +
  at(12.6, 25, SIGNS[KINDS[month - 1][place - 1]]);

/** A card by its name; `signs` puts the month and the kind into a corner. */
export function draw(name, { signs = false, title = "" } = {}) {
  const [month, place] = name.split("-").map(Number);
  const drawn = MONTHS[month - 1][place - 1] + (signs ? corner(month, place) : "");
  return picture(WIDTH, HEIGHT, box(1, 1, WIDTH - 2, HEIGHT - 2, PAPER, 4) + cut(2, 2, 62, 104, drawn) + rim, title);
}

/** The back: red or black, with a flower as its crest. */
export function back({ colour = "red", title = "" } = {}) {
  const [ground, light] = colour === "black" ? ["#35303a", "#5d5663"] : [DARK_RED, "#c4545a"];
  const crest = each(5, (i) => disc(...polar(6.4, i * 72), 5.2, "none", 1.4, light)) + disc(0, 0, 2.6, light);
  return picture(WIDTH, HEIGHT, box(1, 1, WIDTH - 2, HEIGHT - 2, ground, 4) +
    box(6, 6, WIDTH - 12, HEIGHT - 12, "none", 2, 1.2, light) + at(33, 54, crest) + rim, title);
}
