// The tables that this browser has sat at: their keys are what lets it sit down there again.

const PLACE = "tefuda.tables", REVIEWS = "tefuda.reviews", MOST = 100;

export function keptTables() {
  try {
    const found = JSON.parse(localStorage.getItem(PLACE));
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

/** Remember a table, the newest first. */
export function keepTable(table, key) {
  const others = keptTables().filter((each) => each.table !== table || each.key !== key);
  write([{ table, key }, ...others].slice(0, MOST));
}

export function forgetTable(table) {
  write(keptTables().filter((each) => each.table !== table));
}

/** The reviews that were asked for, by their tables and seats. */
function reviews() {
  try {
    return JSON.parse(localStorage.getItem(REVIEWS)) ?? {};
  } catch {
    return {};
  }
}

export const reviewOf = (table, seat) => reviews()[`${table}:${seat}`] ?? null;

export function keepReview(table, seat, review) {
  write(Object.fromEntries([[`${table}:${seat}`, review], ...Object.entries(reviews())].slice(0, MOST)), REVIEWS);
}

function write(value, place = PLACE) {
  try {
    localStorage.setItem(place, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing has only its links.
  }
}
