// The review of a game: the curve, the mistakes, the table at the chosen decision with the values of its moves.

import { ask } from "./api.js";
import { announce, toast } from "./announce.js";
import { homeLink } from "./bar.js";
import { languageButtons, settingsDialog } from "./choices.js";
import { Connection } from "./connection.js";
import { curveElement } from "./curve.js";
import { fill, h } from "./dom.js";
import { barsElement, digitsFor } from "./hint.js";
import { tableElement } from "./layout.js";
import { Exercises } from "./retry.js";
import { onSettings } from "./settings.js";
import { say, signed, told } from "./words.js";

export class ReviewScreen {
  /** @param {HTMLElement} root @param {{id: string, turn?: string}} where */
  constructor(root, { id, turn }) {
    this.root = root;
    this.id = id;
    this.chosen = turn === undefined ? null : Number(turn);
    this.scenes = new Map(); // by turn: what the server told of a decision
    this.parts = Object.fromEntries(["head", "summary", "curve", "mistakes", "board", "values"].map((name) => [name, h("div", { class: `review__${name}` })]));
    this.bar = h("header", { class: "bar" });
    const { head, summary, board, values, curve, mistakes } = this.parts;
    fill(root, this.bar, h("main", { class: "review" }, board, h("div", { class: "review__side" }, h("div", { class: "review__about" }, head, summary), values), curve, mistakes));
    this.unlisten = onSettings(() => this.draw());
    this.connection = new Connection(`/ws/reviews/${encodeURIComponent(id)}`, {
      hello: () => null, message: (message) => this.#message(message), state: () => {},
    });
    this.draw();
  }

  end() {
    this.ended = true;
    this.unlisten();
    this.connection.close();
  }

