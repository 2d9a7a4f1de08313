// Watching programs: step by step or running, with all hands open or one seat's view.

import { choice, h } from "./dom.js";
import { pauseTime, wayTime } from "./settings.js";
import { say, told } from "./words.js";

/** @param {import("./table.js").TableScreen} table */
export function watchElement(table) {
  const { scene } = table;
  if (scene.over) return null;
  const seconds = Math.min(30, Math.max(0.1, (pauseTime() + 2 * wayTime()) / 1000));
  return h("div", { class: "watch", role: "group", "aria-label": say("watching") },
    h("button", { type: "button", class: "button", onclick: () => table.send({ type: "step" }) }, "→ ", say("step")),
    h("button", { type: "button", class: "button", "aria-pressed": String(Boolean(table.runs)), onclick: () => {
      table.runs = !table.runs;
      table.send(table.runs ? { type: "play", pace: seconds } : { type: "pause" });
      table.draw(table.scene);
    } }, table.runs ? say("pause") : `▶ ${say("run")}`),
    choice(say("view"), [["", say("allHands")], ...scene.seats.map((seat, number) => [number, told(seat.name)])], scene.reader ?? "", (value) => {
      table.seen = null; // another view is another scene
      table.send({ type: "look", seat: value === "" ? null : Number(value) });
    }));
}
