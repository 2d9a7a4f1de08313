// The 34 kinds of tiles and the three red fives. A picture is named as players write it: "1m" to "9m" characters,
// "1p" circles, "1s" bamboos, "1z" to "7z" east, south, west, north, white, green, red; "0m", "0p", "0s" the red fives.
// Proportion 3 : 4.

import {
  BLUE, DARK_GREEN, DARK_RED, GREEN, INK, RED, WHITE, YELLOW,
  at, box, disc, each, letters, line, picture, polar, polygon, shape, short,
} from "./svg.js";
import { written } from "./tiles/strokes.js";

export const WIDTH = 60;
export const HEIGHT = 80;
const NUMBERS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0];
export const NAMES = [
  ...[..."mps"].flatMap((suit) => NUMBERS.map((number) => number + suit)),
  ...NUMBERS.slice(0, 7).map((number) => `${number}z`),
];

const DIGITS = "五一二三四五六七八九"; // by number; 0 is a five
const HONOURS = {
  1: ["東", INK], 2: ["南", INK], 3: ["西", INK], 4: ["北", INK], 6: ["發", GREEN], 7: ["中", RED],
};

const [B, G, R] = [BLUE, GREEN, RED];

/** A circle with a ring and a heart. */
const circle = (x, y, r, colour) =>
  disc(x, y, r, colour) + disc(x, y, r * 0.68, "none", r * 0.15, WHITE) + disc(x, y, r * 0.22, WHITE);

/** The great circle of the one. */
const great = disc(30, 40, 22, DARK_GREEN) + disc(30, 40, 18.4, WHITE) + disc(30, 40, 16.6, GREEN) +
  at(30, 40, each(12, (i) => disc(...polar(12.6, i * 30), 2, WHITE))) + disc(30, 40, 8.6, WHITE) +
    disc(30, 40, 7, RED) +
  at(30, 40, each(6, (i) => disc(...polar(3.8, i * 60), 1.4, WHITE)));

// The circles of each number: radius, and rows of [x, y, colour].
const CIRCLES = {
  2: [13, [30, 23, G], [30, 57, B]],
  3: [10.5, [15, 18, B], [30, 40, R], [45, 62, G]],
  4: [11, [17, 22, B], [43, 22, G], [17, 58, G], [43, 58, B]],
  5: [9.5, [15.5, 19, B], [44.5, 19, G], [30, 40, R], [15.5, 61, G], [44.5, 61, B]],
  6: [9.6, [18, 17, G], [42, 17, G], [18, 43, R], [42, 43, R], [18, 64, R], [42, 64, R]],
  7: [8.2, [14, 14, G], [30, 21, G], [46, 28, G], [20, 46, R], [40, 46, R], [20, 65, R], [40, 65, R]],
  8: [7.8, ...[14, 31.4, 48.6, 66].flatMap((y) => [[19, y, B], [41, y, B]])],
  9: [8, ...[[16, G], [40, R], [64, B]].flatMap(([y, colour]) => [13, 30, 47].map((x) => [x, y, colour]))],
};

function circles(number, red) {
  if (number === 1) return great;
  const [r, ...places] = CIRCLES[number];
  return places.map(([x, y, colour]) => circle(x, y, r, red ? RED : colour)).join("");
}

/** A stick with a knot in its middle and a light line within, so high. */
const stick = (x, y, colour, height = 21, turn = 0) => {
  const [h, w] = [height / 2, height > 24 ? 5.4 : 4.6];
  const [knot, end, bulge] = [short(w * 0.6), short(h - 2), short(w * 1.2)];
  const upper = `M-${knot} -2L-${w} -${end}Q0 ${-h - 2} ${w} -${end}L${knot} -2Q${bulge} 0 ${knot} 2`;
  const lower = `L${w} ${end}Q0 ${h + 2} -${w} ${end}L-${knot} 2Q-${bulge} 0 -${knot} -2Z`;
  return at(x, y, shape(upper + lower, colour) +
    line(`M0 ${-h + 3.4}V-3.6M0 3.6V${h - 3.4}`, WHITE, short(w * 0.3)), turn);
};

