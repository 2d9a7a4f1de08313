// Ask about a position (何切る): set it up from a deal and moves, exchange cards by hand, see what each move is worth.

import { ask, theLobby } from "./api.js";
import { toast } from "./announce.js";
import { homeLink, share } from "./bar.js";
import { languageButtons, settingsDialog } from "./choices.js";
import { Connection } from "./connection.js";
import { choice, fill, h } from "./dom.js";
import { onRecord } from "./dropping.js";
import { barsElement } from "./hint.js";
import { Input } from "./input.js";
import { tableElement } from "./layout.js";
import { buttonsElement } from "./prompt.js";
import { Moves } from "./scene.js";
import { onSettings } from "./settings.js";
import { say, told } from "./words.js";

export class PositionScreen {
  /** @param {HTMLElement} root @param {{id?: string}} where */
  constructor(root, { id }) {
    this.root = root;
    this.id = id;
    this.bar = h("header", { class: "bar" });
    this.board = h("div", { class: "review__board" });
    this.side = h("div", { class: "review__values" });
    this.main = h("main", { class: "position" });
    fill(root, this.bar, this.main);
    this.input = new Input({ root: this.board, play: (move) => this.#play(move), why: () => {}, shortcut: () => false });
    this.unlisten = onSettings(() => this.draw());
    this.undrop = onRecord(document.body);
    this.#load();
  }

  end() {
    this.ended = true;
    this.connection?.close();
    this.input.end();
    this.unlisten();
    this.undrop();
  }

  async #load() {
    try {
      this.lobby = await theLobby();
      if (this.id) this.#found(await ask(`/api/positions/${encodeURIComponent(this.id)}`));
    } catch (problem) {
      this.trouble = problem.message;
    }
    this.draw();
  }

  /** A position is there: its values stream from now on. */
  #found(position) {
    this.position = position;
    this.hint = null;
    this.connection?.close();
    this.connection = new Connection(`/ws/positions/${encodeURIComponent(position.position)}`, {
      hello: () => null,
      message: (message) => {
        if (message.type === "hint") this.hint = message;
        else if (message.why) this.trouble = told(message.why);
        if (message.type === "hint") this.#drawSide();
      },
      state: () => {},
    });
  }

