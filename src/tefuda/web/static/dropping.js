// A record file that is dropped on the page, or chosen, becomes a review.

import { ask } from "./api.js";
import { toast } from "./announce.js";
import { choice, h, showDialog } from "./dom.js";
import { say, told } from "./words.js";

const LARGEST = 4_000_000; // bytes; the server has the last word

/** Listen for files; returns what ends it, with `take` for a file that was chosen. */
export function onRecord(target) {
  const over = (event) => {
    if (![...(event.dataTransfer?.types ?? [])].includes("Files")) return;
    event.preventDefault();
    target.classList.add("is-dropping");
  };
  const leave = (event) => event.relatedTarget === null && target.classList.remove("is-dropping");
  const drop = (event) => {
    const file = event.dataTransfer?.files?.[0];
    target.classList.remove("is-dropping");
    if (!file) return;
    event.preventDefault();
    take(file);
  };
  const listeners = { dragover: over, dragleave: leave, drop };
  for (const [type, listener] of Object.entries(listeners)) target.addEventListener(type, listener);
  const end = () => Object.entries(listeners).forEach(([type, listener]) => target.removeEventListener(type, listener));
  return Object.assign(end, { take });
}

async function take(file) {
  if (!file) return;
  if (file.size > LARGEST) return toast(say("fileTooLarge"));
  const record = await contentOf(file);
  await reviewRecord(record, file.name, null);
}

/** The text of a file; one that is packed by gzip is unpacked. */
async function contentOf(file) {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (start[0] === 0x1f && start[1] === 0x8b) return new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).text();
  return file.text();
}

async function reviewRecord(record, name, seat) {
  try {
    const answer = await ask("/api/reviews", { body: { record, name: name.slice(0, 80), ...(seat === null ? {} : { seat }) } });
    if (answer.review) location.hash = `#/review/${answer.review}`;
    else if (answer.seats) chooseSeat(record, name, answer.seats);
  } catch (problem) {
    toast(problem.message, 7);
  }
}

function chooseSeat(record, name, seats) {
  let chosen = 0;
  const dialog = showDialog(say("whichSeat"), h("div", {},
    choice(say("seat"), seats.map((each, number) => [number, told(each.name ?? each)]), 0, (value) => (chosen = Number(value))),
    h("button", { type: "button", class: "button button--main", onclick: () => {
      dialog.close();
      reviewRecord(record, name, chosen);
    } }, say("review"))), { label: say("close") });
}
