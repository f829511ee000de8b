// Elements made by hand: every text goes in as text, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function fill(node, props, kids) {
  for (const [key, value] of Object.entries(props || {})) {
    if (value === undefined || value === null) continue;
    if (value === false && !key.startsWith("aria-")) continue;
    if (key === "on") for (const [event, f] of Object.entries(value)) node.addEventListener(event, f);
    else if (key === "css") for (const [name, v] of Object.entries(value)) node.style.setProperty(name, v);
    else if (key === "data") Object.assign(node.dataset, value);
    else node.setAttribute(key, value === true && !key.startsWith("aria-") ? "" : String(value));
  }
  node.append(...kids.flat(9).filter((k) => k !== null && k !== undefined && k !== false));
  return node;
}
const h = (tag, props, ...kids) => fill(document.createElement(tag), props, kids);
const s = (tag, props, ...kids) => fill(document.createElementNS(SVG, tag), props, kids);
const replace = (node, ...kids) => keepFocus(node, () => node.replaceChildren(...kids.flat(9).filter((k) => k)));

// What `draw` draws anew in a node keeps the focus: on the control of the same id, data-key or, in the
// same place, name. Where that is gone or can do nothing now, the node itself has the focus: a control
// that took its place would be pressed by whoever goes on pressing the one before.
const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";
const nameOfControl = (each) => each.tagName + (each.getAttribute("aria-label") || each.textContent);
let keeping = false;
function keepFocus(node, draw) {
  const had = document.activeElement, controls = () => [...node.querySelectorAll(FOCUSABLE)];
  if (keeping || had === node || !node.contains(had)) return draw();
  const at = controls().indexOf(had);
  const same = (each) => (had.id ? each.id === had.id : had.dataset.key ? each.dataset.key === had.dataset.key : nameOfControl(each) === nameOfControl(had));
  keeping = true;
  try { draw(); } finally { keeping = false; }
  if (node.contains(document.activeElement)) return;
  const now = controls(), there = now[at];
  const found = there && same(there) ? there : had.id || had.dataset.key ? now.find(same) : null;
  const to = found && !found.disabled ? found : node;
  if (to === node && !node.hasAttribute("tabindex")) node.tabIndex = -1;
  to.focus({ preventScroll: true });
}
// What hears of a change when the focus has gone where it was going: what is drawn anew would take it away.
const afterwards = (f) => (e) => setTimeout(() => f(e));

// Choices that outlive the page; a browser may refuse to keep them for a file.
const kept = {
  get(key) {
    try { return localStorage.getItem("haiyomi." + key); } catch { return null; }
  },
  set(key, value) {
    try { localStorage.setItem("haiyomi." + key, value); } catch { /* not kept */ }
  },
};

// A tile as a picture of its own. Options: turned (a called tile), classes, no alternative text.
function tile(name, { turned = false, cls = "", silent = false } = {}) {
  const use = s("use", { href: "#t-" + name, width: 60, height: 80 });
  if (turned) use.setAttribute("transform", "translate(0 60) rotate(-90)");
  const props = { class: "tile " + (turned ? "turned " : "") + cls, viewBox: turned ? "0 0 80 60" : "0 0 60 80" };
  if (silent) return s("svg", { ...props, "aria-hidden": "true" }, use);
  return s("svg", { ...props, role: "img", "aria-label": tileName(name) }, use);
}

const RISK_STEPS = [0.01, 0.03, 0.06, 0.12];
const riskStep = (p) => RISK_STEPS.filter((step) => p >= step).length;

function percent(p) {
  if (p <= 0) return "0%";
  if (p < 0.0005) return "<.1%";
  return p >= 0.9995 ? "100%" : (100 * p).toFixed(1) + "%";
}
const points = (n) => Math.round(n).toLocaleString("en-US");
// The tiles of a notation such as 34m0p.
const tilesOf = (text) => [...(text || "").matchAll(/(\d+)([mpsz])/g)].flatMap(([, digits, suit]) => [...digits].map((d) => d + suit));
const kindOf = (name) => (name[0] === "0" ? "5" + name[1] : name);
