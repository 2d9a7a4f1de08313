// The table screen: speaks with the server, shows turn after turn, and passes on what the reader does.

import { gameOf } from "./api.js";
import { Connection } from "./connection.js";
import { fill, h } from "./dom.js";
import { endElement } from "./end.js";
import { Hints } from "./hint.js";
import { Input } from "./input.js";
import { forgetTable, keepTable } from "./keep.js";
import { tableElement } from "./layout.js";
import { Log } from "./log.js";
import { pause, snapshot, travel } from "./motion.js";
import { Panel } from "./panel.js";
import { promptElement } from "./prompt.js";
import { Moves } from "./scene.js";
import { onSettings, pauseTime, settings } from "./settings.js";
import { announce, toast } from "./announce.js";
import { homeLink, tableBar } from "./bar.js";
import { watchElement } from "./watch.js";
import { say, told } from "./words.js";
import { togetherElement } from "./together.js";

export class TableScreen {
  /** @param {HTMLElement} root @param {{id: string, key: string}} where */
  constructor(root, { id, key }) {
    this.id = id;
    this.key = key;
    this.seen = null; // the last turn that the server has told
    this.scene = null; // what is drawn
    this.queue = []; // scenes that are not drawn yet
    this.people = [];
    this.lost = false;
    this.felt = h("div", { class: "felt" });
    this.below = h("div", { class: "below" });
    this.bar = h("header", { class: "bar" });
    this.notice = h("p", { class: "notice", role: "status", hidden: true });
    this.log = new Log();
    this.hints = new Hints(this);
    this.panel = new Panel(this);
    this.stage = h("main", { class: "stage" }, this.felt, this.below);
    this.body = h("div", { class: "room" }, this.stage, this.panel.element);
    fill(root, this.bar, this.notice, this.body);
    this.input = new Input({
      root: this.stage,
      play: (move, element) => this.play(move, element),
      why: (card, place) => this.send({ type: "why", turn: this.scene.turn, card, place }),
      shortcut: (pressed) => this.shortcut(pressed),
      preview: (moves) => this.#preview(moves),
    });
    this.unlisten = onSettings(() => this.scene && this.draw(this.scene));
    keepTable(id, key);
    this.connection = new Connection(`/ws/tables/${encodeURIComponent(id)}`, {
      hello: () => ({ key, seen: this.seen, lang: settings.lang }),
      message: (message) => this.#message(message),
      state: (state) => this.#state(state),
    });
  }

  end() {
    this.connection.close();
    this.input.end();
    this.hints.end();
    this.unlisten();
    this.ended = true;
  }

  get isMine() {
    return this.scene !== null && this.scene.reader !== null && this.scene.asked === this.scene.reader && !this.queue.length;
  }

  /** Whether the reader may move now. */
  get canPlay() {
    return this.isMine && !this.sent && !this.lost;
  }

  get watches() {
    return this.seat === null;
  }

  send(message) {
    if (!this.connection.send(message)) toast(say("notConnected"));
  }

  // What the server says

