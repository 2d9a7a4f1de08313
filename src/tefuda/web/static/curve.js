// The curve of the expected result over the decisions, as a drawing that is worked by mouse and by arrow keys.

import { h, s } from "./dom.js";
import { say, signed } from "./words.js";

const WIDTH = 720, HEIGHT = 200, LEFT = 46, RIGHT = 14, TOP = 14, BOTTOM = 24;

/**
 * @param {{curve: [number, number][], mistakes: Set<number>, chosen: number, choose: (turn: number) => void, digits: number}} given
 */
export function curveElement({ curve, mistakes, chosen, choose, digits }) {
  if (curve.length < 2) return h("div", { class: "curve curve--empty" });
  const values = curve.map(([, value]) => value), low = Math.min(0, ...values), high = Math.max(0, ...values), span = high - low || 1;
  const x = (place) => LEFT + (place * (WIDTH - LEFT - RIGHT)) / (curve.length - 1);
  const y = (value) => TOP + ((high - value) * (HEIGHT - TOP - BOTTOM)) / span;
  const path = curve.map(([, value], place) => `${place ? "L" : "M"}${x(place).toFixed(1)} ${y(value).toFixed(1)}`).join("");
  const area = `${path}L${x(curve.length - 1).toFixed(1)} ${y(0)}L${LEFT} ${y(0)}Z`;
  const place = Math.max(0, curve.findIndex(([turn]) => turn === chosen));
  const step = (by) => choose(curve[Math.max(0, Math.min(curve.length - 1, place + by))][0]);
  const drawing = s("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "curve__drawing", "aria-hidden": "true", preserveAspectRatio: "none" },
    s("path", { d: area, class: "curve__area" }),
    s("line", { x1: LEFT, x2: WIDTH - RIGHT, y1: y(0), y2: y(0), class: "curve__zero" }),
    s("path", { d: path, class: "curve__line" }),
    s("line", { x1: x(place), x2: x(place), y1: TOP, y2: HEIGHT - BOTTOM, class: "curve__here" }));
  const points = curve.map(([turn, value], number) => h("span", { class: mistakes.has(turn) ? "curve__mistake" : "curve__point", css: { left: `${(100 * x(number)) / WIDTH}%`, top: `${(100 * y(value)) / HEIGHT}%` }, "aria-hidden": "true" }));
  const labels = [high, 0, low].filter((value, number, all) => all.findIndex((other) => Math.abs(y(other) - y(value)) < 14) === number);
  const words = (number) => `${say("decision", { number: number + 1, of: curve.length })}: ${signed(curve[number][1], digits)}`;
  return h("div", {
    class: "curve", role: "slider", tabindex: "0", "aria-label": say("curve"), "aria-valuemin": "1", "aria-valuemax": String(curve.length), "aria-valuenow": String(place + 1), "aria-valuetext": words(place), title: say("curveAbout"),
    onkeydown: (event) => {
      const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1, Home: -curve.length, End: curve.length, PageUp: 10, PageDown: -10 }[event.key];
      if (by) {
        event.preventDefault();
        step(by);
      }
    },
    onpointerdown: (event) => {
      const box = event.currentTarget.getBoundingClientRect(), share = ((event.clientX - box.left) / box.width) * WIDTH;
      const number = Math.round(((share - LEFT) / (WIDTH - LEFT - RIGHT)) * (curve.length - 1));
      choose(curve[Math.max(0, Math.min(curve.length - 1, number))][0]);
    },
  }, drawing, points, labels.map((value) => h("span", { class: "curve__label", css: { top: `${(100 * y(value)) / HEIGHT}%` }, "aria-hidden": "true" }, signed(value, digits))));
}
