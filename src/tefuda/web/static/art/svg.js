// The words of SVG that all drawings are made of. Every function returns SVG text.
// Colours and widths are attributes, never a style: a strict content security policy forbids inline styles.
// Nothing has an id, so that a page may show a drawing many times.

/** A number with at most one decimal place. */
export const short = (number) => String(Math.round(number * 10) / 10);

/** The colours of all decks. Each is told from its neighbours in black and white too. */
export const PAPER = "#f7f0e1";
export const INK = "#221d22";
export const WHITE = "#fffdf7";
export const RED = "#d3302c";
export const DARK_RED = "#9e1c24";
export const PINK = "#f6a9b9";
export const ORANGE = "#e9792b";
export const YELLOW = "#f3bd33";
export const GREEN = "#2f7a45";
export const DARK_GREEN = "#174a32";
export const OLIVE = "#9aa83a";
export const BLUE = "#2b4fa0";
export const SKY = "#7fb2d9";
export const VIOLET = "#6a489e";
export const DARK_VIOLET = "#3c2a63";
export const BROWN = "#84512b";
export const TAN = "#d9a866";
export const GREY = "#8b8790";

const edge = (width, colour) => (width ? ` stroke="${colour}" stroke-width="${width}"` : "");

/** A filled shape, with an outline where a width is given. */
export const shape = (d, fill, width = 0, colour = INK) => `<path d="${d}" fill="${fill}"${edge(width, colour)}/>`;

/** A line. Its ends and corners are round, as those of all outlines: see `picture`. */
export const line = (d, colour = INK, width = 1.4) => `<path d="${d}" fill="none"${edge(width, colour)}/>`;

export const disc = (x, y, r, fill, width = 0, colour = INK) =>
  `<circle cx="${short(x)}" cy="${short(y)}" r="${short(r)}" fill="${fill}"${edge(width, colour)}/>`;

export const oval = (x, y, rx, ry, fill, width = 0, colour = INK) =>
  `<ellipse cx="${short(x)}" cy="${short(y)}" rx="${short(rx)}" ry="${short(ry)}"` +
  ` fill="${fill}"${edge(width, colour)}/>`;

export const box = (x, y, width, height, fill, round = 0, rim = 0, colour = INK) =>
  `<rect x="${short(x)}" y="${short(y)}" width="${short(width)}" height="${short(height)}"` +
  `${round ? ` rx="${round}"` : ""} fill="${fill}"${edge(rim, colour)}/>`;

/** A drawing around (0, 0), put at a place, turned clockwise by degrees, and scaled; a negative scale mirrors it. */
export function at(x, y, drawing, turn = 0, scale = 1) {
  const moved = x || y ? `translate(${short(x)} ${short(y)})` : "";
  const turned = turn ? `rotate(${short(turn)})` : "";
  const size = Math.round(Math.abs(scale) * 100) / 100;
  const scaled = scale === 1 ? "" : `scale(${scale < 0 ? `-${size} ${size}` : size})`;
  return moved + turned + scaled ? `<g transform="${moved}${turned}${scaled}">${drawing}</g>` : drawing;
}

/** What `make` draws for 0, 1, … below `count`. */
export const each = (count, make) => Array.from({ length: count }, (_, i) => make(i)).join("");

/** The point at a distance from (0, 0) in a direction: degrees clockwise from the top. */
export const polar = (radius, degrees) => {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
};

/** A closed path through some points. */
export const polygon = (points) => `M${points.map(([x, y]) => `${short(x)} ${short(y)}`).join("L")}Z`;

/** A drawing that is cut off at the edges of a box: SVG within SVG does so without an id. */
export const cut = (x, y, width, height, drawing) =>
  `<svg x="${x}" y="${y}" width="${width}" height="${height}" viewBox="${x} ${y} ${width} ${height}">${drawing}</svg>`;

const escaped = (text) =>
  text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign]);

/** Letters, for cards that have no picture and for corners. */
export const letters = (text, x, y, size, fill = INK, weight = 600) =>
  `<text x="${short(x)}" y="${short(y)}" font-size="${short(size)}" font-weight="${weight}" fill="${fill}"` +
  ` text-anchor="middle" font-family="system-ui, sans-serif">${escaped(text)}</text>`;

/** The whole drawing of a card. With a title it is an image of that name for screen readers, else it is hidden. */
export function picture(width, height, drawing, title = "") {
  const told = title ? ` role="img"><title>${escaped(title)}</title>` : ' aria-hidden="true">';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" stroke-linecap="round"` +
    ` stroke-linejoin="round"${told}${drawing}</svg>`;
}
