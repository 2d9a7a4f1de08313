// Notes of a scene as elements: figures, how far something has come, warnings.

import { h } from "./dom.js";
import { signed, told } from "./words.js";
import { smallCard } from "./cards.js";

/** A note in one piece: `ribbons 3/5`, `lead: ann`, `passed → bob ♣6`. */
export function noteOf(note, scene, { chip = true } = {}) {
  const seat = note.seat !== undefined && note.seat !== null ? told(scene.seats?.[note.seat]?.name) : "";
  const way = { to: "→", from: "←" }[note.way] ?? "";
  const done = note.needs !== undefined && note.needs > 0 ? Math.min(1, note.has / note.needs) : null;
  const classes = ["note", chip && "note--chip", note.key && `note--${note.key}`, (note.marks ?? []).length && "note--marked", note.points !== undefined && note.needs === undefined && "note--made"];
  return h("span", { class: classes.filter(Boolean).join(" ") },
    h("span", { class: "note__name" }, told(note.name)),
    note.value !== undefined && note.value !== null && h("span", { class: "note__value" }, ` ${told(note.value)}`),
    note.points !== undefined && note.points !== null && h("span", { class: "note__points" }, ` ${signed(note.points)}`),
    note.needs !== undefined && h("span", { class: "note__count" }, ` ${note.has}/${note.needs}`),
    seat && h("span", { class: "note__seat" }, way ? ` ${way} ${seat}` : `: ${seat}`),
    note.cards?.length ? h("span", { class: "note__cards" }, note.cards.map((card) => cardSign(card))) : null,
    note.missing?.length ? h("span", { class: "note__missing" }, note.missing.map((card) => cardSign(card))) : null,
    done !== null && chip && h("span", { class: "note__bar", css: { "--done": String(done) }, "aria-hidden": "true" }));
}

/** A card inside a line of words. */
function cardSign(card) {
  const marks = card.marks ?? [];
  if (card.id < 0) return h("span", { class: `sign sign--${card.style || "plain"}`, title: told(card.name) }, told(card.short));
  return h("span", { class: marks.length ? "card-sign card-sign--marked" : "card-sign", title: told(card.name) }, smallCard(card));
}

/** Some words of a game, line by line. */
export const linesOf = (lines) => (lines ?? []).flatMap((line) => told(line).split("\n")).filter((line) => line.trim());
