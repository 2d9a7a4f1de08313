// What grows on the twelve months' cards. A card is 66 wide and 108 high; y grows downwards.

import {
  BROWN, DARK_GREEN, DARK_RED, DARK_VIOLET, GREEN, INK, ORANGE, PAPER, PINK, RED, TAN, VIOLET, WHITE, YELLOW,
  at, disc, each, line, oval, polar, polygon, shape, short,
} from "../svg.js";

/** A pointed leaf that grows upwards from (0, 0). */
export const leaf = (length, width, fill, rim = 0.8) =>
  shape(`M0 0C${-width} ${short(-length * 0.35)} ${short(-width * 0.7)} ${short(-length * 0.8)} 0 ${-length}` +
    `C${short(width * 0.7)} ${short(-length * 0.8)} ${width} ${short(-length * 0.35)} 0 0Z`, fill, rim);

/** A flower of round petals. */
export const blossom = (x, y, r, fill, heart, petals = 5) =>
  at(x, y,
    each(petals, (i) => disc(...polar(r * 0.56, (360 / petals) * i), r * 0.46, fill, 0.9)) +
    disc(0, 0, r * 0.34, fill) + disc(0, 0, r * 0.24, heart));

/** January: a fan of needles. */
export function pine(x, y, r, turn = 0) {
  const rim = Array.from({ length: 19 }, (_, i) => polar(i % 2 ? r * 0.82 : r, -99 + i * 11));
  const needles = each(8, (i) => {
    const [px, py] = polar(r * 0.86, -77 + i * 22);
    return `M0 -1L${short(px)} ${short(py)}`;
  });
  return at(x, y, shape(polygon([[0, r * 0.2], ...rim]), DARK_GREEN, 0.8) + line(needles, "#7fae63", 0.9) +
    disc(0, 0, r * 0.17, ORANGE, 0.6), turn);
}

/** February: a red blossom with yellow stamens, and a bud. */
export const plum = (x, y, r = 9) => blossom(x, y, r, RED, YELLOW);
export const bud = (x, y, fill = RED) => disc(x, y, 3, fill, 0.9);

/** March: a pink blossom whose petals are notched. */
export const cherry = (x, y, r = 10, turn = 0) =>
  at(x, y,
    each(5, (i) => at(0, 0, shape("M0 0C-6 -3 -6 -9 -2.6 -10L0 -8.2L2.6 -10C6 -9 6 -3 0 0Z", PINK, 0.8, "#a8394f"),
      i * 72)) +
    disc(0, 0, 2.1, DARK_RED) + each(5, (i) => disc(...polar(4.2, i * 72), 0.8, DARK_RED)), turn, r / 10);

/** April: a cluster that hangs from (x, y), wide and dark above, pointed and light below. */
const CLUSTER = [DARK_VIOLET, "#523a82", VIOLET, "#a58bd0"];
export const wisteria = (x, y, rows = 6, sway = 0) =>
  each(rows, (i) => {
    const wide = Math.max(1, Math.round(3.4 * (1 - i / rows)));
    const middle = x + (sway * i * i) / rows;
    return each(wide, (j) =>
      oval(middle + (j - (wide - 1) / 2) * 5.8, y + i * 6.4 + Math.abs(j - (wide - 1) / 2) * 1.4, 3.7, 4.1,
        CLUSTER[Math.floor((4 * i + ((i + j) % 2) * 1.6) / rows)], 0.6));
  });

/** May: a violet flower with hanging petals, and a straight blade. */
export const iris = (x, y, scale = 1) =>
  at(x, y,
    shape("M0 2C-7 -3 -6 -13 0 -16C6 -13 7 -3 0 2Z", VIOLET, 0.9) +
    shape("M0 1C-5 -6 -14 -5 -15 3C-16 10 -10 14 -7 10C-5 7 -4 4 0 1Z", VIOLET, 0.9) +
    shape("M0 1C5 -6 14 -5 15 3C16 10 10 14 7 10C5 7 4 4 0 1Z", VIOLET, 0.9) +
    shape("M0 0C-6 5 -5 13 0 16C5 13 6 5 0 0Z", DARK_VIOLET, 0.9) +
    line("M0 4V10M-5 2L-9 4M5 2L9 4", YELLOW, 1.8), 0, scale);
export const blade = (x, foot, top, lean = 0, width = 3.2) =>
  shape(`M${x - width} ${foot}L${short(x + lean)} ${top}L${x + width} ${foot}Z`, GREEN, 0.8);

/** June: a large flower of many petals, and its leaves. */
export const peony = (x, y, r = 16) =>
  at(x, y,
    each(8, (i) => disc(...polar(11, i * 45), 5.6, RED, 0.9)) + disc(0, 0, 11, RED) +
    each(6, (i) => disc(...polar(6, 20 + i * 60), 4.4, "#e8605a", 0.8, DARK_RED)) +
    disc(0, 0, 4, "#e8605a") + disc(0, 0, 3.2, YELLOW, 0.6), 0, r / 16);
export const leaves = (x, y, turn, scale = 1, fill = GREEN) =>
  at(x, y, at(0, 0, leaf(17, 5, fill), -38) + at(0, 0, leaf(17, 5, fill), 38) + leaf(20, 5, fill), turn, scale);

