// Results: ladders as tables to sort, and the pages that `reproduce` has made.

import { ask } from "./api.js";
import { homeLink } from "./bar.js";
import { languageButtons, settingsDialog } from "./choices.js";
import { fill, h } from "./dom.js";
import { onSettings } from "./settings.js";
import { say, told } from "./words.js";

export class ResultsScreen {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.root = root;
    this.sorted = new Map(); // of each ladder: the column, and whether it goes up
    this.unlisten = onSettings(() => this.draw());
    this.draw();
    ask("/api/results").then((found) => (this.found = found), (problem) => (this.trouble = problem.message)).then(() => this.draw());
  }

  end() {
    this.ended = true;
    this.unlisten();
  }

  draw() {
    if (this.ended) return;
    document.title = `${say("resultsPages")} · tefuda`;
    const { ladders = [], pages = [] } = this.found ?? {};
    fill(this.root, h("header", { class: "bar bar--lobby" }, homeLink(), h("div", { class: "bar__tools" }, languageButtons(),
      h("button", { type: "button", class: "icon-button", "aria-label": say("settings"), title: say("settings"), onclick: settingsDialog }, "⚙"))),
    h("main", { class: "lobby" }, h("h1", {}, say("resultsPages")),
      this.trouble && h("p", { class: "notice" }, this.trouble), !this.found && !this.trouble && h("p", { class: "quiet", role: "status" }, say("loading")),
      this.found && !ladders.length && !pages.length && h("p", {}, say("resultsNone")),
      pages.length > 0 && h("ul", { class: "links" }, pages.map((page) => h("li", {}, h("a", { href: page.href }, told(page.title))))),
      ladders.map((ladder, number) => this.#ladder(ladder, number))));
  }

  #ladder({ title, figure, rows }, number) {
    const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))], [by, up] = this.sorted.get(number) ?? [null, false];
    const shown = by === null ? rows : [...rows].sort((one, two) => (up ? 1 : -1) * compared(one[by], two[by]));
    const turn = (column) => {
      this.sorted.set(number, [column, by === column ? !up : false]);
      this.draw();
      document.getElementById(`sort-${number}-${columns.indexOf(column)}`)?.focus();
    };
    return h("section", {}, h("h2", {}, told(title)), figure && h("p", { class: "quiet" }, told(figure)),
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": told(title) }, h("table", { class: "ladder" },
        h("thead", {}, h("tr", {}, columns.map((column, place) => h("th", { scope: "col", "aria-sort": by === column ? (up ? "ascending" : "descending") : "none" },
          h("button", { type: "button", id: `sort-${number}-${place}`, "aria-label": say("sort", { column }), onclick: () => turn(column) }, column, by === column ? (up ? " ▲" : " ▼") : ""))))),
        h("tbody", {}, shown.map((row) => h("tr", {}, columns.map((column) => h("td", {}, written(row[column])))))))));
  }
}

const figureOf = (value) => (Array.isArray(value) ? value[0] : value);
const compared = (one, two) => {
  const [first, second] = [figureOf(one), figureOf(two)];
  return typeof first === "number" && typeof second === "number" ? first - second : String(first ?? "").localeCompare(String(second ?? ""));
};

function written(value) {
  if (Array.isArray(value) && value.length === 3 && value.every((each) => typeof each === "number")) return `${value[0].toFixed(2)} ± ${((value[2] - value[1]) / 2).toFixed(2)}`;
  if (typeof value === "number") return Number.isInteger(value) ? String(value) : value.toFixed(2);
  return told(value);
}