  #state(state) {
    this.lost = state === "lost";
    this.notice.hidden = !this.lost;
    if (this.lost) this.notice.textContent = say("connectionLost");
    if (state === "open") this.sent = null;
  }

  #message(message) {
    const answers = {
      turns: () => this.#turns(message), refused: () => this.#refused(message), hint: () => this.hints.told(message),
      result: () => this.#result(message), moved: () => (location.hash = `#/table/${message.table}/${message.key}`),
      gone: () => this.#gone(message), unseen: () => this.panel.unseenTold(message), why: () => toast(told(message.why)),
    };
    answers[message.type]?.();
  }

  async #turns(message) {
    this.people = message.seats ?? this.people;
    this.over = Boolean(message.over);
    this.sent = null;
    const turns = (message.turns ?? []).filter((each) => each.scene), last = turns.at(-1);
    this.info = { ...this.info, ...message, turns: undefined, log: undefined };
    if (!this.game && last) this.game = await gameOf(last.scene.game);
    if (this.seat === undefined && last) this.seat = last.scene.reader ?? null;
    if (message.from === null && last) return this.#anew(last, message.log ?? []);
    if (!last) return this.scene && !this.running && this.draw(this.scene);
    this.seen = last.turn;
    this.queue.push(...turns.map((each) => each.scene));
    this.#run();
  }

  /** The table as it stands: nothing of what was shown before follows. */
  #anew(last, log) {
    this.queue = [];
    this.skip = (this.skip ?? 0) + 1;
    this.seen = last.turn;
    this.log.begin(log);
    if (!last.scene.over) this.result = null;
    this.draw(last.scene);
  }

  /** Show what followed, one decision after another. */
  async #run() {
    if (this.running) return;
    this.running = true;
    const skip = this.skip;
    while (this.queue.length && this.skip === skip && !this.ended) {
      const scene = this.queue.shift();
      await this.#show(scene);
      if (this.queue.length && this.skip === skip) await pause(pauseTime());
    }
    this.running = false;
    if (this.queue.length) this.#run();
    else if (this.scene && !this.ended && this.free !== this.canPlay) this.draw(this.scene);
  }

  async #show(scene) {
    const before = snapshot(this.felt), lifted = this.lifted;
    this.lifted = null;
    this.log.add(scene);
    this.draw(scene);
    const lines = this.log.lastLines();
    if (lines) announce(lines);
    await travel(this.felt, before, scene, lifted);
  }

  #refused({ why }) {
    this.sent = null;
    toast(told(why));
    if (this.scene) this.draw(this.scene);
  }

  #result(message) {
    this.result = message;
    if (!this.queue.length && !this.running && this.scene) this.draw(this.scene);
  }

  #gone({ why }) {
    this.notice.hidden = false;
    this.notice.textContent = told(why);
    this.connection.close();
    if (this.scene) return;
    forgetTable(this.id); // there is nothing to come back to
    fill(this.bar, homeLink());
    fill(this.stage, h("p", { class: "stage__gone" }, h("a", { class: "button", href: "#/" }, say("backToLobby"))));
  }

  // What is drawn

  draw(scene) {
    if (!this.game || this.ended) return;
    const focused = document.activeElement?.dataset?.card !== undefined ? { ...document.activeElement.dataset } : null;
    const button = document.activeElement?.closest?.(".prompt__moves") ? document.activeElement.dataset.action : null;
    this.scene = scene;
    const moves = new Moves(scene), free = (this.free = this.canPlay);
    const drawn = tableElement(scene, { people: this.people });
    drawn.dataset.turn = scene.turn;
    fill(this.felt, drawn);
    this.felt.classList.toggle("is-free", free);
    this.felt.classList.toggle("has-cards", moves.byCard.size > 0);
    this.input.use(scene, free ? moves : null);
    fill(this.below, this.#below(scene, moves, free));
    fill(this.bar, tableBar(this));
    this.panel.draw();
    this.hints.scene(scene, free);
    document.title = `${free ? "● " : ""}${told(this.game.title)} · tefuda`;
    this.#focus(focused, button, free);
  }

  #below(scene, moves, free) {
    if (scene.over && !this.queue.length) return endElement(this);
    return [
      this.watches && watchElement(this),
      togetherElement(this),
      promptElement(this, moves, free),
    ];
  }

  /** Who plays by keyboard finds the focus where it was, or on the first card that can be played. */
  #focus(focused, button, free) {
    if (!free || (!focused && button === null && document.activeElement !== document.body)) return;
    const stops = this.input.stops();
    const same = focused && stops.find((each) => each.dataset.card === focused.card && each.dataset.place === focused.place);
    if (same) same.focus({ preventScroll: true });
    else if (focused || button !== null) stops[0]?.focus({ preventScroll: true });
  }

  #preview(moves) {
    const shown = this.below.querySelector(".prompt__preview");
    if (shown) shown.textContent = moves ? moves.map((move) => told(move.name)).join(" / ") : "";
  }

  // What the reader does

  play(move, element) {
    if (this.sent) return;
    this.sent = { turn: this.scene.turn, action: move.action };
    this.lifted = element?.matches?.(".card") ? element : null;
    this.felt.classList.remove("is-free");
    element?.classList.add("is-played");
    this.hints.stop();
    if (!this.connection.send({ type: "move", ...this.sent })) {
      this.sent = null;
      toast(say("notConnected"));
      this.draw(this.scene);
    }
  }

  takeBack() {
    if (this.scene) this.send({ type: "back", turn: this.scene.turn });
  }

  again(seat) {
    this.send({ type: "again", seat: seat ?? this.seat });
  }

  shortcut(pressed) {
    const keys = {
      h: () => this.panel.open("hint"), l: () => this.panel.open("log"), g: () => this.panel.open("guide"), u: () => this.panel.open("unseen"),
      b: () => this.takeBack(), "?": () => this.panel.showKeys(), " ": () => this.watches && this.send({ type: "step" }),
    };
    const found = keys[pressed];
    if (!found || (pressed === " " && (!this.watches || document.activeElement?.matches("button")))) return false;
    found();
    return true;
  }
}
