// The settings of this browser, in a dialog.

import { choice, h, segments, showDialog, toggle } from "./dom.js";
import { setSetting, settings, SPEEDS } from "./settings.js";
import { say } from "./words.js";

/** Japanese or English: two buttons that stand on every screen. */
export function languageButtons() {
  return segments(say("language"), [["ja", "日本語"], ["en", "English"]], settings.lang, (value) => setSetting("lang", value));
}

export function settingsDialog() {
  const set = (key) => (value) => setSetting(key, value);
  const options = (key, values) => values.map((value) => [value, say(`${key}_${value}`)]);
  const dialog = showDialog(say("settings"), h("div", { class: "settings" },
    h("div", { class: "settings__row" }, h("span", {}, say("language")), segments(say("language"), [["ja", "日本語"], ["en", "English"]], settings.lang, (value) => {
      setSetting("lang", value);
      dialog.close();
      settingsDialog();
    })),
    choice(say("theme"), options("theme", ["auto", "light", "dark"]), settings.theme, set("theme")),
    choice(say("speed"), options("speed", SPEEDS), settings.speed, set("speed")),
    choice(say("back"), options("back", ["red", "black"]), settings.back, set("back")),
    choice(say("touch"), options("touch", ["twice", "once"]), settings.touch, set("touch")),
    toggle(say("motion"), settings.motion, set("motion")),
    toggle(say("corner"), settings.corner, set("corner")),
    toggle(say("fourColours"), settings.fourColours, set("fourColours")),
    toggle(say("alwaysHint"), settings.alwaysHint, set("alwaysHint"))), { label: say("close") });
}
