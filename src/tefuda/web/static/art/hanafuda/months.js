// The pictures of the twelve months, each month's four cards with the most precious first, without their rims.

import {
  BROWN, DARK_GREEN, GREEN, INK, ORANGE, RED, WHITE, YELLOW,
  at, box, disc, each, line, shape,
} from "../svg.js";
import {
  blade, branch, bud, cherry, chrysanthemum, clover, grass, hill, iris, leaf, leaves, lobed, maple, paulownia, peony,
  pine, plum, spike, willow, wisteria,
} from "./plants.js";
import {
  boar, bolt, bridge, butterfly, crane, crescent, cuckoo, cup, curtain, deer, drum, frog, goose, phoenix, rainMan,
  ribbon, stream, swallow, warbler,
} from "./figures.js";

/** The same thing at some places; each place is what the drawing function is given. */
const some = (drawn, ...places) => places.map((place) => drawn(...place)).join("");

const laid = (sort) => at(33, 54, ribbon(sort), 8);

const JANUARY = [
  disc(27, 30, 20, RED, 1.4) + some(pine, [58, 24, 17, -20], [4, 106, 20], [62, 106, 20], [33, 110, 20]) +
    at(35, 65, crane, 0, 0.94),
  branch("M-2 96C20 84 46 56 66 16") + some(pine, [12, 32, 19, -20], [54, 36, 19, 20], [10, 92, 20, -10],
    [54, 92, 20, 10]) + laid("good"),
  branch("M-2 104C24 86 44 56 60 4") + branch("M38 60L14 44M24 82L52 84", 2.4) +
    some(pine, [48, 26, 20, 10], [16, 44, 20, -15], [50, 66, 19, 15], [18, 82, 20, -10], [50, 102, 18, 5]),
  branch("M68 104C44 88 22 60 4 4") + branch("M26 58L52 46M40 80L14 88", 2.4) +
    some(pine, [18, 24, 19, -10], [48, 44, 21, 15], [16, 64, 19, -20], [50, 80, 19, 10], [18, 100, 20, -5]),
];

const FEBRUARY = [
  branch("M-2 100L22 84L29 61L68 54") + branch("M22 84L14 62L18 46", 2.4) +
    some(plum, [14, 94, 11], [50, 90, 12], [12, 58, 10]) + some(bud, [50, 66], [34, 80]) + at(34, 34, warbler, 0, 1.05),
  branch("M-2 100L20 78L46 70L50 36L64 4") +
    some(plum, [13, 20, 12], [54, 26, 12], [12, 56, 11], [54, 64, 12], [15, 92, 12]) +
    bud(48, 92) + laid("good"),
  branch("M68 102L40 84L30 56L46 28L42 -2") + branch("M30 56L8 36L8 14", 2.4) +
    some(plum, [14, 26, 12], [46, 24, 12], [26, 56, 12], [54, 58, 11], [42, 88, 12], [14, 86, 11]) +
      some(bud, [30, 10], [58, 78]),
  branch("M-2 100L24 82L22 48L44 26L68 18") + branch("M24 82L50 66L58 40", 2.4) +
    some(plum, [18, 20, 11], [48, 24, 12], [18, 52, 12], [48, 62, 12], [20, 86, 12], [52, 94, 11]) +
      some(bud, [33, 38], [58, 42]),
];

const BROWN_LEAVES = [[8, 34, -30], [60, 34, 30], [33, 30, 0], [4, 66, -60], [62, 66, 60], [33, 66, 10], [33, 96, 0]];
const twigs = BROWN_LEAVES.map(([x, y, turn]) => at(x, y, leaf(14, 4, BROWN), turn)).join("");
const MARCH = [
  curtain(56) +
    some(cherry, [10, 14, 13], [34, 12, 13, 20], [58, 16, 13, 40], [8, 40, 12, 50], [32, 38, 14, 30], [56, 42, 13]),
  twigs + some(cherry, [13, 17, 14], [54, 19, 14, 30], [11, 49, 13, 20], [56, 52, 13], [13, 85, 15, 40],
    [53, 87, 15, 10]) + laid("yoshino"),
  twigs + some(cherry, [16, 18, 15], [49, 20, 14, 30], [31, 46, 15, 10], [58, 54, 12, 40], [9, 66, 13, 20],
    [40, 78, 15], [14, 96, 14, 30], [60, 98, 12]),
  twigs + some(cherry, [33, 18, 15], [8, 36, 13, 30], [57, 38, 13, 10], [33, 54, 14, 40], [13, 78, 15, 20],
    [52, 78, 15], [33, 100, 13, 30]),
];

