// The lobby: games to sit down at, games to go on with, last results, today's deal, results pages.

import { ask, theLobby } from "./api.js";
import { toast } from "./announce.js";
import { homeLink } from "./bar.js";
import { languageButtons, settingsDialog } from "./choices.js";
import { fill, h } from "./dom.js";
import { onRecord } from "./dropping.js";
import { keptTables } from "./keep.js";
import { pictureOf } from "./picture.js";
import { setupDialog } from "./setup.js";
import { onSettings } from "./settings.js";
import { dateOf, say, told } from "./words.js";

export class LobbyScreen {
  /** @param {HTMLElement} root @param {{deal?: {game: string, preset: string, deal: number}}} where a shared deal is opened at once */
  constructor(root, { deal } = {}) {
    this.root = root;
    this.deal = deal;
    this.unlisten = onSettings(() => this.draw());
    this.undrop = onRecord(document.body);
    this.draw();
    this.#load();
  }

  end() {
    this.ended = true;
    this.unlisten();
    this.undrop();
  }

  async #load() {
    try {
      this.lobby = await theLobby(true);
    } catch (problem) {
      this.trouble = problem.message;
    }
    if (this.ended) return;
    this.draw();
    if (this.deal && this.lobby) this.#openDeal();
    const keys = [...new Set(keptTables().map((each) => each.key))];
    if (keys.length && this.lobby) {
      const mine = await ask("/api/mine", { body: { keys } }).catch(() => []);
      this.mine = Array.isArray(mine) ? mine : mine.tables ?? [];
      if (!this.ended) this.draw();
    }
  }

  #openDeal() {
    const game = this.lobby.games.find((each) => each.name === this.deal.game);
    if (game) setupDialog(game, this.lobby, this.deal);
    else toast(say("noSuchGame"));
    this.deal = null;
  }

  draw() {
    if (this.ended) return;
    const focused = document.activeElement?.id;
    document.title = "tefuda 手札";
    fill(this.root,
      h("header", { class: "bar bar--lobby" }, homeLink(), h("div", { class: "bar__tools" }, languageButtons(),
        h("button", { type: "button", class: "icon-button", "aria-label": say("settings"), title: say("settings"), onclick: settingsDialog }, "⚙"))),
      h("main", { class: "lobby" },
        h("div", { class: "hero" }, h("h1", {}, h("span", { class: "hero__ja", lang: "ja" }, "手札"), h("span", { class: "hero__en" }, "tefuda")), h("p", {}, say("tagline"))),
        this.trouble ? h("p", { class: "notice" }, this.trouble) : !this.lobby ? h("p", { class: "quiet", role: "status" }, say("loading")) : this.#content()));
    if (focused) document.getElementById(focused)?.focus();
  }

  #content() {
    const unfinished = (this.mine ?? []).filter((each) => !each.over), finished = (this.mine ?? []).filter((each) => each.over);
    return [
      unfinished.length > 0 && h("section", { class: "lobby__part" }, h("h2", {}, say("goOn")),
        h("ul", { class: "kept" }, unfinished.slice(0, 6).map((each) => h("li", {}, h("a", { class: "kept__game", href: `#/table/${each.table}/${each.key}` },
          h("b", {}, told(each.title)), h("span", {}, each.when ? dateOf(each.when) : ""), h("span", { class: "kept__go" }, say("goOnButton"))))))),
      h("section", { class: "lobby__part", "aria-label": say("games") }, h("h2", {}, say("games")), h("ul", { class: "games" }, this.lobby.games.map((game, number) => this.#game(game, number)))),
      h("div", { class: "lobby__columns" },
        h("section", { class: "lobby__part" }, h("h2", {}, say("today")), h("p", { class: "quiet" }, say("todayAbout", { deal: this.lobby.today?.deal ?? "" })),
          h("div", { class: "today" }, this.lobby.games.map((game) => h("button", { type: "button", class: "button", onclick: () => setupDialog(game, this.lobby, { deal: this.lobby.today.deal }) }, told(game.title))))),
        h("section", { class: "lobby__part" }, h("h2", {}, say("askAndReview")), h("p", { class: "quiet" }, say("dropAbout")),
          h("div", { class: "today" },
            h("label", { class: "button" }, say("openRecord"), h("input", { type: "file", class: "unseen", id: "record-file", onchange: (event) => this.undrop.take(event.target.files[0]) })),
            h("a", { class: "button", href: "#/position" }, say("askPosition")))),
        finished.length > 0 && h("section", { class: "lobby__part" }, h("h2", {}, say("lastResults")),
          h("ul", { class: "kept kept--plain" }, finished.slice(0, 8).map((each) => h("li", {}, h("a", { class: "kept__game", href: `#/table/${each.table}/${each.key}` },
            h("b", {}, told(each.title)), h("span", {}, each.when ? dateOf(each.when) : ""), h("span", {}, resultOf(each))))))),
        (this.lobby.results ?? []).length > 0 && h("section", { class: "lobby__part" }, h("h2", {}, say("resultsPages")),
          h("ul", { class: "links" }, this.lobby.results.map((page) => h("li", {}, h("a", { href: page.href }, told(page.title))))))),
      h("footer", { class: "foot quiet" }, `tefuda ${this.lobby.version ?? ""}`, h("a", { href: "#/results" }, say("resultsPages"))),
    ];
  }

  #game(game, number) {
    return h("li", {}, h("button", { type: "button", class: "game", id: `game-${game.name}`, onclick: () => setupDialog(game, this.lobby) },
      h("span", { class: "game__picture", data: { felt: number % 3 }, "aria-hidden": "true" }, pictureOf(game, this.lobby.games.filter((each) => each.deck === game.deck).indexOf(game))),
      h("span", { class: "game__words" }, h("span", { class: "game__title" }, told(game.title)), h("span", { class: "game__about" }, say("seatsCount", { seats: game.seats }), game.about ? ` · ${told(game.about)}` : ""))));
  }
}

function resultOf({ result }) {
  if (!result) return "";
  if (Array.isArray(result)) return result.map(told).join(" · ");
  return told(result.lines?.at?.(-1) ?? result);
}