  #message(message) {
    const { data } = this;
    if (message.type === "review") this.data = message;
    else if (message.type === "decision" && data) {
      const decisions = data.decisions.filter((each) => each.turn !== message.decision.turn);
      this.data = { ...data, ...message, decisions: [...decisions, message.decision].sort((one, two) => one.turn - two.turn) };
      this.scenes.delete(message.decision.turn);
    } else if (message.type === "progress" && data) this.data = { ...data, ...message };
    else if (message.type === "gone" || message.type === "refused") return this.#trouble(told(message.why));
    if (!this.data) return;
    if (this.data.state === "failed") this.#trouble(told(this.data.why));
    if (this.data.state === "done" || this.data.finished) {
      if (!this.announced) announce(say("reviewDone", { count: this.mistakes.length }));
      this.announced = true;
      this.connection.close();
    }
    if (this.threshold === undefined && typeof this.data.threshold === "number") this.threshold = this.data.threshold;
    if (this.chosen === null && this.data.decisions?.length) this.choose(this.data.decisions[0].turn, false);
    this.#drawSoon();
  }

  #trouble(words) {
    fill(this.parts.head, h("p", { class: "notice" }, words));
    this.connection.close();
  }

  #drawSoon() {
    if (this.waiting) return;
    this.waiting = true;
    setTimeout(() => {
      this.waiting = false;
      this.draw();
    }, 120);
  }

  /** Losses whose whole interval lies above the threshold, the worst first. */
  get mistakes() {
    return (this.data?.decisions ?? []).filter((each) => !each.forced && each.loss[1] > (this.threshold ?? 0)).sort((one, two) => two.loss[0] - one.loss[0]);
  }

  get digits() {
    return digitsFor((this.data?.decisions ?? []).flatMap((each) => [each.value[0], each.loss[0]]));
  }

  choose(turn, draw = true) {
    this.chosen = turn;
    this.exercises = null;
    if (draw) this.draw();
  }

  async #sceneOf(turn) {
    if (this.scenes.has(turn)) return this.scenes.get(turn);
    const found = await ask(`/api/reviews/${encodeURIComponent(this.id)}/scenes/${turn}`);
    this.scenes.set(turn, found);
    return found;
  }

  // What is drawn

  draw() {
    if (this.ended) return;
    document.title = `${say("review")} · tefuda`;
    fill(this.bar, homeLink(), h("div", { class: "bar__game" }, h("h1", {}, say("reviewing"))), h("div", { class: "bar__tools" }, languageButtons(),
      h("button", { type: "button", class: "icon-button", "aria-label": say("settings"), title: say("settings"), onclick: settingsDialog }, "⚙")));
    if (!this.data) return;
    this.#keepingFocus(() => {
      fill(this.parts.head, this.#head());
      fill(this.parts.summary, this.#summary());
      fill(this.parts.curve, curveElement({ curve: this.data.curve ?? [], mistakes: new Set(this.mistakes.map((each) => each.turn)), chosen: this.chosen, choose: (turn) => this.choose(turn), digits: this.digits }));
      fill(this.parts.mistakes, this.#list());
    });
    this.#drawDecision();
  }

  #keepingFocus(act) {
    const part = Object.values(this.parts).find((each) => each.contains(document.activeElement));
    const place = part ? [...part.querySelectorAll("button, input, [tabindex]")].indexOf(document.activeElement) : -1;
    act();
    if (place >= 0) [...part.querySelectorAll("button, input, [tabindex]")][place]?.focus({ preventScroll: true });
  }

  #head() {
    const { data } = this, going = data.state !== "done" && data.of && data.done < data.of && !data.finished;
    return [
      h("p", { class: "quiet" }, say("judge", { player: data.judge?.player ?? "", worlds: data.judge?.worlds ?? "" })),
      going && h("div", { class: "progress" }, h("progress", { max: data.of, value: data.done, "aria-label": say("progressLabel") }), h("span", { class: "quiet" }, data.waiting ? say("progressWaiting", { count: data.waiting }) : `${Math.round((100 * data.done) / data.of)} %`)),
    ];
  }

  #summary() {
    const { data, digits } = this, triple = ([mean, low, high]) => [signed(mean, digits), h("small", {}, ` ± ${((high - low) / 2).toFixed(digits)}`)];
    const figure = (name, value) => h("div", { class: "figure" }, h("dt", {}, name), h("dd", {}, value));
    return [
      h("dl", { class: "figures" }, figure(`${say("resultIs")} (${told(data.unit)})`, signed(data.result ?? 0, digits)),
        data.skill && figure(say("skill"), triple(data.skill)), data.luck && figure(say("luck"), triple(data.luck))),
      h("p", { class: "quiet" }, say("skillAbout")),
      h("div", { class: "review__ways" },
        h("button", { type: "button", class: "button button--main", disabled: !this.mistakes.length, onclick: () => this.#retry() }, say("retry")),
        h("a", { class: "button", href: `/api/exports/reviews/${encodeURIComponent(this.id)}`, download: "review.html" }, say("saveFile"))),
    ];
  }

  #list() {
    const { data, mistakes, digits } = this, most = Math.max(1e-9, ...data.decisions.map((each) => each.loss[0]));
    return [
      h("h2", {}, `${say("mistakes")} (${mistakes.length})`),
      h("div", { class: "threshold" }, h("label", { for: "threshold" }, say("threshold")),
        h("input", { id: "threshold", type: "range", min: 0, max: most, step: most / 100, value: this.threshold ?? 0, oninput: (event) => {
          this.threshold = Number(event.target.value);
          this.#drawSoon();
        } }), h("output", { for: "threshold" }, (this.threshold ?? 0).toFixed(digits))),
      h("p", { class: "quiet" }, say("mistakesAbove", { threshold: (this.threshold ?? 0).toFixed(digits) })),
      mistakes.length ? h("ol", { class: "mistakes" }, mistakes.map((each) => h("li", {}, h("button", { type: "button", class: "mistake", "aria-current": each.turn === this.chosen ? "true" : null, onclick: () => this.choose(each.turn) },
        h("span", { class: "mistake__loss" }, `−${each.loss[0].toFixed(digits)}`),
        h("span", { class: "mistake__moves" }, h("span", {}, told(each.name)), h("span", { class: "mistake__better" }, `→ ${told(each.best.name)}`)),
        h("small", {}, say("interval", { low: each.loss[1].toFixed(digits), high: each.loss[2].toFixed(digits) })))))) : h("p", {}, say("mistakesNone")),
    ];
  }

  async #drawDecision() {
    if (this.exercises) return this.exercises.draw();
    const { chosen, data } = this;
    if (chosen === null) return fill(this.parts.values, h("p", { class: "quiet" }, say("loading")));
    let found;
    try {
      found = await this.#sceneOf(chosen);
    } catch (problem) {
      return fill(this.parts.values, h("p", { class: "quiet" }, problem.message));
    }
    if (this.chosen !== chosen || this.exercises || this.ended) return;
    const decision = data.decisions.find((each) => each.turn === chosen) ?? found.decision;
    const turns = data.decisions.map((each) => each.turn), place = turns.indexOf(chosen);
    const go = (by) => place + by >= 0 && place + by < turns.length && this.choose(turns[place + by]);
    fill(this.parts.board, this.tableOf(found.scene, found.action));
    fill(this.parts.values,
      h("div", { class: "steps" }, h("button", { type: "button", class: "icon-button", "aria-label": say("previousTurn"), disabled: place <= 0, onclick: () => go(-1) }, "←"),
        h("span", {}, place >= 0 ? say("decision", { number: place + 1, of: turns.length }) : say("gameOver")),
        h("button", { type: "button", class: "icon-button", "aria-label": say("nextTurn"), disabled: place >= turns.length - 1, onclick: () => go(1) }, "→"),
        place >= 0 && h("button", { type: "button", class: "button button--quiet", onclick: () => this.#position(chosen) }, say("askPosition"))),
      decision?.forced && h("p", { class: "quiet" }, say("forced")),
      this.valuesOf(found, decision));
  }

  valuesOf(found, decision) {
    const names = new Map((found.scene.moves ?? []).map((move) => [move.action, move.name]));
    const values = found.values?.length ? found.values : decision?.moves ?? [];
    return [
      values.length ? barsElement(values, { moves: names, unit: found.unit ?? this.data.unit, played: found.action }) : null,
      (found.why ?? []).length > 0 && h("div", { class: "advice" }, h("h2", {}, say("why")), found.why.map((line) => h("p", {}, told(line)))),
    ];
  }

  tableOf(scene, action = null) {
    const drawn = h("div", { class: "felt felt--still" }, tableElement(scene));
    const move = scene.moves?.find((each) => each.action === action);
    if (move?.cards?.length === 1) drawn.querySelector(`.card[data-place="${move.place}"][data-card="${move.cards[0]}"]`)?.classList.add("is-selected");
    for (const id of move?.with ?? []) drawn.querySelector(`.card[data-place="${move.with_place}"][data-card="${id}"]`)?.classList.add("is-target");
    return drawn;
  }

  #retry() {
    this.exercises = new Exercises(this, this.mistakes.map((each) => each.turn), (turn) => this.#sceneOf(turn));
  }

  async #position(turn) {
    try {
      const { position } = await ask("/api/positions", { body: { review: this.id, turn } });
      location.hash = `#/position/${position}`;
    } catch (problem) {
      toast(problem.message);
    }
  }
}

