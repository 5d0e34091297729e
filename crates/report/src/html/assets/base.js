// Elements are made of text nodes and attributes alone: what a program says is never read
// as markup, and nothing here takes a string as code.
const DATA = JSON.parse(document.getElementById("data").textContent);
const RESULT = DATA.result;
const SVG = "http://www.w3.org/2000/svg";

/** Makes control and direction-changing characters visible. */
function visible(text) {
  return String(text).replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (c) => "\u27e8U+" + c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0") + "\u27e9",
  );
}

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? "" : visible(value));
  }
  for (const child of children.flat(9)) {
    if (child === null || child === undefined || child === false) continue;
    node.append(child instanceof Node ? child : document.createTextNode(visible(child)));
  }
  return node;
}
const el = (tag, attributes, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes, ...children) => fill(document.createElementNS(SVG, tag), attributes, children);

const SIGNS = { holds: "\u2713", confirmed: "\u2713", violated: "\u2717", rejected: "\u2717", error: "\u2717", unknown: "?" };
const badge = (word) => el("span", { class: "badge " + word }, el("span", { class: "sign", "aria-hidden": "true" }, SIGNS[word] ?? ""), word);
const plural = (n, noun) => n + " " + noun + (n === 1 ? "" : "s");
const baseName = (path) => String(path).split("/").pop();

/** What all views look at: a property, a step of its run, a line. */
const state = { property: 0, step: 0, line: null, listeners: [] };
function tell(change) {
  Object.assign(state, change);
  for (const listener of state.listeners) listener(change);
}
const listen = (listener) => state.listeners.push(listener);

const PROPERTIES = RESULT.properties ?? (RESULT.functions ?? []).flatMap((f) => f.result
  ? f.result.properties.map((p) => ({ ...p, name: f.name + ": " + p.name }))
  : [{ name: f.name, verdict: f.verdict, reason: f.note }]);
const current = () => PROPERTIES[state.property] ?? {};

/** The place of a location of the program, such as `main@L8`. */
const placeOf = (name) => DATA.places[name] ?? null;
const shownPlace = (place) => place ? baseName(place.file) + ":" + place.line : "";
const spanPlace = (span) => span && span.start && (span.end.offset > 0) ? { file: span.file, line: span.start.line } : null;

/** The text of a span within one line, as it is in the source. */
function snippet(span) {
  if (!span || span.start.line !== span.end.line) return "";
  const source = DATA.sources.find((s) => s.name === span.file);
  source && (source.lines ??= source.text.split("\n"));
  return [...(source?.lines[span.start.line - 1] ?? "")].slice(span.start.column - 1, span.end.column - 1).join("");
}

function goTo(place) {
  if (place) tell({ line: { file: place.file, line: place.line } });
}
