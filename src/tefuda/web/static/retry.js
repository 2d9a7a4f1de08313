// One's own mistakes as exercises: the table before the decision, until a move is found that is as good as the best.

import { announce } from "./announce.js";
import { fill, h } from "./dom.js";
import { Input } from "./input.js";
import { buttonsElement } from "./prompt.js";
import { Moves } from "./scene.js";
import { say } from "./words.js";

export class Exercises {
  /**
   * @param {import("./review.js").ReviewScreen} review
   * @param {number[]} turns of the mistakes
   * @param {(turn: number) => Promise<object>} sceneOf
   */
  constructor(review, turns, sceneOf) {
    this.review = review;
    this.turns = turns;
    this.sceneOf = sceneOf;
    this.number = 0;
    this.right = 0;
    this.#next(0);
  }

  async #next(number) {
    this.number = number;
    this.tried = false;
    this.solved = false;
    this.words = "";
    if (number >= this.turns.length) return this.#finish();
    this.found = await this.sceneOf(this.turns[number]);
    this.draw();
  }

  #finish() {
    this.input?.end();
    const { board, values } = this.review.parts, words = say("exerciseEnd", { right: this.right, of: this.turns.length });
    announce(words);
    fill(board);
    fill(values, h("div", { class: "exercise" }, h("h2", {}, words), h("button", { type: "button", class: "button button--main", onclick: () => this.review.choose(this.turns[0]) }, say("review"))));
  }

  draw() {
    const { board, values } = this.review.parts, { scene } = this.found ?? {};
    if (!scene || this.number >= this.turns.length) return;
    this.input?.end();
    const moves = new Moves(scene), felt = this.review.tableOf(scene);
    felt.classList.add("is-free");
    felt.classList.toggle("has-cards", moves.byCard.size > 0);
    fill(board, felt, h("div", { class: "below" }, moves.buttons.length > 0 && buttonsElement({ scene, input: { play: (move) => this.#answer(move) } }, moves)));
    this.input = new Input({ root: board, play: (move) => this.#answer(move), why: () => {}, shortcut: () => false });
    this.input.use(scene, moves);
    fill(values, h("div", { class: "exercise" },
      h("h2", {}, say("exercise", { number: this.number + 1, of: this.turns.length })),
      h("p", { class: this.solved ? "exercise__right" : "exercise__wrong", role: "status" }, this.words),
      h("div", { class: "review__ways" },
        h("button", { type: "button", class: "button", onclick: () => {
          this.tried = this.shown = true;
          this.draw();
        } }, say("showValues")),
        h("button", { type: "button", class: this.solved ? "button button--main" : "button", onclick: () => {
          this.shown = false;
          this.#next(this.number + 1);
        } }, say("exerciseNext"))),
      (this.shown || this.solved) && this.review.valuesOf(this.found, null)));
  }

  #answer(move) {
    const values = this.found.values ?? [], value = values.find((each) => each.action === move.action);
    const good = value ? value.equal : move.action === this.found.decision?.best?.action;
    if (good && !this.tried) this.right += 1;
    this.tried = true;
    this.solved = good;
    this.words = good ? say("exerciseRight") : say("exerciseWrong", { loss: value ? value.loss[0].toFixed(this.review.digits) : "" });
    this.draw();
  }
}