// The bamboos of each number: rows of [x, y, colour, height, turn].
const STICKS = {
  2: [[30, 22, G, 28], [30, 58, G, 28]],
  3: [[30, 22, G, 28], [18, 58, G, 28], [42, 58, G, 28]],
  4: [[18, 22, G, 28], [42, 22, B, 28], [18, 58, B, 28], [42, 58, G, 28]],
  5: [[15, 23, G, 26], [45, 23, B, 26], [30, 40, R, 26], [15, 57, B, 26], [45, 57, G, 26]],
  6: [[14, 22, G, 28], [30, 22, G, 28], [46, 22, G, 28], [14, 58, B, 28], [30, 58, B, 28], [46, 58, B, 28]],
  7: [[30, 15, R], [14, 40, G], [30, 40, B], [46, 40, G], [14, 65, G], [30, 65, B], [46, 65, G]],
  8: [[11, 23, G, 24], [49, 23, G, 24], [24, 23, G, 23, 28], [36, 23, G, 23, -28],
    [11, 57, B, 24], [49, 57, B, 24], [24, 57, B, 23, -28], [36, 57, B, 23, 28]],
  9: [15, 40, 65].flatMap((y) => [[14, y, G], [30, y, R], [46, y, B]]),
};

/** The bird of the one: it stands, with a long tail. */
const bird =
  shape("M26 46C30 58 26 66 14 74C20 74 26 72 30 68C29 72 27 74 25 76C34 73 40 64 40 52Z", GREEN, 1.2) +
  line("M32 54C32 62 28 68 22 72", WHITE, 1.2) +
  shape("M40 10C47 8 52 13 51 19C50 27 52 38 45 48C38 57 24 54 22 44C20 34 30 30 35 24C36 18 34 13 40 10Z", GREEN,
    1.4) +
  shape("M24 42C24 34 34 30 42 30C46 38 42 48 34 49C28 50 24 47 24 42Z", BLUE, 1.2) +
  line("M29 43C32 38 36 36 40 35M31 46C35 44 38 41 41 40", WHITE, 1.4) +
  shape("M51 14L58 17L50 20Z", YELLOW, 1) + disc(44.5, 15.5, 2, WHITE) + disc(45, 15.5, 1.1, INK) +
  shape("M38 11C34 8 34 4 36 2C38 4 39 4 40 2C42 4 43 4 45 2C46 6 45 9 42 10Z", RED, 1) +
  line("M38 54V66M38 66L34 69M38 66L42 69M44 50L46 62", RED, 2);

const bamboos = (number, red) =>
  number === 1 ? at(4, 5, bird, 0, 0.88) : STICKS[number].map(([x, y, colour, ...more]) =>
    stick(x, y, red ? RED : colour, ...more)).join("");

const characters = (number, red) =>
  at(29, 21, written(DIGITS[number], red ? RED : BLUE, 5.4), 0, 0.8) + at(29, 56, written("萬", RED, 4.4), 0, 0.82);

/** White is a frame; the other honours are one great character. */
const honours = (number) => {
  if (number === 5) return box(11, 12, 36, 54, "none", 2, 3.4, BLUE) + box(17, 18, 24, 42, "none", 1, 1.4, BLUE);
  const [sign, colour] = HONOURS[number];
  return at(29, 39, written(sign, colour, sign === "發" ? 4 : 5), 0, 1.14);
};

const SUITS = { m: characters, p: circles, s: bamboos, z: honours };

const rim = box(1, 1, WIDTH - 2, HEIGHT - 2, "none", 6, 2, INK);
const IVORY = "#fbf5e4";
const SHADE = "#d8cbab"; // the edge of the tile, below and to the right

/** A red five has a star in a corner, which tells it without colours. */
const star = at(52, 8.4, shape(polygon(Array.from({ length: 8 }, (_, i) => polar(i % 2 ? 1.9 : 5, i * 45))), RED));

/** A tile by its name; `signs` writes its name into a corner, or what it is called in a `short` word. */
export function draw(name, { signs = false, short: called = name, title = "" } = {}) {
  const [number, suit] = [Number(name[0]), name[1]];
  const red = number === 0;
  const corner = signs ? box(2, 2, 20, 14, IVORY, 4) + letters(called, 12, 12.6, called.length > 1 ? 10 : 12) : "";
  return picture(WIDTH, HEIGHT, box(1, 1, WIDTH - 2, HEIGHT - 2, SHADE, 6) +
    box(1, 1, WIDTH - 5, HEIGHT - 5, IVORY, 5) +
    SUITS[suit](red ? 5 : number, red) + (red ? star : "") + corner + rim, title);
}

/** The back: red or black. */
export function back({ colour = "red", title = "" } = {}) {
  const [ground, edge] = colour === "black" ? ["#35303a", "#1f1b23"] : ["#b5333a", DARK_RED];
  return picture(WIDTH, HEIGHT, box(1, 1, WIDTH - 2, HEIGHT - 2, edge, 6) +
    box(1, 1, WIDTH - 5, HEIGHT - 5, ground, 5) + rim, title);
}
