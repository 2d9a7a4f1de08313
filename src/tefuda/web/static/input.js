// From a click, a tap, a drag or a key to a move. What a card would take is shown before it is played.

import { h, showDialog } from "./dom.js";
import { settings } from "./settings.js";
import { say, told } from "./words.js";
import { noteOf } from "./notes.js";

const DRAG_FROM = 9, LETTERS = "qwertyuiop";
export const letterOf = (place) => LETTERS[place] ?? "";

export class Input {
  /**
   * @param {{root: HTMLElement, play: (move: object, element: HTMLElement|null) => void, why: (card: number, place: string) => void, shortcut: (key: string) => boolean}} told
   */
  constructor(told) {
    this.told = told;
    this.moves = null;
    this.selected = null;
    this.listeners = [];
    this.#listen(told.root, "click", (event) => this.#click(event));
    this.#listen(told.root, "pointerover", (event) => event.pointerType === "mouse" && this.#preview(cardAt(event.target)));
    this.#listen(told.root, "pointerout", (event) => event.pointerType === "mouse" && !this.selected && this.#preview(null));
    this.#listen(told.root, "focusin", (event) => this.#preview(cardAt(event.target)));
    this.#listen(told.root, "pointerdown", (event) => this.#press(event));
    this.#listen(document, "keydown", (event) => this.#key(event));
  }

