// Motion that explains: each card that a decision moved travels from where it lay to where it lies now.
// The table is drawn anew for each scene. Copies of the moved cards travel above it, and the cards themselves appear
// when their copies arrive. Cards that stay in their zone glide to their new places.

import { h } from "./dom.js";
import { partsOf } from "./scene.js";
import { isStill, wayTime } from "./settings.js";

const ANGLES = { right: -90, top: 180, left: 90 }; // of the sides of a board
const EASE = "cubic-bezier(.3,.7,.25,1)";
const TRICK = 350; // milliseconds that a whole trick is looked at, at the least
const LYING = new Set(["field", "trick", "river", "laid", "public"]); // zones from which cards are taken

/** Where an element lies: its middle, its size before it was turned, and how it is turned. */
function poseOf(element) {
  const box = element.getBoundingClientRect();
  const side = element.closest(".side"), name = side ? [...side.classList].find((each) => each.startsWith("side--")).slice(6) : "";
  return { x: box.left + box.width / 2, y: box.top + box.height / 2, width: element.offsetWidth || box.width, height: element.offsetHeight || box.height, angle: ANGLES[name] ?? 0, element };
}

/** Where everything lies before the table is drawn anew. */
export function snapshot(root) {
  const cards = new Map(), places = new Map();
  for (const element of root.querySelectorAll("[data-card]")) {
    const key = `${element.dataset.place}#${element.dataset.card}`;
    if (!cards.has(key)) cards.set(key, []);
    cards.get(key).push(poseOf(element));
  }
  for (const element of root.querySelectorAll(".card--back")) places.set(element.dataset.place, poseOf(element));
  for (const element of root.querySelectorAll("[data-zone], [data-place]:not(.card)")) {
    const key = element.dataset.zone ?? element.dataset.place;
    if (!places.has(key)) places.set(key, poseOf(element));
  }
  return { cards, places };
}

function placeIn(places, place, root) {
  const { key, seat } = partsOf(place);
  const found = places?.get(place) ?? places?.get(seat === null ? key : `${key}:${seat}`);
  if (found) return found;
  const plate = seat !== null && root.querySelector(`.plate[data-seat="${seat}"]`);
  const rest = plate || root.querySelector(".middle");
  return rest ? { ...poseOf(rest), width: 40, height: 56 } : null;
}

/**
 * Show what a decision moved; ends when all cards have arrived.
 * @param {HTMLElement} root the table as it is drawn now
 * @param {ReturnType<typeof snapshot>} before
 * @param {object} scene the scene of `root`
 * @param {HTMLElement|null} [lifted] the card that the reader has just played, where there are equal ones
 */
export async function travel(root, before, scene, lifted = null) {
  if (isStill()) return;
  const moved = (scene.said ?? []).flatMap((said) => said.moved ?? []);
  const travelling = new Set(), layer = h("div", { class: "travel", "aria-hidden": "true" });
  const ways = waysOf(moved, root, before, scene, lifted, travelling);
  glide(root, before, travelling);
  if (!ways.length) return;
  document.body.append(layer);
  const finished = ways.map((way) => fly(way, layer));
  await Promise.all(finished);
  layer.remove();
}

/** The way of each card: its poses and the time when it starts. */
function waysOf(moved, root, before, scene, lifted, travelling) {
  const time = wayTime(), ways = [], after = snapshot(root).places;
  let start = 0;
  for (const group of groupsOf(moved)) {
    const [lead, ...followers] = group;
    const sources = group.map((each) => sourceOf(each, before, root, lifted));
    const trick = followers.some((each) => partsOf(each.from).key === "trick");
    const meeting = trick ? placeIn(before.places, `trick:${partsOf(lead.from).seat}`, root) : sources[1];
    const gathered = trick ? gatheringPlace(root, scene) : null;
    const hold = trick ? TRICK + 0.5 * time : 0.2 * time; // so long the cards lie together
    group.forEach((each, number) => {
      const source = sources[number], target = targetOf(each, root, after, travelling, gathered);
      if (!source || !target) return;
      const way = { source, target, start, time };
      if (followers.length && number === 0 && meeting) ways.push({ ...way, by: meeting, pause: hold });
      else ways.push({ ...way, start: start + (number ? time + hold : 0) });
    });
    start += followers.length ? 2 * time + hold : 0.55 * time;
  }
  return ways;
}

/** A card that is played, with those that it takes from where they lie. */
function groupsOf(moved) {
  const groups = [];
  for (const each of moved) {
    const follows = groups.length && LYING.has(partsOf(each.from).key) && !LYING.has(partsOf(each.to).key);
    if (follows) groups.at(-1).push(each);
    else groups.push([each]);
  }
  return groups;
}

