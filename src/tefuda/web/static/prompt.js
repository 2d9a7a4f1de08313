// Below the table: what is asked now, the moves that are no single card, and the words of what one is about to do.

import { h } from "./dom.js";
import { smallCard } from "./cards.js";
import { letterOf } from "./input.js";
import { noteOf } from "./notes.js";
import { standing } from "./scene.js";
import { say, told } from "./words.js";

/** @param {import("./table.js").TableScreen} table */
export function promptElement(table, moves, free) {
  const { scene } = table;
  if (free && moves.isQuestion && standing(scene, scene.reader).made.length) return question(table, moves);
  return h("section", { class: `prompt${free ? " prompt--free" : ""}`, "aria-label": say("prompt") },
    h("div", { class: "prompt__words" },
      h("p", { class: "prompt__asked" }, asked(table, moves, free)),
      h("p", { class: "prompt__preview", "aria-hidden": "true" }),
      (scene.status ?? []).length > 0 && h("p", { class: "prompt__status" }, scene.status.map((note) => noteOf(note, scene)))),
    free && moves.buttons.length > 0 && buttonsElement(table, moves),
    tools(table));
}

function asked({ scene, sent, seat, watches }, moves, free) {
  if (scene.over) return say("gameOver");
  if (free && moves.byCard.size === 1 && moves.all.length > 1 && moves.all.every((move) => move.with?.length)) return say("chooseTaken");
  if (free) return say("yourTurn");
  if (sent) return say("sending");
  if (scene.asked === null || scene.asked === undefined) return say("waiting");
  if (watches) return `${told(scene.seats[scene.asked]?.name)}: ${say("toMove")}`;
  if (scene.asked === seat) return say("yourTurnSoon");
  return say("waitingFor", { name: told(scene.seats[scene.asked]?.name) });
}

/** The moves that play no card, or several at once. */
export function buttonsElement(table, moves) {
  const known = new Map((table.scene.zones ?? []).flatMap((zone) => (zone.cards ?? []).map((card) => [card.id, card])));
  return h("div", { class: "prompt__moves", role: "group", "aria-label": say("moves") }, moves.buttons.map((move, place) => {
    const cards = [...(move.cards ?? []), ...(move.with ?? [])].map((id) => known.get(id)).filter(Boolean);
    return h("button", { type: "button", class: "button button--move", data: { action: move.action }, onclick: (event) => table.input.play(move, event.currentTarget) },
      h("span", { class: "button__name" }, told(move.name)), " ",
      cards.length > 0 && h("span", { class: "button__cards", "aria-hidden": "true" }, cards.map((card) => smallCard(card))),
      (move.notes ?? []).map((note) => noteOf(note, table.scene)),
      letterOf(place) && h("kbd", { "aria-hidden": "true" }, letterOf(place).toUpperCase()));
  }));
}

/** A question about going on: what is made, what is near, what each answer brings. */
function question(table, moves) {
  const { made, near } = standing(table.scene, table.scene.reader);
  return h("section", { class: "prompt prompt--free question", "aria-label": say("question") },
    h("div", { class: "question__part" }, h("h2", {}, say("made")), made.map((note) => noteOf(note, table.scene))),
    near.length > 0 && h("div", { class: "question__part" }, h("h2", {}, say("near")), near.map((note) => noteOf(note, table.scene))),
    buttonsElement(table, moves), tools(table));
}

/** What can be done at any time. */
function tools(table) {
  if (table.watches || table.scene.over) return null;
  return h("div", { class: "prompt__tools" },
    table.info?.practice && h("button", { type: "button", class: "button button--quiet", onclick: () => table.takeBack() }, "↶ ", say("takeBack")),
    table.hints.allowed && h("button", { type: "button", class: "button button--quiet", "aria-pressed": String(table.hints.on !== false), onclick: () => table.panel.open("hint") }, "✦ ", say("hint")));
}
