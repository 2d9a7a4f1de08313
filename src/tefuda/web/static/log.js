// What happened, in words, newest last.

import { fill, h } from "./dom.js";
import { linesOf } from "./notes.js";
import { told } from "./words.js";

const MOST = 400;

export class Log {
  constructor() {
    this.entries = []; // {turn, seat, name, lines, results}
  }

  /** All that happened before this page was opened. */
  begin(entries) {
    this.entries = entries.slice(-MOST).map((entry) => ({ ...entry, lines: entry.lines ?? [], results: entry.results ?? [] }));
  }

  /** Add what a scene says was just done, once. */
  add(scene) {
    this.names = scene.seats?.map((seat) => seat.name) ?? this.names;
    this.fresh = [];
    (scene.said ?? []).forEach((each) => {
      const turn = scene.turn, name = each.seat !== null && each.seat !== undefined ? scene.seats?.[each.seat]?.name : null;
      if (!each.lines?.length && !each.results?.length) return; // nothing that the reader may hear
      this.fresh.push({ turn, seat: each.seat ?? null, name, lines: each.lines ?? [], results: each.results ?? [] });
    });
    this.entries = [...this.entries, ...this.fresh].slice(-MOST);
  }

  /** The words of what was added last, for a screen reader. */
  lastLines() {
    return (this.fresh ?? []).map((entry) => `${this.#who(entry)}${[...linesOf(entry.lines), ...linesOf(entry.results)].join(". ")}`).join(". ");
  }

  #who(entry) {
    const name = entry.name ?? this.names?.[entry.seat];
    return name ? `${told(name)}: ` : "";
  }

  /** How the last round or the game ended. */
  lastResults() {
    return this.entries.findLast((entry) => entry.results.length)?.results ?? [];
  }

  element(scene) {
    this.names = scene?.seats?.map((seat) => seat.name) ?? this.names;
    const list = h("ol", { class: "log", tabindex: "0" });
    fill(list, this.entries.map((entry) => h("li", { class: entry.results.length ? "log__entry log__entry--result" : "log__entry", data: { seat: entry.seat ?? "" } },
      h("span", { class: "log__who" }, this.#who(entry).replace(": ", "")),
      h("span", { class: "log__lines" }, linesOf(entry.lines).map((line) => h("span", {}, line))),
      entry.results.length > 0 && h("span", { class: "log__results" }, linesOf(entry.results).map((line) => h("span", {}, line))))));
    return list;
  }
}