function sourceOf({ card, from }, before, root, lifted) {
  const found = before.cards.get(`${from}#${card}`);
  if (found?.length) {
    const own = found.findIndex((pose) => pose.element === lifted);
    return found.splice(Math.max(0, own), 1)[0];
  }
  return from ? placeIn(before.places, from, root) : null;
}

function targetOf({ card, to }, root, places, travelling, gathered) {
  if (!to) return null;
  const cards = [...root.querySelectorAll(`[data-place="${to}"]`)].filter((each) => each.matches(".card") && !travelling.has(each) && !each.closest("details:not([open])"));
  const equal = card === null ? cards.filter((each) => each.matches(".card--back")) : cards.filter((each) => each.dataset.card === String(card));
  const element = equal.at(-1);
  if (element) {
    travelling.add(element);
    return poseOf(element);
  }
  const place = gathered ?? placeIn(places, to, root);
  const face = card === null ? null : root.querySelector(`.card[data-place="${to}"][data-card="${card}"]`); // it lies there unseen
  return place ? { ...place, element: null, face, vanishes: true } : null;
}

/** Where a finished trick goes: to the one who leads next. */
function gatheringPlace(root, scene) {
  const seat = scene.seats?.findIndex((each) => each.marks?.includes("leads"));
  const plate = seat >= 0 && root.querySelector(`.plate[data-seat="${seat}"]`);
  return plate ? { ...poseOf(plate), width: 30, height: 42 } : null;
}

const at = (pose, base) =>
  `translate(${pose.x - base.width / 2}px, ${pose.y - base.height / 2}px) rotate(${pose.angle}deg) scale(${pose.width / base.width}, ${pose.height / base.height})`;

async function fly({ source, target, start, time, by, pause = 0 }, layer) {
  const shown = (target.element ?? target.face ?? source.element)?.cloneNode(true);
  if (!shown || !shown.matches(".card")) return;
  const card = source.element?.matches?.(".card") ? source : target.element ? target : by ?? source;
  const width = Math.max(card.width, target.vanishes ? 0 : target.width, by?.width ?? 0), base = { width, height: width * (card.height / card.width || 1.4) };
  const copy = h("div", { class: "travel__card", css: { width: `${base.width}px`, height: `${base.height}px` } }, shown);
  shown.removeAttribute("data-place");
  layer.append(copy);
  const place = (pose) => ({ ...pose, height: (pose.width * base.height) / base.width });
  const end = { transform: at(place(target), base), opacity: target.vanishes ? 0 : 1 };
  const total = by ? 2 * time + pause : time;
  const middle = by && { ...by, x: by.x + 6, y: by.y - 6 };
  const frames = by
    ? [{ transform: at(place(source), base), opacity: 1 }, { transform: at(place(middle), base), opacity: 1, offset: time / total, easing: "linear" },
       { transform: at(place(middle), base), opacity: 1, offset: (time + pause) / total, easing: EASE }, end]
    : [{ transform: at(place(source), base), opacity: 1 }, end];
  if (target.element) target.element.style.setProperty("visibility", "hidden");
  const animation = copy.animate(frames, { duration: total, delay: start, easing: by ? "ease-in-out" : EASE, fill: "both" });
  if (start > 0 && source.element?.dataset?.card === undefined) { // it was not seen before: it appears when it sets out
    copy.classList.add("is-unseen");
    setTimeout(() => copy.classList.remove("is-unseen"), start);
  }
  await animation.finished.catch(() => {});
  copy.remove();
  target.element?.style.removeProperty("visibility");
}

/** Cards that stay in their place move up. Those on turned sides do not glide: they hardly ever shift. */
function glide(root, before, travelling) {
  const seen = new Map();
  for (const element of root.querySelectorAll("[data-card]")) {
    if (travelling.has(element) || element.closest(".side")) continue;
    const key = `${element.dataset.place}#${element.dataset.card}`, number = seen.get(key) ?? 0;
    seen.set(key, number + 1);
    const old = before.cards.get(key)?.[number];
    if (!old) continue;
    const now = poseOf(element), dx = old.x - now.x, dy = old.y - now.y;
    if (Math.abs(dx) + Math.abs(dy) < 2) continue;
    element.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration: wayTime(), easing: EASE });
  }
}

/** Wait; at once where nothing moves. */
export const pause = (milliseconds) => (milliseconds > 0 ? new Promise((done) => setTimeout(done, milliseconds)) : Promise.resolve());