const TRELLIS = line("M-2 8C20 4 44 12 68 6", INK, 5) + line("M-2 8C20 4 44 12 68 6", BROWN, 3) +
  each(6, (i) => at(5 + i * 11, 8, leaf(13, 5, GREEN), i % 2 ? 150 : 200));
const APRIL = [
  at(36, 46, crescent, 0, 1.05) + some(wisteria, [9, 16, 7], [26, 14, 3], [42, 14, 2], [58, 16, 6]) + TRELLIS +
    at(30, 90, cuckoo, 0, 0.92),
  some(wisteria, [11, 16, 12, 0.1], [33, 16, 14], [55, 16, 12, -0.1]) + TRELLIS + laid("plain"),
  some(wisteria, [11, 16, 13, 0.1], [33, 16, 9], [55, 16, 14]) + TRELLIS,
  some(wisteria, [11, 16, 9, 0.2], [33, 16, 14], [55, 16, 11, -0.2]) + TRELLIS,
];

const MAY = [
  some(blade, [6, 66, 26, -2], [26, 66, 30, 3], [42, 66, 24, -2], [60, 66, 20, 2]) + iris(17, 26, 1.15) +
    iris(48, 32, 1.15) +
    stream(64, 44) + bridge(58),
  some(blade, [8, 108, 20, -2], [24, 108, 44, 2], [44, 108, 40, -2], [58, 108, 16, 2]) +
    some(iris, [15, 30, 1.05], [51, 36, 1.05], [14, 78, 0.95], [52, 84, 0.95]) + laid("plain"),
  some(blade, [8, 108, 14, -3], [22, 108, 40, -2], [36, 108, 52, 2], [47, 108, 36, 3], [58, 108, 10, 3]) +
    some(iris, [33, 28, 1.3], [17, 64, 1.1], [50, 72, 1.1]),
  some(blade, [8, 108, 24, -2], [20, 108, 12, 0], [33, 108, 44, 2], [46, 108, 8, 0], [58, 108, 30, 3]) +
    some(iris, [19, 32, 1.2], [48, 44, 1.2], [27, 80, 1.1]),
];

const BELOW = some(leaves, [12, 104, -24], [54, 104, 24], [33, 108, 0]);
const JUNE = [
  BELOW + peony(19, 80, 17) + peony(48, 88, 16) + at(23, 27, butterfly(YELLOW, RED), -15, 1.05) +
    at(45, 53, butterfly(ORANGE, INK), 20, 0.9),
  BELOW + some(leaves, [10, 56, -20], [56, 56, 20]) +
    some(peony, [15, 24, 18], [52, 28, 17], [13, 82, 17], [51, 86, 18]) +
    laid("blue"),
  BELOW + some(leaves, [12, 62, -30], [54, 62, 30], [12, 24, -60], [54, 24, 60]) + peony(33, 30, 23) +
    peony(33, 79, 22),
  BELOW + some(leaves, [12, 68, -40], [54, 44, 50], [58, 70, 40], [30, 24, 20]) + peony(24, 32, 22) + peony(42, 78, 22),
];

const bush = (bow) =>
  clover([33, 112], [2, 90], [10, 62 - bow]) + clover([33, 112], [14, 60], [20, 18 + bow]) +
  clover([33, 112], [50, 60], [46, 16 - bow / 2]) + clover([33, 112], [66, 92], [56, 58 + bow]);
const JULY = [
  clover([64, 66], [56, 20], [14, 12]) + clover([66, 68], [52, 36], [20, 42], 5) + line("M-2 104H68", DARK_GREEN, 10) +
    at(34, 80, boar, 0, 1.05),
  bush(0) + laid("plain"),
  bush(4),
  clover([-4, 112], [4, 60], [44, 14], 7) + clover([10, 112], [18, 76], [54, 48]) +
    clover([24, 112], [34, 96], [58, 82], 5) +
    clover([-6, 70], [0, 40], [14, 16], 5),
];

