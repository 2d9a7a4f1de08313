// What the page says, in the reader's language. The games' own words come from the server as {ja, en}.

import ja from "./words/ja.js";
import en from "./words/en.js";
import { settings } from "./settings.js";

const DICTIONARIES = { ja, en };

export const lang = () => (DICTIONARIES[settings.lang] ? settings.lang : "en");

/** A sentence of the page; `{name}` in it is replaced. */
export function say(key, values = {}) {
  const found = DICTIONARIES[lang()][key];
  if (found === undefined) throw new Error(`no words for ${key}`);
  return found.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));
}

/** A name of a game in the reader's language; texts and numbers stay as they are. */
export function told(name) {
  if (name === null || name === undefined) return "";
  return typeof name === "object" ? (name[lang()] ?? name.en ?? "") : String(name);
}

/** A number with its sign. */
export const signed = (number, digits = 0) => {
  const text = Math.abs(number).toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return number < 0 ? `−${text}` : `+${text}`;
};
export const plain = (number) => (number < 0 ? `−${Math.abs(number).toLocaleString("en-US")}` : number.toLocaleString("en-US"));

/** A date as people of the language write it. */
export const dateOf = (when) =>
  new Date(typeof when === "number" ? when * 1000 : when).toLocaleString(lang() === "ja" ? "ja-JP" : "en-GB", { dateStyle: "medium", timeStyle: "short" });
