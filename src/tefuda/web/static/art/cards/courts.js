// Jack, queen and king: the upper half of a figure, 29 wide and 42 high, whose waist is at (0, 0).

import { BLUE, GREEN, INK, ORANGE, PAPER, RED, TAN, WHITE, YELLOW, disc, each, line, shape } from "../svg.js";
import { pip } from "./suits.js";

const SKIN = "#f4d3b0";
const ROBES = { C: GREEN, D: ORANGE, H: RED, S: BLUE };
const HAIR = { C: "#5a3a1e", D: "#d9a23a", H: "#8a4a22", S: INK };

const face =
  shape("M-6 -29C-6.4 -20 -3.6 -16 0 -16S6.4 -20 6 -29Z", SKIN, 0.9) +
  disc(-2.4, -24, 0.9, INK) + disc(2.4, -24, 0.9, INK) + line("M0 -23.4L-0.8 -21H0.6", INK, 0.7) +
    line("M-1.6 -18.6H1.6", RED, 1);

/** Shoulders with a collar; the suit lies on the breast. */
const robe = (suit, trim) =>
  shape("M-14 4V-7C-13 -12 -9 -14.4 -3.4 -16H3.4C9 -14.4 13 -12 14 -7V-4Z", ROBES[suit], 1) +
  shape("M-4.6 -16L0 -8L4.6 -16C3 -14.6 -3 -14.6 -4.6 -16Z", WHITE, 0.8) +
  line("M-7.6 2.2V-12M7.6 -2.2V-12", trim, 2.4) + line("M-11.4 -1V-5M11.4 -5V-5.4", trim, 1.6) +
    pip(suit, 0, -5.4, 6.6, trim);

const FIGURES = {
  // A cap with a feather, and short hair.
  J: (hair) =>
    shape("M-7.6 -30C-9 -24 -8.4 -19 -6 -17L-5 -29ZM7.6 -30C9 -24 8.4 -19 6 -17L5 -29Z", hair, 0.8) + face +
    shape("M-9.6 -29C-9.4 -36 -4 -38 0 -38S9.4 -36 9.6 -29C4 -31 -4 -31 -9.6 -29Z", RED, 1) +
    line("M-9.4 -29.4C-4 -31.4 4 -31.4 9.4 -29.4", YELLOW, 1.8) +
      shape("M5 -33C6 -40 10 -42 13 -40C12 -36 9 -33 5 -33Z", PAPER, 0.8),
  // A small crown, and long hair.
  Q: (hair) =>
    shape("M0 -35C-9 -36 -11 -26 -10 -12L-5 -14V-28H5V-14L10 -12C11 -26 9 -36 0 -35Z", hair, 0.9) + face +
    shape("M-6.4 -31L-8 -39L-3.4 -35.6L0 -41L3.4 -35.6L8 -39L6.4 -31C2 -32 -2 -32 -6.4 -31Z", YELLOW, 1) +
    each(3, (i) => disc(-4 + i * 4, -33, 0.9, RED)) + line("M-3 -13.6C-1 -12 1 -12 3 -13.6", YELLOW, 1.2),
  // A tall crown, and a beard.
  K: (hair) =>
    shape("M-7.4 -30C-9 -24 -8 -20 -6.6 -18L-5 -29ZM7.4 -30C9 -24 8 -20 6.6 -18L5 -29Z", hair, 0.8) + face +
    shape("M-6.6 -22C-6 -16 -4 -10 0 -8.4C4 -10 6 -16 6.6 -22C4.6 -19.4 2 -20 0 -20S-4.6 -19.4 -6.6 -22Z", hair, 0.9) +
    line("M-1.4 -17.8H1.4", RED, 1) +
    shape("M-8 -29.6L-10 -38L-5 -34L-4 -39H4L5 -34L10 -38L8 -29.6C3 -31 -3 -31 -8 -29.6Z", YELLOW, 1) +
    line("M0 -41V-36M-2 -39.6H2", INK, 1.2) + line("M-7.6 -31.2C-3 -32.6 3 -32.6 7.6 -31.2", TAN, 1.4),
};

/** Half of the figure of a rank and a suit. */
export const court = (rank, suit) => robe(suit, rank === "Q" ? WHITE : YELLOW) + FIGURES[rank](HAIR[suit]);
