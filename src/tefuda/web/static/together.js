// Several people at one table: invitation links, who is here, leaving and coming back.

import { h } from "./dom.js";
import { share } from "./bar.js";
import { say, told } from "./words.js";

const PLACE = "tefuda.invitations";

/** Keep the links of a table's other seats, for who has opened it. */
export function keepInvitations(table, invitations) {
  if (invitations?.length) sessionStorage.setItem(`${PLACE}.${table}`, JSON.stringify(invitations));
}

function invitationsOf(table) {
  try {
    return JSON.parse(sessionStorage.getItem(`${PLACE}.${table}`)) ?? [];
  } catch {
    return [];
  }
}

/** @param {import("./table.js").TableScreen} table */
export function togetherElement(table) {
  const { people, scene } = table, persons = people.filter((each) => each.name === "person");
  if (persons.length < 2) return null;
  const own = people.find((each) => each.seat === table.seat);
  const invited = invitationsOf(table.id).filter(({ seat }) => !people.find((each) => each.seat === seat)?.here);
  return h("section", { class: "together", "aria-label": say("together") },
    h("ul", { class: "together__people" }, persons.map((each) => h("li", { class: each.here ? "is-here" : "" },
      h("span", { class: "together__dot", "aria-hidden": "true" }), told(scene.seats[each.seat]?.name), h("span", { class: "quiet" }, ` ${each.here ? say("here") : say("away")}`)))),
    invited.map(({ seat, key }) => h("button", { type: "button", class: "button", onclick: () => share(`${location.origin}/#/table/${table.id}/${key}`) }, say("invite", { seat: seat + 1 }))),
    !scene.over && own && (own.who === "program"
      ? h("button", { type: "button", class: "button", onclick: () => table.send({ type: "sit" }) }, say("sitAgain"))
      : h("button", { type: "button", class: "button button--quiet", onclick: () => table.send({ type: "leave" }) }, say("leave"))));
}