  #listen(target, type, listener) {
    target.addEventListener(type, listener);
    this.listeners.push(() => target.removeEventListener(type, listener));
  }

  end() {
    for (const stop of this.listeners) stop();
  }

  /** A new scene is on the table. */
  use(scene, moves) {
    this.scene = scene;
    this.moves = moves;
    for (const element of this.told.root.querySelectorAll("button.card")) {
      const { place, card } = element.dataset;
      element.classList.toggle("can-play", Boolean(moves?.of(place, Number(card)).length));
      element.classList.toggle("can-take", Boolean(moves?.taking(place, Number(card)).length));
    }
    this.select(null);
  }

  // What would happen

  #preview(element) {
    const shown = element ?? this.selected;
    for (const each of this.told.root.querySelectorAll(".is-target, .is-lifted")) each.classList.remove("is-target", "is-lifted");
    this.told.preview?.(null);
    if (!shown || !this.moves) return;
    const { place, card } = shown.dataset, moves = this.moves.of(place, Number(card));
    if (moves.length) {
      shown.classList.add("is-lifted");
      for (const move of moves) for (const id of move.with ?? []) this.#find(move.with_place, id)?.classList.add("is-target");
      this.told.preview?.(moves);
      return;
    }
    for (const move of this.moves.taking(place, Number(card))) this.#find(move.place, move.cards[0])?.classList.add("is-lifted");
  }

  #find(place, id) {
    return [...this.told.root.querySelectorAll(`.card[data-place="${place}"][data-card="${id}"]`)].at(-1);
  }

  select(element) {
    this.selected?.classList.remove("is-selected");
    this.selected = element;
    element?.classList.add("is-selected");
    this.#preview(element);
  }

  // A click or a tap

  #click(event) {
    const element = cardAt(event.target);
    if (!element || !this.moves) return;
    if (this.dragged) {
      this.dragged = false;
      return;
    }
    const { place, card } = element.dataset, own = this.moves.of(place, Number(card));
    const byTouch = event.pointerType === "touch" && settings.touch === "twice";
    if (own.length) {
      if (byTouch && this.selected !== element) this.select(element);
      else this.choose(own, element);
      return;
    }
    const taking = this.moves.taking(place, Number(card));
    if (taking.length) return this.#take(taking, element);
    if (element.matches("button")) this.told.why(Number(card), place);
  }

  /** A card that can be taken was chosen: by the selected card, or by the only one that takes it. */
  #take(moves, element) {
    const chosen = this.selected && moves.filter((move) => move.place === this.selected.dataset.place && move.cards[0] === Number(this.selected.dataset.card));
    if (chosen?.length === 1) return this.play(chosen[0], this.selected);
    if (moves.length === 1 && moves[0].place === "waiting") return this.play(moves[0], null);
    if (moves.length === 1) return this.select(this.#find(moves[0].place, moves[0].cards[0]));
    this.choose(moves, element);
  }

  /** Play the only move, or ask which one. */
  choose(moves, element) {
    if (moves.length === 1) return this.play(moves[0], element);
    const dialog = showDialog(say("chooseMove"), h("div", { class: "chooser" }, moves.map((move, place) =>
      h("button", { type: "button", class: "button", onclick: () => {
        dialog.close();
        this.play(move, element);
      } }, h("span", {}, told(move.name)), (move.notes ?? []).map((note) => noteOf(note, this.scene)), h("kbd", {}, String(place + 1))))), { label: say("close") });
    dialog.addEventListener("keydown", (event) => {
      const button = dialog.querySelectorAll(".chooser .button")[Number(event.key) - 1];
      if (button) button.click();
    });
  }

  play(move, element) {
    if (!this.moves) return;
    this.moves = null; // a second click changes nothing
    this.told.play(move, element);
  }

  // A drag

  #press(event) {
    const element = cardAt(event.target);
    this.dragged = false;
    if (!element || !this.moves || event.button !== 0 || !this.moves.of(element.dataset.place, Number(element.dataset.card)).length) return;
    const from = { x: event.clientX, y: event.clientY }, base = element.getBoundingClientRect();
    let copy = null;
    const move = (moved) => {
      const dx = moved.clientX - from.x, dy = moved.clientY - from.y;
      if (!copy && Math.hypot(dx, dy) > DRAG_FROM) {
        copy = h("div", { class: "travel travel--drag", "aria-hidden": "true" }, h("div", { class: "travel__card", css: { width: `${base.width}px`, height: `${base.height}px`, left: `${base.left}px`, top: `${base.top}px` } }, element.cloneNode(true)));
        document.body.append(copy);
        this.select(element);
        element.classList.add("is-dragged");
        element.setPointerCapture?.(moved.pointerId);
      }
      if (copy) copy.firstChild.style.setProperty("transform", `translate(${dx}px, ${dy}px) rotate(2deg)`);
    };
    const stop = (ended) => {
      for (const [type, listener] of [["pointermove", move], ["pointerup", stop], ["pointercancel", stop]]) removeEventListener(type, listener);
      if (!copy) return;
      copy.remove();
      element.classList.remove("is-dragged");
      this.dragged = true;
      setTimeout(() => (this.dragged = false), 0);
      if (ended.type === "pointerup") this.#drop(element, ended);
    };
    for (const [type, listener] of [["pointermove", move], ["pointerup", stop], ["pointercancel", stop]]) addEventListener(type, listener);
  }

  #drop(element, { clientX, clientY }) {
    const under = document.elementsFromPoint(clientX, clientY), own = element.closest(".zone");
    if (!this.moves || under.includes(own) || !under.some((each) => each.matches?.(".table"))) return this.select(null);
    const moves = this.moves.of(element.dataset.place, Number(element.dataset.card));
    const onto = under.map(cardAt).find((each) => each && each !== element);
    const fitting = onto ? moves.filter((move) => move.with_place === onto.dataset.place && (move.with ?? []).includes(Number(onto.dataset.card))) : [];
    this.choose(fitting.length ? fitting : moves, element);
  }

  // Keys

  #key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (event.target.closest?.("input, select, textarea, [role=tablist], [role=slider]")) return;
    const ways = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 };
    if (event.key in ways) this.#step(ways[event.key], event.key === "ArrowUp" || event.key === "ArrowDown") && event.preventDefault();
    else if (/^[0-9]$/.test(event.key)) this.#number((Number(event.key) + 9) % 10);
    else if (LETTERS.includes(event.key) && this.#button(LETTERS.indexOf(event.key))) event.preventDefault();
    else if (event.key === "Escape") this.select(null);
    else if (this.told.shortcut(event.key)) event.preventDefault();
  }

  /** All that can be chosen now, in the order of the screen. */
  stops() {
    if (!this.moves) return [];
    return [...this.told.root.querySelectorAll("button.card.can-play, button.card.can-take"), ...this.told.root.querySelectorAll(".prompt__moves button")];
  }

  #step(by, rows) {
    const stops = this.stops();
    if (!stops.length) return false;
    const place = stops.indexOf(document.activeElement);
    const zone = (each) => each.closest(".zone, .prompt__moves");
    let next = place < 0 ? (by > 0 ? 0 : stops.length - 1) : (place + by + stops.length) % stops.length;
    if (rows && place >= 0) {
      const count = stops.length;
      for (let tried = 0; tried < count && zone(stops[next]) === zone(stops[place]); tried += 1) next = (next + by + count) % count;
    }
    stops[next].focus();
    return true;
  }

  /** The number of a card selects it; the same number again plays it. */
  #number(place) {
    const element = this.stops().filter((each) => each.matches(".can-play"))[place];
    if (!element) return;
    if (this.selected === element) return element.click();
    element.focus();
    this.select(element);
  }

  #button(place) {
    const button = this.told.root.querySelectorAll(".prompt__moves button")[place];
    button?.click();
    return Boolean(button);
  }
}

const cardAt = (target) => target?.closest?.(".card[data-card]") ?? null;
