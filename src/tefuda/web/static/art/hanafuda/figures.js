// The animals and things on flower cards. Each looks to the left and is drawn around (0, 0).

import {
  BLUE, BROWN, DARK_RED, GREEN, INK, OLIVE, ORANGE, PAPER, RED, SKY, TAN, VIOLET, WHITE, YELLOW,
  at, box, disc, each, line, oval, shape,
} from "../svg.js";

const eye = (x, y, r = 1.1) => disc(x, y, r, INK);

/** A white bird with a long neck, a red crown and a black tail. */
export const crane =
  line("M-2 14L-4 34M6 14L7 34", INK, 1.6) +
  shape("M6 -8C16 -8 26 -2 30 8L34 20L24 14L26 22L14 16L6 18Z", INK) +
  shape("M-14 -34C-20 -34 -22 -28 -18 -25C-12 -20 -16 -10 -10 -2C-8 10 0 16 8 15C16 14 20 6 16 0C12 -6 2 -8 -4 -8" +
    "C-8 -12 -6 -22 -9 -29C-10 -32 -12 -34 -14 -34Z", WHITE, 1.4) +
  line("M2 0C8 0 12 4 12 10M-1 3C4 4 8 7 8 12", INK, 1.1) +
  shape("M-19 -31L-29 -27L-19 -27Z", YELLOW, 1) +
  shape("M-19 -32C-18 -37 -12 -37 -10 -33Z", RED, 0.8) + eye(-15.5, -29.5) +
  line("M-13 -25C-10 -18 -12 -10 -7 -5", INK, 2.6);

/** A small bird that sits. */
export const warbler =
  shape("M-18 -3L-25 1L-16 3C-14 14 -2 18 8 13C14 14 22 20 30 26L34 22C28 12 20 4 12 -2C4 -12 -14 -14 -18 -3Z", OLIVE,
    1.4) +
  shape("M-13 5C-8 14 2 15 8 12C2 8 -4 8 -13 5Z", PAPER) +
  shape("M-2 -2C8 -4 14 4 24 16C14 14 2 12 -2 -2Z", GREEN, 1.1) + eye(-11, -4, 1.5) +
  line("M-2 15V22M4 15V21", INK, 1.5);

/** A bird in flight with long wings. */
export const cuckoo =
  shape("M2 -2C0 -16 8 -26 22 -30C20 -18 18 -8 12 0Z", BROWN, 1.3) +
  shape("M-14 -6L-24 -2L-14 1C-8 6 2 8 12 4L32 14L30 6L34 4L14 -4C6 -8 -8 -12 -14 -6Z", BROWN, 1.3) +
  shape("M-11 2C-4 7 4 7 12 4C4 1 -4 1 -11 2Z", PAPER) + line("M-5 2L-4 5M0 2L1 6M5 2L6 5", INK, 0.9) +
  shape("M-2 -4C-14 -14 -16 -22 -14 -30C-4 -26 8 -14 8 -2Z", TAN, 1.3) +
  line("M-11 -25C-6 -20 0 -12 3 -6M-12 -20C-8 -15 -4 -10 -1 -7", INK, 1) + eye(-12, -4, 1.4);

/** A dark bird with a forked tail and a red throat. */
export const swallow =
  shape("M4 -4C6 -16 16 -24 30 -24C24 -16 20 -6 12 2Z", BLUE, 1.3) +
  shape("M-14 -4L-22 1L-13 3C-6 8 4 8 12 4L36 20L22 4L40 4L14 -4C6 -8 -8 -10 -14 -4Z", BLUE, 1.3) +
  shape("M-12 3C-4 8 4 7 11 4C4 2 -4 2 -12 3Z", WHITE) +
  shape("M-17 0L-10 -1L-8 4L-14 3Z", RED) +
  shape("M0 -3C-10 -10 -18 -22 -16 -32C-4 -28 8 -14 8 -1Z", "#1c2f66", 1.3) + eye(-11, -3, 1.3);

