// What a screen reader is told, and short messages that go away by themselves.

import { h } from "./dom.js";

export function announce(text) {
  const live = document.getElementById("live");
  live.textContent = live.textContent === text ? `${text} ` : text;
}

/** A message above the page, for some seconds. */
export function toast(text, seconds = 4) {
  const place = document.getElementById("toasts");
  for (const each of place.children) if (each.textContent === text) each.remove();
  const shown = h("p", { class: "toast" }, text);
  place.append(shown);
  setTimeout(() => shown.remove(), 1000 * seconds);
}
