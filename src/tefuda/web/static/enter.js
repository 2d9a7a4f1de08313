// A server that listens beyond its own machine asks for a token: by its link, or here.

import { ask } from "./api.js";
import { homeLink } from "./bar.js";
import { fill, h } from "./dom.js";
import { say } from "./words.js";

export class EnterScreen {
  /** @param {HTMLElement} root @param {{token?: string}} where */
  constructor(root, { token }) {
    this.root = root;
    this.draw();
    if (token) this.#enter(token);
  }

  end() {}

  async #enter(token) {
    try {
      await ask("/api/enter", { body: { token } });
      location.replace("#/");
    } catch (problem) {
      this.draw(problem.message);
    }
  }

  draw(trouble = "") {
    fill(this.root, h("header", { class: "bar bar--lobby" }, homeLink()), h("main", { class: "lobby" },
      h("form", { class: "position__form", onsubmit: (event) => {
        event.preventDefault();
        this.#enter(event.target.elements.token.value.trim());
      } }, h("h1", {}, say("enter")), h("p", {}, say("enterAbout")), trouble && h("p", { class: "notice", role: "alert" }, trouble),
      h("div", { class: "choice" }, h("label", { for: "token" }, say("token")), h("input", { id: "token", name: "token", type: "text", autocomplete: "off", required: true })),
      h("div", {}, h("button", { type: "submit", class: "button button--main" }, say("enterGo"))))));
  }
}