/** A goose in flight. */
export const goose =
  shape("M-8 1L-14 0L-21 2L-16 -2.4L-8 -3C-5 -5 1 -4 5 -1L13 2L5 4C0 5 -5 4 -8 1Z", INK) +
  shape("M-2 -3C-3 -10 1 -14 9 -16C9 -9 7 -4 4 -1Z", INK) + shape("M0 1C-4 5 -3 10 1 14C5 10 6 5 5 2Z", INK) +
  line("M0 -5C1 -8 3 -10 6 -12M1 4C0 7 1 9 2 11", PAPER, 1);

/** An insect with four wings. */
export const butterfly = (wing = YELLOW, spot = RED) =>
  shape("M0 0C-4 -14 -16 -18 -18 -10C-19 -3 -9 0 0 0Z", wing, 1.2) +
  shape("M0 0C4 -14 16 -18 18 -10C19 -3 9 0 0 0Z", wing, 1.2) +
  shape("M0 0C-9 0 -14 4 -12 9C-9 14 -2 9 0 0Z", WHITE, 1.2) + shape("M0 0C9 0 14 4 12 9C9 14 2 9 0 0Z", WHITE, 1.2) +
  disc(-12, -9, 2.6, spot) + disc(12, -9, 2.6, spot) + disc(-8, 6, 1.7, INK) + disc(8, 6, 1.7, INK) +
  line("M0 -5V8", INK, 2.4) + line("M0 -5C-2 -9 -5 -12 -7 -13M0 -5C2 -9 5 -12 7 -13", INK, 1);

/** A heavy animal with bristles, a snout and a tusk. */
export const boar =
  line("M-10 12V20M-4 13V20M14 12V20M20 10V20", INK, 4) +
  shape("M-29 4L-26 -3C-22 -12 -16 -14 -14 -18L-9 -15L-6 -20L-2 -16L2 -20L6 -16L10 -19L13 -14L18 -15L20 -10" +
    "C28 -4 28 6 24 12C12 18 -4 18 -12 12C-18 12 -24 11 -28 9Z", "#5c3a26", 1.4) +
  shape("M-29 3L-25 -1L-22 9L-28 9Z", "#c98a7a", 1) + shape("M-22 8C-22 3 -20 1 -17 0C-18 4 -19 7 -19 9Z", WHITE, 0.7) +
  shape("M-12 -12L-8 -19L-5 -10Z", BROWN, 1) + disc(-18, -4, 1.7, WHITE) + eye(-18, -4, 1) +
  line("M2 -6C4 0 4 4 2 8M10 -6C13 0 13 4 11 8M-5 -4C-3 2 -4 6 -6 9", TAN, 1.2) +
    line("M24 -4C29 -6 29 -1 27 1", INK, 1.5);

/** A spotted animal with antlers. */
export const deer =
  line("M-8 12L-9 34M-3 13L-3 34M13 12L12 34M18 10L19 34", INK, 3.6) +
  line("M-8 12L-9 32M-3 13L-3 32M13 12L12 32M18 10L19 32", BROWN, 1.8) +
  shape("M-26 -22C-24 -28 -18 -30 -12 -27C-8 -22 -9 -14 -4 -8C4 -8 14 -10 20 -5C25 -1 24 8 20 14C12 18 -4 18 -10 14" +
    "C-15 8 -15 -4 -17 -14L-24 -16Z", "#c07a3a", 1.4) +
  shape("M20 -5L27 -10L24 1Z", WHITE, 1) + shape("M-12 -26L-3 -29L-9 -21Z", "#c07a3a", 1) +
  line("M-15 -28C-18 -36 -24 -38 -24 -44M-19 -36L-14 -42M-13 -28C-11 -36 -5 -38 -4 -45M-9 -36L-13 -43", INK, 2) +
  each(6, (i) => disc(-4 + (i % 3) * 8, i < 3 ? -2 : 5, 1.7, WHITE)) + eye(-19, -22, 1.4) + disc(-25, -19, 1.3, INK);

