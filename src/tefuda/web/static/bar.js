// The bar above a table: which game and round it is, the deal's number, and the menu.

import { h, showDialog } from "./dom.js";
import { noteOf } from "./notes.js";
import { settingsDialog } from "./choices.js";
import { toast } from "./announce.js";
import { say, told } from "./words.js";

export const homeLink = () => h("a", { class: "home", href: "#/", "aria-label": say("home") }, h("span", { class: "home__seal", "aria-hidden": "true" }, "札"), h("span", { class: "home__name" }, "tefuda"));

/** @param {import("./table.js").TableScreen} table */
export function tableBar(table) {
  const { scene, game, info } = table, deal = info?.deal ?? table.result?.deal;
  return [
    homeLink(),
    h("div", { class: "bar__game" }, h("h1", {}, told(game.title)), h("span", { class: "bar__rules" }, info?.preset ?? "")),
    h("div", { class: "bar__round" }, (scene.title ?? []).map((note) => noteOf(note, scene, { chip: false }))),
    deal !== undefined && deal !== null && h("button", { type: "button", class: "bar__deal", title: say("shareDeal"), onclick: () => shareDeal(game, info, deal) }, say("dealNumber", { deal })),
    h("div", { class: "bar__tools" },
      h("button", { type: "button", class: "button button--quiet bar__panel", onclick: () => table.panel.open(table.panel.tab) }, say("panelButton")),
      h("button", { type: "button", class: "icon-button", "aria-label": say("keys"), title: say("keys"), onclick: () => table.panel.showKeys() }, "?"),
      h("button", { type: "button", class: "icon-button", "aria-label": say("settings"), title: say("settings"), onclick: settingsDialog }, "⚙"),
      h("button", { type: "button", class: "icon-button", "aria-label": say("menu"), title: say("menu"), onclick: () => menu(table) }, "☰")),
  ];
}

/** The link of a numbered deal: the same number is the same deal for everybody. */
export const dealLink = (game, preset, deal) => `${location.origin}/#/deal/${encodeURIComponent(game)}/${encodeURIComponent(preset)}/${deal}`;

export async function share(link) {
  try {
    await navigator.clipboard.writeText(link);
    toast(say("copied"));
  } catch {
    showDialog(say("share"), h("p", {}, h("input", { class: "link", readonly: true, value: link, "aria-label": say("share"), onfocus: (event) => event.target.select() })), { label: say("close") });
  }
}

function shareDeal(game, info, deal) {
  share(dealLink(game.name, info?.preset ?? "", deal));
}

function menu(table) {
  const { scene, info } = table, practice = info?.practice && !table.watches;
  const dialog = showDialog(say("menu"), h("div", { class: "menu" },
    item(say("guideOpen"), () => table.panel.open("guide")),
    item(say("unseenOpen"), () => table.panel.open("unseen")),
    practice && item(say("takeBack"), () => table.takeBack()),
    !table.watches && !info?.secret && item(say("startAgain"), () => table.again(table.seat)),
    !table.watches && !info?.secret && scene.seats.map((seat, number) => number !== table.seat && item(say("asSeat", { seat: number + 1, name: told(seat.name) }), () => table.again(number))),
    item(say("backToLobby"), () => (location.hash = "#/"))), { label: say("close") });
  function item(label, act) {
    return h("button", { type: "button", class: "menu__item", onclick: () => {
      dialog.close();
      act();
    } }, label);
  }
}
