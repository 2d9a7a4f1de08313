// A scene as the page uses it: zones of a key together, moves by the cards that they play and take.
// A scene is what the server tells of a table to one reader; the page never adds to it.

/**
 * @typedef {{ja: string, en: string}} Name
 * @typedef {{id: number, name: Name, short: Name, style?: string, marks?: string[], face?: string[]}} Card
 * @typedef {{key: string, name: Name, seat?: number, group?: string, title?: Name, cards?: Card[], backs?: number, notes?: object[]}} Zone
 * @typedef {{action: number, name: Name, cards?: number[], place?: string, with?: number[], with_place?: string, notes?: object[]}} Move
 * @typedef {{key: string, seat: number|null, name: Name, parts: Zone[]}} ZoneSet  zones of one key and seat
 */

/** What moves call a zone: `field`, `hand:0`, `pile:1:ribbon`. */
export const placeOf = (zone) =>
  [zone.key, ...(zone.seat === undefined || zone.seat === null ? [] : [zone.seat]), ...(zone.group ? [zone.group] : [])].join(":");

/** The key and the seat of a place. */
export function partsOf(place) {
  const [key, second, ...rest] = place.split(":");
  const seat = second !== undefined && /^\d+$/.test(second) && !sharedKeys.has(key) ? Number(second) : null;
  return { key, seat, group: (seat === null ? [second, ...rest] : rest).filter(Boolean).join(":") };
}
const sharedKeys = new Set(["field"]);

/** Zones of one key and one seat belong together, in the order of the scene. */
export function zoneSets(scene) {
  const sets = new Map();
  for (const zone of scene.zones ?? []) {
    const seat = zone.seat ?? null, key = `${zone.key}:${seat}`;
    if (!sets.has(key)) sets.set(key, { key: zone.key, seat, name: zone.name, parts: [] });
    sets.get(key).parts.push(zone);
  }
  return [...sets.values()];
}

export const sizeOf = (zone) => (zone.backs ?? 0) + (zone.cards ?? []).filter((card) => !(card.marks ?? []).includes("gone")).length;

/** All that can be done at a table, by where it is done. */
export class Moves {
  /** @param {object} scene */
  constructor(scene) {
    /** @type {Move[]} */
    this.all = scene.moves ?? [];
    this.byCard = new Map(); // of a card in its place: the moves that play it alone
    this.byTarget = new Map(); // of a card in its place: the moves that take it
    this.buttons = []; // moves that play no card, or several at once
    const shown = new Set((scene.zones ?? []).flatMap((zone) => (zone.cards ?? []).map((card) => `${placeOf(zone)}#${card.id}`)));
    for (const move of this.all) {
      const card = `${move.place ?? ""}#${move.cards?.[0]}`;
      if (move.cards?.length === 1 && move.place && shown.has(card)) add(this.byCard, card, move);
      else this.buttons.push(move);
      for (const taken of move.with ?? []) add(this.byTarget, `${move.with_place ?? ""}#${taken}`, move);
    }
  }

  of(place, id) {
    return this.byCard.get(`${place}#${id}`) ?? [];
  }

  taking(place, id) {
    return (this.byTarget.get(`${place}#${id}`) ?? []).filter((move) => !this.buttons.includes(move));
  }

  find(action) {
    return this.all.find((move) => move.action === action);
  }

  /** Whether nothing but buttons can be chosen: a question, such as whether to go on. */
  get isQuestion() {
    return this.buttons.length > 1 && this.byCard.size === 0;
  }
}

function add(map, key, value) {
  if (map.has(key)) map.get(key).push(value);
  else map.set(key, [value]);
}

/** The seats in the order in which they sit around the table, beginning with the one below. */
export function around(scene) {
  const number = scene.seats?.length ?? 0, own = scene.reader ?? 0;
  return Array.from({ length: number }, (_, place) => (own + place) % number);
}

/** A word for each seat's side, by how many there are; `next` is the side of the seat that follows the reader's. */
export function sidesOf(scene) {
  const order = around(scene), toRight = (scene.zones ?? []).some((zone) => zone.key === "river");
  const sides = {
    1: ["own"], 2: ["own", "top"], 3: ["own", "left", "right"],
    4: toRight ? ["own", "right", "top", "left"] : ["own", "left", "top", "right"],
  }[order.length] ?? ["own", ...order.slice(1).map(() => "top")];
  return new Map(order.map((seat, place) => [seat, sides[place]]));
}

/** The yaku, sets and the like of a seat: what is made, and what is on its way. */
export function standing(scene, seat) {
  const notes = (scene.zones ?? []).filter((zone) => zone.seat === seat).flatMap((zone) => zone.notes ?? []);
  return {
    made: notes.filter((note) => note.points !== undefined && note.needs === undefined),
    near: notes.filter((note) => note.needs !== undefined),
  };
}