/** A man in a long robe under an umbrella. */
export const rainMan =
  line("M2 -34V6", INK, 1.8) +
  shape("M-8 -14C-14 -6 -18 16 -20 32H14C14 16 10 -4 4 -14Z", "#3a6f8f", 1.4) +
  shape("M-2 -10C6 -12 14 -4 17 8L6 12L-2 2Z", "#3a6f8f", 1.4) + shape("M-9 -12L-2 -4L2 -13Z", RED, 0.8) +
  line("M-6 0C-9 10 -10 20 -10 31M3 14C4 20 4 26 4 31", INK, 1.1) +
  disc(-4, -19, 6, "#f3cfa6", 1.2) + shape("M-11 -21C-10 -28 2 -30 3 -20C-2 -23 -6 -23 -11 -21Z", INK) +
    eye(-7, -18.5, 0.9) +
  shape("M-27 -28C-22 -46 26 -46 31 -28C26 -32 20 -32 16 -28C12 -32 6 -32 2 -28" +
    "C-2 -32 -8 -32 -12 -28C-16 -32 -22 -32 -27 -28Z", YELLOW, 1.5) +
  line("M2 -42V-29M2 -42C-6 -40 -11 -34 -12 -29M2 -42C10 -40 15 -34 16 -29", INK, 1.1) + disc(2, -42.5, 1.8, INK);

export const frog =
  shape("M-7 6C-9 0 -6 -5 -2 -6C2 -7 6 -4 8 0C11 1 12 4 10 6Z", GREEN, 1.1) + disc(-4, -5, 2, GREEN, 0.8) +
    eye(-4, -5, 0.9) +
  line("M-4 6V3M5 6C3 4 3 2 5 1", INK, 1);

/** A bird with a crest, a raised wing and long feathers that end in eyes. */
export const phoenix =
  [["M2 4C16 4 24 -10 20 -26", RED], ["M4 8C22 10 34 -4 31 -18", GREEN],
    ["M2 11C18 20 32 14 33 2", VIOLET]].map(([d, fill]) =>
    line(d, INK, 6) + line(d, fill, 3.6)).join("") +
  [[20, -28, RED], [31, -16, GREEN], [32, 2, VIOLET]].map(([x, y, fill]) =>
    disc(x, y, 5, fill, 1.2) + disc(x, y, 2, YELLOW)).join("") +
  shape("M-4 0C-12 -12 -10 -28 0 -36C2 -30 4 -27 8 -27C6 -21 8 -18 11 -17C9 -10 8 -2 4 4Z", ORANGE, 1.3) +
  line("M-1 -4C-5 -12 -4 -20 0 -29M3 -3C2 -10 3 -16 6 -21", INK, 1) +
  shape("M-22 -14C-22 -21 -13 -23 -10 -17C-8 -12 -8 -6 -2 -4C9 -2 11 8 4 13C-4 17 -15 12 -16 0C-16 -4 -16 -8 -18 -10Z",
    YELLOW, 1.4) +
  line("M-10 2C-8 7 -4 9 1 8M-11 -3C-10 0 -8 2 -6 3", ORANGE, 1.4) +
  shape("M-21 -16L-29 -12L-20 -10.5Z", RED, 1) + disc(-16.5, -15.5, 1.4, INK) +
  line("M-16 -20C-19 -27 -16 -30 -12 -30M-13 -20C-13 -27 -9 -28 -6 -27", RED, 2.4) +
  line("M-7 14V22M0 14V21", INK, 2);

/** A bowl for sake, red outside and with gold in it. */
export const cup =
  shape("M-22 -8C-20 10 -10 15 -7 16L-9 21H9L7 16C10 15 20 10 22 -8Z", RED, 1.5) +
  oval(0, -8, 22, 6.4, YELLOW, 1.5) + oval(0, -7.4, 16, 3.4, DARK_RED) +
  line("M-6 3H6M0 0V12M-4 7H4M-6 11C-2 9 2 9 6 11", YELLOW, 1.7);

