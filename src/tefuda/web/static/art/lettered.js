// Cards with letters, for a game whose cards have no pictures. Proportion 5 : 7.

import { BLUE, DARK_RED, GREEN, GREY, INK, RED, VIOLET, WHITE, box, each, letters, line, picture } from "./svg.js";

export const WIDTH = 70;
export const HEIGHT = 98;
const ROOM = 54; // for a line of letters

// A colour of a scene as it can be read on white.
const COLOURS = {
  red: RED, green: GREEN, yellow: "#8a6100", blue: BLUE, magenta: VIOLET, cyan: "#0b6b7a", white: INK, black: INK,
};

/** How wide some letters are at most, in their size: signs of East Asia are square, letters narrower. */
const wide = (text) => [...text].reduce((sum, sign) => {
  if (sign.codePointAt(0) > 0x2e7f || "MWmw@%".includes(sign)) return sum + 1.1;
  return sum + (/\p{Lu}/u.test(sign) ? 0.8 : 0.64);
}, 0);

/** A text in about three lines: cut at its spaces, and a long word in halves. */
function lines(text) {
  const words = text.split(/\s+/).filter(Boolean).flatMap((word) => {
    const half = Math.ceil([...word].length / 2);
    return wide(word) > 6 ? [[...word].slice(0, half).join(""), [...word].slice(half).join("")] : [word];
  });
  const most = Math.max(wide(text) / 3, ...words.map(wide));
  return words.reduce((told, word) => {
    const longer = told.length ? `${told.at(-1)} ${word}` : word;
    return told.length && wide(longer) <= most ? [...told.slice(0, -1), longer] : [...told, word];
  }, []);
}

/** A card with a text on it; a colour is one of a scene's colours. */
export function draw(text, { colour = "", title = "" } = {}) {
  const told = lines(text);
  const size = Math.min(34, 70 / Math.max(told.length, 1), ...told.map((one) => ROOM / wide(one)));
  const fill = COLOURS[colour] ?? INK;
  const top = HEIGHT / 2 - ((told.length - 1) * size * 1.1) / 2 + size * 0.36;
  return picture(WIDTH, HEIGHT, box(1, 1, WIDTH - 2, HEIGHT - 2, WHITE, 6, 2) +
    box(5, 5, WIDTH - 10, HEIGHT - 10, "none", 3, 1, fill) +
    told.map((one, i) => letters(one, WIDTH / 2, top + i * size * 1.1, size, fill)).join(""), title);
}

/** The back: red or black stripes. */
export function back({ colour = "red", title = "" } = {}) {
  const ground = colour === "black" ? "#35303a" : DARK_RED;
  return picture(WIDTH, HEIGHT, box(1, 1, WIDTH - 2, HEIGHT - 2, ground, 6, 2) +
    line(each(9, (i) => `M10 ${17 + i * 8}H60`), GREY, 1) +
      box(5, 5, WIDTH - 10, HEIGHT - 10, "none", 3, 1, WHITE), title);
}
