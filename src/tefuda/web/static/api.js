// Plain HTTP: the lobby, tables, reviews, positions. A refusal is an error with the words of the server.

import { say, told } from "./words.js";

class Refusal extends Error {
  constructor(why, status) {
    super(told(why));
    this.why = why;
    this.status = status;
  }
}

/**
 * Ask the server.
 * @param {string} path
 * @param {{body?: object, key?: string, text?: boolean, door?: boolean}} [how] a body makes it a POST; `door`: go to where
 *     a token is asked for, if there is none
 */
export async function ask(path, { body, key, text = false, door = true } = {}) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers.Authorization = `Bearer ${key}`;
  let answer;
  try {
    answer = await fetch(path, { method: body === undefined ? "GET" : "POST", headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new Refusal(say("noServer"), 0);
  }
  if (answer.status === 401 && door && path !== "/api/enter") location.hash = "#/enter";
  if (!answer.ok) {
    const found = await answer.json().catch(() => ({}));
    throw new Refusal(found.why ?? say("refusedBy", { status: answer.status }), answer.status);
  }
  return text ? answer.text() : answer.json();
}

let lobby = null;
/** What can be played here; asked once. */
export function theLobby(again = false, door = true) {
  if (!lobby || again) {
    lobby = ask("/api/lobby", { door });
    lobby.catch(() => (lobby = null));
  }
  return lobby;
}

/** A game of the lobby. Who was invited to a table may have no token for the lobby, and needs none. */
export async function gameOf(name) {
  const { games } = await theLobby(false, false).catch(() => ({ games: [] }));
  return games.find((game) => game.name === name) ?? { name, title: name, presets: [], players: [], levels: [] };
}
