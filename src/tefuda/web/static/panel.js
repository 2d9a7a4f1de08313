// The side panel of a table, a drawer on a phone: hint, log, guide to the rules, unseen cards.

import { ask } from "./api.js";
import { fill, h, showDialog } from "./dom.js";
import { lang, say, told } from "./words.js";

const TABS = ["hint", "log", "guide", "unseen"];

export class Panel {
  /** @param {import("./table.js").TableScreen} table */
  constructor(table) {
    this.table = table;
    this.tab = "log";
    this.tabs = h("div", { class: "tabs", role: "tablist", onkeydown: (event) => this.#key(event) });
    this.body = h("div", { class: "panel__body", role: "tabpanel", id: "panel-body", tabindex: "0" });
    this.element = h("aside", { class: "panel", "aria-label": say("panel") },
      h("button", { type: "button", class: "panel__close icon-button", "aria-label": say("close"), onclick: () => this.close() }, "✕"), this.tabs, this.body);
  }

  open(tab) {
    this.tab = tab;
    this.element.classList.add("is-open");
    if (tab === "hint") this.table.hints.ask();
    this.draw();
  }

  close() {
    this.element.classList.remove("is-open");
  }

  #key(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    this.tab = TABS[(TABS.indexOf(this.tab) + step + TABS.length) % TABS.length];
    this.draw();
    this.tabs.querySelector("[aria-selected=true]").focus();
  }

  drawIf(tab) {
    if (this.tab === tab) this.draw();
  }

  draw() {
    const focused = Boolean(document.activeElement?.closest?.(".tabs"));
    fill(this.tabs, TABS.map((tab) => h("button", {
      type: "button", role: "tab", id: `tab-${tab}`, "aria-controls": "panel-body", "aria-selected": String(tab === this.tab), tabindex: tab === this.tab ? "0" : "-1",
      onclick: () => (tab === "hint" && this.tab !== tab ? this.open(tab) : ((this.tab = tab), this.draw())),
    }, say(`tab_${tab}`))));
    if (focused) this.tabs.querySelector("[aria-selected=true]").focus();
    this.body.setAttribute("aria-labelledby", `tab-${this.tab}`);
    const active = this.body.contains(document.activeElement) ? [...this.body.querySelectorAll("button, input, select")].indexOf(document.activeElement) : -1;
    const bottom = this.body.scrollHeight - this.body.scrollTop - this.body.clientHeight < 40;
    fill(this.body, this.#content());
    if (active >= 0) this.body.querySelectorAll("button, input, select")[active]?.focus();
    if (this.tab === "log" && bottom) this.body.scrollTop = this.body.scrollHeight;
  }

  #content() {
    const { table } = this;
    if (this.tab === "hint") return table.hints.element();
    if (this.tab === "log") return table.log.element(table.scene);
    if (this.tab === "guide") return this.#guide();
    return this.#unseen();
  }

  #guide() {
    const { game, info } = this.table, key = lang();
    if (!this.guide || this.guide.lang !== key) {
      this.guide = { lang: key, lines: null };
      const query = new URLSearchParams({ game: game?.name ?? "", ...(info?.preset ? { rules: info.preset } : {}) });
      for (const [option, value] of Object.entries(info?.options ?? {})) query.append("changed", `${option}=${value}`);
      ask(`/api/guide?${query}`).then(({ lines }) => { this.guide.lines = lines; }, (problem) => { this.guide.lines = [problem.message]; }).finally(() => this.drawIf("guide"));
    }
    return h("div", { class: "guide" }, this.guide.lines ? this.guide.lines.map((line) => h("p", {}, told(line))) : h("p", { class: "quiet" }, say("loading")));
  }

  #unseen() {
    const turn = this.table.scene?.turn;
    if (this.table.watches) return h("p", { class: "quiet" }, say("unseenWatching"));
    if (turn !== undefined && this.unseenOf !== turn) {
      this.unseenOf = turn;
      this.table.connection.send({ type: "unseen", turn });
    }
    if (!this.unseen) return h("p", { class: "quiet" }, say("loading"));
    if (!this.unseen.length) return h("p", { class: "quiet" }, say("unseenNothing"));
    return h("dl", { class: "unseen-cards" }, this.unseen.map((group) => [h("dt", {}, told(group.name), h("b", {}, ` ${group.cards.length}`)), h("dd", {}, group.cards.map((card) => h("span", { class: "unseen-card" }, told(card))))]));
  }

  unseenTold({ groups }) {
    this.unseen = groups;
    this.drawIf("unseen");
  }

  showKeys() {
    const keys = ["arrows", "numbers", "letters", "enter", "escape", "h", "l", "g", "u", "b", "space", "help"];
    showDialog(say("keys"), h("dl", { class: "keys" }, keys.map((key) => [h("dt", {}, h("kbd", {}, say(`key_${key}`))), h("dd", {}, say(`does_${key}`))])), { label: say("close") });
  }
}