/** July: a stem from one point to another by way of a third, with small leaves on both sides and red flowers. */
export function clover([x0, y0], [x1, y1], [x2, y2], pairs = 6) {
  const along = (t, a, b, c) => (1 - t) ** 2 * a + 2 * t * (1 - t) * b + t * t * c;
  return line(`M${x0} ${y0}Q${x1} ${y1} ${x2} ${y2}`, BROWN, 1.5) + each(pairs, (i) => {
    const t = 0.25 + (0.75 * i) / (pairs - 1);
    const ahead = Math.atan2((1 - t) * (y1 - y0) + t * (y2 - y1), (1 - t) * (x1 - x0) + t * (x2 - x1));
    const turn = (ahead * 180) / Math.PI + 90;
    const grown = at(0, 0, leaf(10, 4.6, GREEN), -62) + at(0, 0, leaf(10, 4.6, i % 2 ? DARK_RED : GREEN), 62);
    const tip = i === pairs - 1 ? leaf(9, 4.4, DARK_RED) : "";
    return at(along(t, x0, x1, x2), along(t, y0, y1, y2), grown + tip, turn);
  });
}

/** August: a dark hill, and a blade of grass with its plume. */
export const hill = (crest = 56) =>
  shape(`M0 108V${crest + 14}C14 ${crest - 4} 30 ${crest - 6} 44 ${crest + 4}S60 ${crest + 12} 66 ${crest + 10}V108Z`,
    INK) +
  each(8, (i) => {
    const [x, y] = [2 + i * 8, 107 - (i % 3) * 5];
    return line(`M${x} ${y}Q${x + 1} ${y - 14} ${x + 7} ${y - 22 - (i % 2) * 5}`, "#8fa862", 1.5);
  });
export const grass = (x, foot, top, lean) =>
  line(`M${x} ${foot}Q${x} ${short((foot + top) / 2)} ${x + lean} ${top}`, DARK_GREEN, 1.6) +
  at(x + lean, top, each(4, (i) => at(0, i * 3.6, oval(0, -4, 1.7, 5, TAN, 0.7), lean > 0 ? 62 - i * 9 : -62 + i * 9)));

/** September: a round flower of many narrow petals. */
export const chrysanthemum = (x, y, r = 16, fill = YELLOW) =>
  at(x, y,
    each(14, (i) => at(0, 0, shape("M0 0C-4.4 -6 -4.6 -16 0 -16S4.4 -6 0 0Z", fill, 0.8), (i * 360) / 14)) +
    each(8, (i) => at(0, 0, shape("M0 0C-3 -4 -3 -8.6 0 -8.6S3 -4 0 0Z", WHITE, 0.6), i * 45)) +
    disc(0, 0, 3, ORANGE, 0.7), 0, r / 16);
export const lobed = (x, y, turn, scale = 1) =>
  at(x, y,
    shape("M0 0C-9 -1 -11 -6 -8 -9C-13 -11 -11 -17 -6 -16C-6 -22 6 -22 6 -16C11 -17 13 -11 8 -9C11 -6 9 -1 0 0Z",
      GREEN, 0.9) +
    line("M0 -2V-15M0 -7L-5 -11M0 -7L5 -11", PAPER, 0.8), turn, scale);

/** October: a leaf with seven points. */
export function maple(x, y, r, turn = 0, fill = RED) {
  const points = [];
  const reach = [0.62, 0.86, 1, 1.05, 1, 0.86, 0.62];
  reach.forEach((far, i) => {
    const angle = -126 + i * 42;
    points.push(polar(r * far, angle));
    if (i < 6) points.push(polar(r * 0.36, angle + 21));
  });
  return at(x, y, line(`M0 0L0 ${short(r * 0.8)}`, DARK_RED, 1.3) +
    shape(polygon([...points, [0, r * 0.3]]), fill, 0.8) +
    line(`M0 ${short(r * 0.2)}L0 ${short(-r * 0.7)}`, DARK_RED, 0.7), turn);
}

/** November: a stroke that falls from above, with narrow leaves on both sides. */
export const willow = (x, top, foot, sway = 4) => {
  const middle = short(top + (foot - top) / 2);
  const pairs = Math.floor((foot - top) / 10);
  const stem = `M${x} ${top}C${x} ${middle} ${x + sway} ${short(foot - 16)} ${x + sway} ${foot}`;
  return line(stem, DARK_GREEN, 2) + each(pairs, (i) => {
    const t = (i + 0.6) / pairs;
    return at(x + sway * t * t, top + (foot - top) * t, leaf(12, 3.4, DARK_GREEN, 0), i % 2 ? 152 : 208);
  });
};

/** December: a dark leaf of three lobes that opens downwards from (x, y), and a spike of flowers that stands up. */
export const paulownia = (x, y, scale = 1, turn = 0, fill = DARK_GREEN) =>
  at(x, y,
    shape("M0 0C5 -3 16 -3 19 4C21 10 17 15 13 16C14 22 8 31 0 34" +
      "C-8 31 -14 22 -13 16C-17 15 -21 10 -19 4C-16 -3 -5 -3 0 0Z", fill, 0.9) +
    line("M0 3V28M0 5L13 9M0 5L-13 9M0 14L7 20M0 14L-7 20", PAPER, 1.1), turn, scale);
export const spike = (x, y, flowers = 4, fill = VIOLET) =>
  line(`M${x} ${y}V${y - flowers * 6 - 3}`, BROWN, 1.3) +
  each(flowers, (i) => {
    const wide = 5.4 - i * 0.8;
    return oval(x - wide, y - 5 - i * 6, 3, 3.4, fill, 0.7) + oval(x + wide, y - 5 - i * 6, 3, 3.4, fill, 0.7);
  }) + oval(x, y - flowers * 6 - 4, 2.8, 3.6, fill, 0.7);

/** A bare branch. */
export const branch = (d, width = 3.4) => line(d, INK, width + 1.2) + line(d, BROWN, width - 0.6);