/** A striped curtain that hangs from a rope, 66 wide. */
export const curtain = (top) =>
  each(6, (i) => box(i * 11, top, 11, 60, [RED, WHITE, VIOLET, WHITE, RED, WHITE][i], 0, 0.8)) +
  each(3, (i) => disc(11 + i * 22, top + 25, 5.4, i % 2 ? YELLOW : WHITE, 1.2)) +
  box(-2, top - 3, 70, 7, INK) + line(`M-2 ${top + 0.5}H68`, YELLOW, 1.6);

/** Planks that go this way and that. */
export const bridge = (top) =>
  [[-4, top, 48], [24, top + 15, 48], [-4, top + 30, 48]].map(([x, y, wide]) =>
    line(`M${x + 12} ${y + 6}v9M${x + wide - 10} ${y + 6}v9`, INK, 3.4) + box(x, y, wide, 10, TAN, 0, 1.5) +
    line(`M${x} ${y + 3.4}H${x + wide}M${x} ${y + 6.8}H${x + wide}`, BROWN, 1)).join("");

/** A bolt of lightning, and a drum. */
export const bolt = shape("M6 -40L-14 2H-2L-10 34L16 -10H4L14 -40Z", YELLOW, 1.6);
export const drum = oval(0, 0, 12, 12, WHITE, 1.6) + shape("M0 -8A8 8 0 0 1 0 8A4 4 0 0 0 0 0A4 4 0 0 1 0 -8Z", RED) +
  disc(0, 0, 9, "none", 1);

/** A crescent that is open to the left and above. */
export const crescent = shape("M-1.9 -17.9A18 18 0 1 1 -15.9 8.4A15 15 0 1 0 -1.9 -17.9Z", YELLOW, 1.4);

/** Water in waves. */
export const stream = (y, height) =>
  box(-1, y, 68, height, SKY, 0, 1.2) +
  each(Math.floor(height / 8), (i) =>
    line(`M${-6 + (i % 2) * 8} ${y + 6 + i * 8}${"c4 -4 8 -4 12 0s8 4 12 0".repeat(4)}`, BLUE, 1.4));

// Hiragana as strokes, each in a box of 12 × 12 around (0, 0).
const HIRAGANA = {
  a: "M-4 -3.5H4M-1 -6C-2 -1 -1 3 0 5M3 -1C2 4 -4 6 -4 2.5S3 -1 4 2S2 5.5 1 5.5",
  ka: "M-5 -2H1C3 -2 2 4 -0.5 5M-2 -5.5C-2 -1 -3.5 3 -5 5M3.5 -4L5 -1",
  mi: "M-3.5 -4.5H1C0 -1 -2 5 -4 4C-5 2 -1 0 5 2.5M4 -1.5C4 1.5 3 4 1.5 5.5",
  no: "M0.5 -3.5C0 1 -2 4 -3.5 3.5C-6 1 -2 -4.5 2 -3.5C6 -2 5 3.5 1 5",
  ro: "M-3.5 -4.5H3L-4 2C0 -2 4.5 -1 4 2S0 5.5 -2 5",
  shi: "M-2.5 -5.5V2C-2.5 6.5 3 5.5 4.5 2",
  yo: "M0.5 -5.5V3C0.5 6 -4.5 6 -4.5 3.5S2 2.5 4.5 5M0.5 -2H4.5",
};
const POEMS = { good: ["a", "ka", "yo", "ro", "shi"], yoshino: ["mi", "yo", "shi", "no"] };

/** A strip of paper: with one of the poems, `plain` without writing, or `blue` with bars at its ends. */
export function ribbon(sort) {
  const strip = (fill) => shape("M-9 -34L9 -36L9 34L-9 36Z", fill, 1.6);
  if (sort === "plain") return strip(RED);
  if (sort === "blue") return strip(BLUE) + line("M-6 -28L6 -29M-6 -23L6 -24M-6 24L6 23M-6 29L6 28", WHITE, 2);
  const written = POEMS[sort];
  const step = 62 / written.length;
  return strip(RED) + written.map((sign, i) => at(0, (i + 0.5) * step - 31, line(HIRAGANA[sign], WHITE, 1.8))).join("");
}
