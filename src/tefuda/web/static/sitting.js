// Sit down: ask the server for a table and go there.

import { ask } from "./api.js";
import { keepTable } from "./keep.js";
import { keepInvitations } from "./together.js";
import { toast } from "./announce.js";

/** @param {{game: string, preset: string|null, options: object, seats: string[], deal: number|null, practice: boolean}} wanted */
export async function openTable(wanted) {
  try {
    const opened = await ask("/api/tables", { body: wanted });
    keepTable(opened.table, opened.key);
    keepInvitations(opened.table, opened.invitations);
    location.hash = `#/table/${opened.table}/${opened.key}`;
    return true;
  } catch (problem) {
    toast(problem.message);
    return false;
  }
}