  async #ask(body) {
    try {
      const found = await ask("/api/positions", { body });
      this.#found(found);
      history.replaceState(null, "", `#/position/${found.position}`);
      this.draw();
    } catch (problem) {
      toast(problem.message);
      this.draw();
    }
  }

  /** What the server needs to set the same position up again. */
  #source(changes) {
    const { game, preset, options, seed, deal, moves } = this.position;
    return { game, preset, options, ...(seed === undefined ? {} : { seed }), deal, moves, ...changes };
  }

  #play(move) {
    if (this.position.moves) this.#ask(this.#source({ moves: [...this.position.moves, move.action] }));
    else this.draw();
  }

  #exchange(out, come) {
    const exchanges = [...(this.position.exchanges ?? []), [out, come]];
    this.#ask(this.position.moves ? this.#source({ exchanges }) : { position: this.position.position, exchanges });
  }

  draw() {
    if (this.ended) return;
    document.title = `${say("position")} · tefuda`;
    fill(this.bar, homeLink(), h("div", { class: "bar__game" }, h("h1", {}, this.position ? told(this.position.title) : say("position")), this.position?.preset && h("span", { class: "bar__rules" }, this.position.preset)),
      h("div", { class: "bar__tools" }, languageButtons(), h("button", { type: "button", class: "icon-button", "aria-label": say("settings"), title: say("settings"), onclick: settingsDialog }, "⚙")));
    if (!this.position) return fill(this.main, this.trouble ? h("p", { class: "notice" }, this.trouble) : this.#form());
    const { scene } = this.position, moves = new Moves(scene);
    const felt = h("div", { class: "felt felt--still is-free" }, tableElement(scene));
    felt.classList.toggle("has-cards", moves.byCard.size > 0);
    fill(this.board, felt, moves.buttons.length > 0 && h("div", { class: "below" }, buttonsElement({ scene, input: { play: (move) => this.#play(move) } }, moves)));
    this.input.use(scene, moves);
    if (this.board.parentElement !== this.main) fill(this.main, this.board, this.side);
    this.#drawSide();
  }

  #drawSide() {
    if (!this.position || this.ended) return;
    const { position, hint } = this, names = new Map((position.scene.moves ?? []).map((move) => [move.action, move.name]));
    const place = [...this.side.querySelectorAll("button, select")].indexOf(document.activeElement);
    if (document.activeElement?.matches?.(".review__values select")) return; // a choice that is being made stays open
    fill(this.side,
      h("h2", {}, say("askValues")),
      h("div", { class: "review__ways" },
        h("button", { type: "button", class: "button button--main", onclick: () => share(`${location.origin}/#/position/${position.position}`) }, say("share")),
        position.moves?.length > 0 && h("button", { type: "button", class: "button", onclick: () => this.#ask(this.#source({ moves: position.moves.slice(0, -1) })) }, say("positionBack")),
        position.moves?.length > 0 && h("button", { type: "button", class: "button button--quiet", onclick: () => this.#ask(this.#source({ moves: [] })) }, say("reset")),
        h("a", { class: "button button--quiet", href: "#/position" }, say("anotherPosition"))),
      h("p", { class: "quiet" }, say("positionMoves")),
      this.trouble && h("p", { class: "notice" }, this.trouble),
      hint ? [h("p", { class: "quiet" }, say(hint.done ? "hintDone" : "hintGoing", { worlds: (hint.worlds ?? 0).toLocaleString("en-US"), adviser: hint.adviser ?? "" })),
        (hint.advice ?? []).length > 0 && h("div", { class: "advice" }, h("h2", {}, say("advice")), hint.advice.map((line) => h("p", {}, told(line)))),
        barsElement(hint.values ?? [], { moves: names, unit: hint.unit ?? position.unit })] : h("p", { class: "quiet" }, say("hintThinking")),
      position.can?.length > 0 && position.hand?.length > 0 && this.#hand());
    if (place >= 0) this.side.querySelectorAll("button, select")[place]?.focus();
  }

  /** A card of the hand for one that its seat has not seen. */
  #hand() {
    const { hand, table = [], can } = this.position, exchange = { out: hand[0].id, come: can[0].id };
    return h("details", { class: "options", open: this.exchanging, ontoggle: (event) => (this.exchanging = event.currentTarget.open) }, h("summary", {}, say("exchange")), h("div", { class: "deal" },
      choice(say("exchangeOut"), [...hand, ...table].map((card) => [card.id, told(card.name)]), exchange.out, (value) => (exchange.out = Number(value))),
      choice(say("exchangeIn"), can.map((card) => [card.id, told(card.name)]), exchange.come, (value) => (exchange.come = Number(value))),
      h("button", { type: "button", class: "button", onclick: () => this.#exchange(exchange.out, exchange.come) }, say("exchangeGo"))));
  }

  #form() {
    const games = this.lobby?.games ?? [];
    if (!games.length) return h("p", { class: "quiet", role: "status" }, say("loading"));
    this.wanted ??= { game: games[0].name, preset: games[0].presets?.[0]?.name ?? null, deal: this.lobby.today?.deal ?? 0 };
    const game = games.find((each) => each.name === this.wanted.game);
    return h("form", { class: "position__form", onsubmit: (event) => {
      event.preventDefault();
      this.#ask({ game: this.wanted.game, preset: this.wanted.preset, deal: this.wanted.deal, moves: [] });
    } },
    h("h2", {}, say("askPosition")), h("p", { class: "quiet" }, say("positionAbout")),
    choice(say("game"), games.map((each) => [each.name, told(each.title)]), this.wanted.game, (value) => {
      this.wanted = { ...this.wanted, game: value, preset: games.find((each) => each.name === value).presets?.[0]?.name ?? null };
      this.draw();
      this.main.querySelector("select")?.focus();
    }),
    (game.presets ?? []).length > 1 && choice(say("rules"), game.presets.map((each) => [each.name, each.name]), this.wanted.preset, (value) => (this.wanted.preset = value)),
    h("div", { class: "choice" }, h("label", { for: "position-deal" }, say("dealField")), h("input", { id: "position-deal", type: "number", min: 0, max: 1e15, value: this.wanted.deal, oninput: (event) => (this.wanted.deal = Math.max(0, Math.floor(Number(event.target.value) || 0))) })),
    h("div", {}, h("button", { type: "submit", class: "button button--main" }, say("positionGo"))));
  }
}
