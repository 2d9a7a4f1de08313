// The page begins here: the part of the address behind `#` says which screen is shown.

import { announce } from "./announce.js";
import { h, fill } from "./dom.js";
import { dress, onSettings } from "./settings.js";
import { say } from "./words.js";

const root = document.getElementById("app");
let screen = null;

const ROUTES = [
  [/^\/?$/, () => import("./lobby.js").then(({ LobbyScreen }) => new LobbyScreen(root, {}))],
  [/^\/deal\/([^/]+)\/([^/]*)\/(\d+)$/, (game, preset, deal) => import("./lobby.js").then(({ LobbyScreen }) => new LobbyScreen(root, { deal: { game, preset, deal: Number(deal) } }))],
  [/^\/table\/([\w-]+)\/([\w-]+)$/, (id, key) => import("./table.js").then(({ TableScreen }) => new TableScreen(root, { id, key }))],
  [/^\/review\/([\w-]+)(?:\/(\d+))?$/, (id, turn) => import("./review.js").then(({ ReviewScreen }) => new ReviewScreen(root, { id, turn }))],
  [/^\/enter(?:\/([^/]+))?$/, (token) => import("./enter.js").then(({ EnterScreen }) => new EnterScreen(root, { token }))],
  [/^\/position(?:\/([\w-]+))?$/, (id) => import("./position.js").then(({ PositionScreen }) => new PositionScreen(root, { id }))],
  [/^\/results$/, () => import("./results.js").then(({ ResultsScreen }) => new ResultsScreen(root))],
];

async function show() {
  const path = location.hash.slice(1);
  const found = ROUTES.map(([pattern, make]) => [path.match(pattern), make]).find(([match]) => match);
  screen?.end();
  screen = null;
  for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  if (!found) return fill(root, h("main", { class: "lobby" }, h("h1", {}, say("noPage")), h("p", {}, h("a", { href: "#/" }, say("backToLobby")))));
  const [match, make] = found;
  const made = make(...match.slice(1).map((part) => (part === undefined ? undefined : decodeURIComponent(part))));
  screen = await made;
  setTimeout(() => announce(document.title), 300); // a screen reader hears which screen it is
}

dress();
onSettings(() => dress());
addEventListener("hashchange", show);
show();
