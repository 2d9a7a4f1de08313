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
 * @param {{body?: object, key?: string, text?: boolean}} [how] a body makes it a POST
 */
export async function ask(path, { body, key, text = false } = {}) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (key) headers.Authorization = `Bearer ${key}`;
  let answer;
  try {
    answer = await fetch(path, { method: body === undefined ? "GET" : "POST", headers, body: body === undefined ? undefined : JSON.stringify(body) });
  } catch {
    throw new Refusal(say("noServer"), 0);
  }
  if (answer.status === 401 && path !== "/api/enter") location.hash = "#/enter";
  if (!answer.ok) {
    const found = await answer.json().catch(() => ({}));
    throw new Refusal(found.why ?? say("refusedBy", { status: answer.status }), answer.status);
  }
  return text ? answer.text() : answer.json();
}

let lobby = null;
/** What can be played here; asked once. */
export function theLobby(again = false) {
  if (!lobby || again) {
    lobby = ask("/api/lobby");
    lobby.catch(() => (lobby = null));
  }
  return lobby;
}

/** The deck of a game, which tells how its cards are drawn; "" for lettered cards. */
export async function gameOf(name) {
  const { games } = await theLobby();
  return games.find((game) => game.name === name) ?? { name, title: name, deck: "", players: [], levels: [] };
}
