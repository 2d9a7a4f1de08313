// What the reader has chosen for this browser. Everything has a default; what is stored is only what differs.

const PLACE = "tefuda.settings";
export const SPEEDS = ["calm", "usual", "quick", "instant"];
const DEFAULTS = {
  lang: (navigator.language || "en").startsWith("ja") ? "ja" : "en",
  theme: "auto", // auto, light, dark
  speed: "usual", // how quickly moves of others follow each other
  motion: true, // cards travel
  corner: false, // signs in the corners of cards
  fourColours: false,
  back: "red",
  alwaysHint: false,
  adviser: "",
  touch: "twice", // a tap selects, a second one plays; once: a tap plays
};

function stored() {
  try {
    return JSON.parse(localStorage.getItem(PLACE)) ?? {};
  } catch {
    return {};
  }
}

export const settings = { ...DEFAULTS, ...stored() };
const listeners = new Set();

/** Tell when a setting changes; returns what ends it. */
export function onSettings(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function setSetting(key, value) {
  settings[key] = value;
  const changed = Object.fromEntries(Object.entries(settings).filter(([name, each]) => each !== DEFAULTS[name]));
  try {
    localStorage.setItem(PLACE, JSON.stringify(changed));
  } catch {
    // A browser that keeps nothing: the choice holds until the page is closed.
  }
  dress();
  for (const listener of [...listeners]) listener(key);
}

/** Give the page the chosen look. */
export function dress() {
  const root = document.documentElement;
  root.lang = settings.lang;
  root.dataset.theme = settings.theme;
  root.dataset.back = settings.back;
}

const calm = matchMedia("(prefers-reduced-motion: reduce)");
export const isStill = () => calm.matches || !settings.motion || settings.speed === "instant";

/** Milliseconds of a card's way, and of the pause between two moves of others. */
const TIMES = { calm: [520, 900], usual: [280, 260], quick: [160, 60], instant: [0, 0] };
export const wayTime = () => (isStill() ? 0 : TIMES[settings.speed][0]);
export const pauseTime = () => TIMES[settings.speed][1];
