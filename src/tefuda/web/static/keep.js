// The tables that this browser has sat at: their keys are what lets it sit down there again.

const PLACE = "tefuda.tables", MOST = 100;

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

function write(tables) {
  try {
    localStorage.setItem(PLACE, JSON.stringify(tables));
  } catch {
    // A browser that keeps nothing has only its links.
  }
}
