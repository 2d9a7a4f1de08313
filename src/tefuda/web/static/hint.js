// A hint: what each move loses against the best one, as a bar from 0 with its interval; equal moves in one group.

import { h } from "./dom.js";
import { setSetting, settings } from "./settings.js";
import { say, signed, told } from "./words.js";

/** So many digits that the largest of some figures can be read. */
export function digitsFor(figures) {
  const most = Math.max(0, ...figures.map(Math.abs));
  return most >= 100 ? 0 : most >= 10 ? 1 : 2;
}

/** A list of moves with their bars: for hints, reviews and positions. */
export function barsElement(values, { moves = new Map(), unit = "", played = null, choose = null } = {}) {
  const list = [...values].sort((one, two) => one.loss[0] - two.loss[0]);
  if (!list.length) return h("p", { class: "quiet" }, say("hintThinking"));
  const most = Math.max(...list.map((each) => each.loss[2]), 1e-9), digits = digitsFor(list.flatMap((each) => [each.value[0], each.loss[0]]));
  const row = (each) => {
    const [mean, low, high] = each.loss, share = (part) => `${Math.max(0, Math.min(100, (100 * part) / most))}%`;
    const words = each.equal ? say(each === list[0] ? "best" : "asGood") : say("loses", { loss: mean.toFixed(digits), low: Math.max(0, low).toFixed(digits), high: high.toFixed(digits) });
    const name = told(moves.get(each.action) ?? each.name ?? String(each.action));
    return h("li", { class: `bars__row${each.equal ? " is-equal" : ""}${each.action === played ? " is-own" : ""}` },
      h(choose ? "button" : "div", { class: "bars__move", ...(choose ? { type: "button", onclick: () => choose(each.action) } : {}) },
        h("span", { class: "bars__name" }, name, each.action === played && h("span", { class: "bars__tag" }, say("played"))),
        h("span", { class: "bars__value" }, signed(each.value[0], digits)),
        h("span", { class: "bars__bar", "aria-hidden": "true", css: { "--mean": share(mean), "--low": share(low), "--high": share(high) } }),
        h("span", { class: "bars__loss" }, each.equal ? words : `−${mean.toFixed(digits)}`, !each.equal && h("small", {}, ` (${Math.max(0, low).toFixed(digits)}–${high.toFixed(digits)})`))));
  };
  const equal = list.filter((each) => each.equal), others = list.filter((each) => !each.equal);
  return h("div", { class: "bars" },
    h("p", { class: "bars__unit quiet" }, say("lossIn", { unit: told(unit) || say("points") })),
    equal.length > 1 && h("h2", { class: "bars__head" }, say("bestGroup", { count: equal.length })), h("ol", {}, equal.map(row)),
    others.length > 0 && [h("h2", { class: "bars__head" }, say("worse")), h("ol", {}, others.map(row))]);
}

/** The hint of a table: asks for it, shows it in the panel and on the cards. */
export class Hints {
  /** @param {import("./table.js").TableScreen} table */
  constructor(table) {
    this.table = table;
    this.on = false;
    this.last = null;
  }

  end() {
    this.stop();
  }

  /** Who can advise under the rules of this table. */
  get advisers() {
    const { game, info } = this.table;
    return (game?.presets?.find((preset) => preset.name === info?.preset)?.advisers ?? []).map((name) => [name, name]);
  }

  /** Whether hints are given here at all: not where several people play each other. */
  get allowed() {
    return !this.table.watches && !this.table.info?.secret;
  }

  /** A new scene: an old hint is no longer true. */
  scene(scene, free) {
    if (this.last && this.last.turn !== scene.turn) this.last = null;
    this.free = free;
    const wanted = free && this.allowed && (settings.alwaysHint || this.asked === scene.turn);
    if (wanted && this.on !== scene.turn) this.ask();
    this.#mark();
  }