const AUGUST = [
  box(0, 0, 66, 108, RED) + disc(33, 35, 25, WHITE, 1.4) + hill(66),
  hill(74) + some((x, y) => at(x, y, goose, 0, 1.15), [23, 20], [46, 38], [22, 57]),
  hill(50) + some(grass, [14, 58, 20, -8], [28, 52, 12, 6], [40, 54, 24, 12]),
  hill(56) + some(grass, [24, 60, 14, -12], [36, 58, 22, 14], [50, 68, 40, 10]),
];

const LOBED = some(lobed, [12, 108, -14], [54, 108, 14], [33, 110, 0]);
const SEPTEMBER = [
  LOBED + chrysanthemum(18, 80, 17) + chrysanthemum(48, 88, 16) + at(33, 34, cup, 0, 1.2),
  LOBED + some(lobed, [10, 66, -30], [56, 66, 30]) +
    some(chrysanthemum, [15, 24, 18], [52, 28, 17], [13, 82, 17], [52, 86, 18]) + laid("blue"),
  LOBED + some(lobed, [12, 64, -40], [54, 64, 40]) + chrysanthemum(33, 30, 23) + chrysanthemum(33, 79, 21),
  LOBED + some(lobed, [48, 36, 50], [16, 74, -50]) + chrysanthemum(24, 32, 21) + chrysanthemum(42, 78, 22),
];

const OCTOBER = [
  some(maple, [17, 16, 17, -10], [50, 16, 17, 20, ORANGE], [60, 46, 14, 40], [12, 84, 13, 20, ORANGE]) +
    line("M-2 105H68", DARK_GREEN, 8) + at(37, 70, deer, 0, 1),
  some(maple, [14, 20, 19, -20], [53, 24, 18, 20, ORANGE], [11, 54, 15, 10, YELLOW], [56, 58, 16, -10],
    [14, 86, 18, 30, ORANGE],
    [52, 90, 18, -20]) + laid("blue"),
  some(maple, [18, 20, 20, -20], [50, 30, 17, 20, ORANGE], [26, 54, 19, 5], [54, 66, 16, 40, YELLOW],
    [14, 86, 17, -30, ORANGE],
    [43, 92, 19, 15]),
  some(maple, [45, 20, 20, 20], [14, 34, 17, -20, YELLOW], [44, 56, 20, -5, ORANGE], [14, 68, 16, 10], [50, 92, 18, 30],
    [22, 94, 17, -20, ORANGE]),
];

const falling = (...feet) => each(feet.length, (i) =>
  willow(5 + (i * 56) / (feet.length - 1), -2, feet[i], i % 2 ? -3 : 3));
const NOVEMBER = [
  falling(56, 30, 20, 24, 60) + stream(90, 18) + shape("M20 108C22 94 40 90 66 92V108Z", GREEN, 1.4) +
    at(35, 63, rainMan, 0, 0.96) + at(12, 91, frog),
  falling(102, 46, 34, 44, 92) + at(29, 70, swallow, 0, 0.92),
  falling(98, 82, 102, 84, 104) + laid("plain"),
  box(0, 0, 66, 108, RED) + falling(70, 46, 30, 40, 76) + at(35, 56, bolt, 0, 1.15) + at(16, 88, drum),
];

const LEAVES = some(paulownia, [12, 74, 0.95, 14], [54, 74, 0.95, -14], [33, 68, 1.15]);
const DECEMBER = [
  at(31, 45, phoenix, 0, 0.93) + some(paulownia, [12, 80, 0.9, 14], [54, 80, 0.9, -14], [33, 75, 1.05]),
  box(0, 0, 66, 108, YELLOW) + some(spike, [14, 64, 5], [52, 64, 5], [33, 56, 6]) + LEAVES,
  some(spike, [14, 64, 5], [52, 64, 5], [33, 56, 6]) + LEAVES,
  some(spike, [12, 58, 5], [38, 54, 6], [58, 64, 5]) + some(paulownia, [50, 76, 1, -10], [18, 66, 1.1, 10]) +
    paulownia(36, 76, 0.9),
];

export const MONTHS = [
  JANUARY, FEBRUARY, MARCH, APRIL, MAY, JUNE, JULY, AUGUST, SEPTEMBER, OCTOBER, NOVEMBER, DECEMBER,
];
