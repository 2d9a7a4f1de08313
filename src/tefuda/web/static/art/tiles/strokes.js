// The characters on tiles as strokes of a brush, around (0, 0), about 40 wide and 40 high. No font is needed.
// `fine` strokes run across, `bold` ones down, as a brush writes them.

import { line } from "../svg.js";

const STROKES = {
  一: { bold: "M-18 1C-8 -1 8 -2 18 -1" },
  二: { bold: "M-11 -9C-4 -10 4 -10 11 -10M-18 10C-8 8 8 8 18 9" },
  三: { bold: "M-13 -13C-4 -14 4 -14 13 -14M-10 -1C-4 -2 4 -2 10 -2M-18 13C-8 11 8 11 18 12" },
  四: {
    fine: "M-16 -12H16M-15 14H15",
    bold: "M-16 -12L-15 16M16 -12L15 16M-5 -12C-5 -3 -6 3 -11 6M5 -12V2C5 5 7 5 11 5",
  },
  五: { fine: "M-14 -14H14M-11 -1H10M-18 16H18", bold: "M-1 -14C-2 -4 -4 6 -6 16M10 -1L9 16" },
  六: { fine: "M-18 -5H18", bold: "M0 -18L2 -11M-5 3C-7 9 -11 14 -17 17M5 3C9 7 13 12 16 17" },
  七: { fine: "M-18 1C-8 -1 6 -4 18 -6", bold: "M-4 -17V11C-4 16 0 16 6 16S16 15 16 9" },
  八: { bold: "M-5 -12C-6 -2 -10 9 -18 15M3 -14C5 -2 10 9 18 14" },
  九: { fine: "M-15 -6H8", bold: "M-4 -18C-4 -2 -8 10 -18 17M8 -6V10C8 16 10 16 13 16S18 14 18 8" },
  萬: {
    fine: "M-18 -15H18M-11 -9H11M-11 -3H11M-11 3H11M-16 8H16M-8 15H6",
    bold: "M-7 -20V-11M7 -20V-11M-11 -9V4M11 -9V4M0 -9V15M-16 8V20M16 8V17C16 20 14 20 11 19M5 11L9 17",
  },
  東: {
    fine: "M-17 -13H17M-11 -7H11M-11 0H11M-11 6H11",
    bold: "M0 -20V20M-11 -7V7M11 -7V7M-1 7C-5 12 -11 16 -18 18M1 7C6 12 11 15 18 18",
  },
  南: {
    fine: "M-15 -14H15M-16 -7H16M-8 4H8M-9 11H9M-4 -4L-2 1M5 -5L2 1",
    bold: "M0 -20V-7M-16 -7V20M16 -7V16C16 20 13 20 10 19M0 4V19",
  },
  西: {
    fine: "M-18 -15H18M-15 -6H15M-15 16H15",
    bold: "M-15 -6V18M15 -6V18M-5 -15V-4C-5 2 -7 6 -10 8M5 -15V3C5 7 8 7 11 7",
  },
  北: {
    fine: "M-17 -6H-6M-18 13C-13 12 -9 10 -6 8M17 -10C13 -6 9 -4 5 -3",
    bold: "M-6 -18V18M5 -19V11C5 16 8 16 11 16S18 15 18 9",
  },
  發: {
    fine: "M-15 -16H-5M-15 -10L-12 -7M12 -17L7 -13M17 -12L11 -8M-15 0H-5M-15 6H-5M-14 12H-4M3 0H12M2 10H13",
    bold: "M-5 -16C-7 -9 -12 -4 -19 -1M2 -19C5 -11 11 -5 19 -2M-5 0V6M-15 6L-14 12M-4 12C-4 18 -5 20 -10 19" +
      "M3 0C3 4 2 6 0 8M12 0V5C12 7 14 7 17 6M13 10C11 16 6 19 0 20M3 12C7 16 12 19 18 20",
  },
  中: { fine: "M-15 -9H15M-15 6H15", bold: "M0 -20V20M-15 -9V7M15 -9V7" },
};

/** A character in a colour, with the width of its bold strokes. */
export const written = (sign, colour, width = 4.4) =>
  (STROKES[sign].fine ? line(STROKES[sign].fine, colour, Math.round(width * 6.5) / 10) : "") +
    line(STROKES[sign].bold, colour, width);
