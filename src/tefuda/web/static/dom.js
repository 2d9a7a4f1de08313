// Elements made in one expression. Styles are set through the CSSOM, which a strict content security policy allows.

const SVG = "http://www.w3.org/2000/svg";

/**
 * An element with its attributes and children.
 * `class`, `on…` (listeners), `data` (an object), `css` (custom properties and styles); `false` and null are left out.
 * @param {string} tag
 * @param {object} [attributes]
 * @param {...any} children elements, texts, lists of them; null and false are left out
 * @returns {HTMLElement}
 */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for a drawing. */
export function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "data") Object.assign(element.dataset, value);
    else if (key === "css") for (const [name, set] of Object.entries(value)) element.style.setProperty(name, set);
    else if (key === "value" && "value" in element) element.value = value;
    else if (key === "checked") element.checked = Boolean(value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Put some children in place of all that an element has. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** SVG text as a picture. A picture is one element, whatever is drawn in it, and a browser draws the same one once. */
const addresses = new Map();
export function drawing(text) {
  if (!addresses.has(text)) addresses.set(text, `data:image/svg+xml,${encodeURIComponent(text)}`);
  return h("img", { src: addresses.get(text), alt: "", draggable: "false" });
}

/** A switch, a choice, a button: what settings and forms are made of. */
export function toggle(label, checked, change) {
  return h("label", { class: "switch" },
    h("input", { type: "checkbox", role: "switch", checked, onchange: (event) => change(event.target.checked) }),
    h("span", { class: "switch__track", "aria-hidden": "true" }), h("span", {}, label));
}

export function choice(label, options, chosen, change, attributes = {}) {
  const id = attributes.id ?? `choice-${++numbers}`;
  return h("div", { class: "choice" }, h("label", { for: id }, label),
    h("select", { id, onchange: (event) => change(event.target.value), ...attributes },
      options.map(([value, text]) => {
        const option = h("option", { value }, text);
        option.selected = String(value) === String(chosen);
        return option;
      })));
}
let numbers = 0;

/** A group of buttons of which one is pressed. */
export function segments(label, options, chosen, change) {
  const group = h("div", { class: "segments", role: "group", "aria-label": label });
  for (const [value, text] of options) {
    group.append(h("button", { type: "button", "aria-pressed": String(value === chosen), onclick: (event) => {
      for (const each of group.children) each.setAttribute("aria-pressed", String(each === event.currentTarget));
      change(value);
    } }, text));
  }
  return group;
}

/** Show a dialog; it is gone from the page when it closes. */
export function showDialog(title, content, { wide = false, label = "×", closed = () => {} } = {}) {
  const before = document.activeElement;
  const dialog = h("dialog", { class: wide ? "dialog dialog--wide" : "dialog", "aria-label": title },
    h("header", { class: "dialog__head" }, h("h2", {}, title),
      h("button", { type: "button", class: "icon-button", "aria-label": label, onclick: () => dialog.close() }, "✕")),
    h("div", { class: "dialog__body" }, content));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed();
    if (before?.isConnected) before.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