  get adviser() {
    return this.advisers.some(([name]) => name === settings.adviser) ? settings.adviser : null;
  }

  ask() {
    const { scene } = this.table;
    if (!this.free || !this.allowed) return;
    this.on = this.asked = scene.turn;
    this.table.send({ type: "hint", turn: scene.turn, adviser: this.adviser, on: true });
    this.table.panel.draw();
  }

  stop() {
    if (this.on !== false && this.table.scene && !this.table.lost) this.table.connection.send({ type: "hint", turn: this.table.scene.turn, adviser: this.adviser, on: false });
    this.on = false;
  }

  told(message) {
    if (message.turn !== this.table.scene?.turn) return; // of a table that has gone on
    this.last = message;
    this.table.panel.drawIf("hint");
    this.#mark();
  }

  /** A sign on each card that can be played: as good as the best, or what it loses. */
  #mark() {
    const { felt, scene } = this.table;
    for (const each of felt.querySelectorAll(".card__hint")) each.remove();
    if (!this.last || !this.free) return;
    const byCard = new Map();
    for (const value of this.last.values ?? []) {
      const move = scene.moves?.find((each) => each.action === value.action);
      if (move?.cards?.length !== 1) continue;
      const key = `${move.place}#${move.cards[0]}`;
      if (!byCard.has(key) || byCard.get(key).loss[0] > value.loss[0]) byCard.set(key, value);
    }
    const most = Math.max(...[...byCard.values()].map((each) => each.loss[0]), 1e-9);
    for (const element of felt.querySelectorAll("button.card")) {
      const value = byCard.get(`${element.dataset.place}#${element.dataset.card}`);
      if (value) element.append(h("span", { class: value.equal ? "card__hint is-equal" : "card__hint", css: { "--loss": String(value.loss[0] / most) }, "aria-hidden": "true" }, value.equal ? "✦" : ""));
    }
  }

  element() {
    const { scene } = this.table;
    const names = new Map((scene?.moves ?? []).map((move) => [move.action, move.name]));
    const advisers = [["", say("usualAdviser")], ...this.advisers];
    if (!this.allowed) return h("p", { class: "quiet" }, say(this.table.watches ? "hintWatching" : "hintTogether"));
    const message = this.last;
    return h("div", { class: "hint" },
      h("div", { class: "hint__tools" },
        h("button", { type: "button", class: "button", disabled: !this.free, onclick: () => this.ask() }, "✦ ", message ? say("hintMore") : say("askHint")),
        h("label", { class: "switch" }, h("input", { type: "checkbox", role: "switch", checked: settings.alwaysHint, onchange: (event) => setSetting("alwaysHint", event.target.checked) }),
          h("span", { class: "switch__track", "aria-hidden": "true" }), h("span", {}, say("alwaysHint")))),
      advisers.length > 1 && h("label", { class: "choice choice--line" }, h("span", {}, say("adviser")),
        h("select", { onchange: (event) => { setSetting("adviser", event.target.value); if (this.on !== false) this.ask(); } },
          advisers.map(([value, text]) => {
            const option = h("option", { value }, text);
            option.selected = value === settings.adviser;
            return option;
          }))),
      !this.free && h("p", { class: "quiet" }, scene?.over ? say("hintOver") : say("hintLater")),
      this.free && !message && this.on !== false && h("p", { class: "quiet" }, say("hintThinking")),
      message && [
        h("p", { class: "quiet", "aria-live": "off" }, say(message.done ? "hintDone" : "hintGoing", { worlds: (message.worlds ?? 0).toLocaleString("en-US"), adviser: message.adviser ?? "" })),
        (message.advice ?? []).length > 0 && h("div", { class: "advice" }, message.advice.map((line) => h("p", {}, told(line)))),
        barsElement(message.values ?? [], { moves: names, unit: message.unit, choose: this.free ? (action) => this.table.input.play(scene.moves.find((move) => move.action === action), null) : null }),
      ]);
  }
}
