// Cards with letters, for a game whose cards have no pictures. Proportion 5 : 7.

import { BLUE, DARK_RED, GREEN, GREY, INK, RED, VIOLET, WHITE, box, each, letters, line, picture } from "./svg.js";

export const WIDTH = 70;
export const HEIGHT = 98;
const ROOM = 58; // for a line of letters

// A colour of a scene as it can be read on white.
const COLOURS = { red: RED, green: GREEN, yellow: "#8a6100", blue: BLUE, magenta: VIOLET, cyan: "#0b6b7a", white: INK, black: INK };

/** How wide some letters are, in the size of the letters: signs of East Asia are square, others half as wide. */
const wide = (text) => [...text].reduce((sum, sign) => sum + (sign.codePointAt(0) > 0x2e7f ? 1 : 0.6), 0);

/** A text in lines: at its spaces, and a long text without them into halves. */
function lines(text) {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length > 1 || wide(text) <= 5) return words;
  const signs = [...text];
  const half = Math.ceil(signs.length / 2);
  return [signs.slice(0, half).join(""), signs.slice(half).join("")];
}

/** A card with a text on it; a colour is one of a scene's colours. */
export function draw(text, { colour = "", title = "" } = {}) {
  const told = lines(text).slice(0, 4);
  const size = Math.min(34, 74 / Math.max(told.length, 1), ...told.map((one) => ROOM / wide(one)));
  const fill = COLOURS[colour] ?? INK;
  const top = HEIGHT / 2 - ((told.length - 1) * size * 1.1) / 2 + size * 0.36;
  return picture(WIDTH, HEIGHT, box(1, 1, WIDTH - 2, HEIGHT - 2, WHITE, 6, 2) + box(5, 5, WIDTH - 10, HEIGHT - 10, "none", 3, 1, fill) +
    told.map((one, i) => letters(one, WIDTH / 2, top + i * size * 1.1, size, fill)).join(""), title);
}

/** The back: red or black stripes. */
export function back({ colour = "red", title = "" } = {}) {
  const ground = colour === "black" ? "#35303a" : DARK_RED;
  return picture(WIDTH, HEIGHT, box(1, 1, WIDTH - 2, HEIGHT - 2, ground, 6, 2) +
    line(each(9, (i) => `M10 ${17 + i * 8}H60`), GREY, 1) + box(5, 5, WIDTH - 10, HEIGHT - 10, "none", 3, 1, WHITE), title);
}
