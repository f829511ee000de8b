// The review page: one decision at a time, with everything around it.

const data = JSON.parse(document.getElementById("data").textContent);
const state = { hand: 0, at: 0, look: null, picked: null, pinned: null, aids: kept.get("aids") !== "off", quiz: kept.get("quiz") === "on", guessed: new Set(), severity: data.listed.severity || 1, category: (data.listed.categories || []).join(), worst: data.listed.worst || 0 };
setLang(kept.get("lang") || data.lang);
let theme = kept.get("theme") || "auto";

const current = () => data.hands[state.hand]?.d[state.at];
const nameOf = (seat) => data.names[seat] || word("seatName", { n: seat + 1 });
const rel = (r) => (data.seat + r) % 4;
const who = (r) => (r === 0 ? word("you") : nameOf(rel(r)));
const byAbsolute = (seat) => (seat === data.seat ? word("you") : nameOf(seat));
const keyNow = () => state.hand + "." + state.at;
const all = data.hands.flatMap((hand, i) => hand.d.map((_, j) => [i, j]));
// The mistakes that the filters leave, costliest first, and in the order of the game.
function listedNow() {
  const some = state.category.split(",");
  const found = data.mistakes.filter(([i, j]) => {
    const [severity, category] = data.hands[i].d[j].v;
    return severity >= state.severity && (!state.category || some.includes(category));
  });
  return found.slice(0, state.worst || found.length);
}
let listed = listedNow(), mistakes = [];

const app = document.getElementById("app");
const spots = {};

function build() { keepFocus(app, compose); }
function compose() {
  setLang(lang);
  document.documentElement.dataset.theme = theme;
  document.title = [word("title"), nameOf(data.seat), data.record].filter(Boolean).join(" – ");
  const spot = (name, tag = "div", props = {}) => (spots[name] = h(tag, { ...props, id: name }));
  replace(app,
    h("a", { class: "skip", href: "#decision", on: { click: (e) => { e.preventDefault(); spots.decision.focus(); } } }, word("skip")),
    h("header", { class: "top" },
      h("div", { class: "brand" }, h("h1", {}, h("span", { class: "logo", "aria-hidden": "true", lang: "ja" }, "牌読み"), " ", nameOf(data.seat)), data.record && h("span", { class: "meta record", title: data.record }, data.record), data.list && h("a", { href: data.list }, word("toList")), data.home && h("a", { href: data.home }, "haiyomi")),
      spot("tools", "div", { class: "tools", role: "group", "aria-label": word("tools") })),
    h("main", { class: "whole" },
      spot("summary", "section", { class: "summary", "aria-label": word("summaryTitle") }),
      spot("filters"), spot("nav", "nav", { "aria-label": word("timeline") }),
      h("div", { class: "review" },
        spot("table"), spot("own"),
        h("div", { class: "side" }, spot("decision", "div", { tabindex: -1 }), spot("status", "p", { class: "sr", role: "status" }), spot("detail")), spot("words"),
        h("section", { class: "wide" }, h("h2", {}, word("timeline")), spot("timeline"), h("p", { class: "why" }, word("timelineHow"))), spot("reading", "div", { class: "wide" })),
      h("section", { class: "wide" }, h("h2", {}, word("mistake")), spot("mistakes")),
      h("section", { class: "wide" }, h("h2", {}, word("worst")), spot("worst"), spot("totals", "p"))),
    h("footer", {}, h("p", {}, word("about", { model: data.model }) + " " + word("aboutVerdicts", { margin: data.margin }))),
    spot("help", "dialog", { "aria-label": word("help") }));
  tools();
  replace(spots.worst, worstTable(data, who, go));
  spots.totals.textContent = summaryText();
  helpDialog();
  draw();
}

// What the switches of the tools do.
const switches = () => ({ aids: word("aidsHow"), quiz: word("quizHow"), ...(data.key && { memory: word("memoryHow") }) });
function tools() {
  const toggle = (id, on, f) => h("button", { type: "button", class: "toggle", id, "aria-pressed": on, title: switches()[id], on: { click: f } }, word(id));
  replace(spots.tools,
    toggle("aids", state.aids, toggleAids), toggle("quiz", state.quiz, toggleQuiz),
    h("button", { type: "button", id: "theme", on: { click: nextTheme }, title: word("theme") }, word("theme") + ": " + word("themes." + theme)),
    data.key && toggle("memory", data.forgets, otherMemory),
    languageChoice(build),
    h("button", { type: "button", id: "keys", "aria-haspopup": "dialog", on: { click: () => spots.help.showModal() } }, word("help") + " ?"));
}
function toggleAids() { state.aids = !state.aids; kept.set("aids", state.aids ? "on" : "off"); tools(); draw(); }
// The same seat reviewed with the other memory: a review of its own, made where there is none.
async function otherMemory() {
  const body = JSON.stringify({ record_id: data.recordId, seat: data.seat, model: data.forgets ? "posterior" : "posterior:no-tedashi" });
  const reply = await fetch("/api/v1/reviews", { method: "POST", headers: { "content-type": "application/json" }, body });
  if (reply.ok) location.assign("/reviews/" + (await reply.json()).id + location.hash);
}
function toggleQuiz() { state.quiz = !state.quiz; kept.set("quiz", state.quiz ? "on" : "off"); tools(); draw(); }
function nextTheme() {
  theme = { auto: "light", light: "dark", dark: "auto" }[theme];
  kept.set("theme", theme); document.documentElement.dataset.theme = theme; tools();
}
function nextLang() { keepLang(nextOf(lang)); build(); }

// Whether single keys are shortcuts; one that is typed into a field never is.
let shortcuts = kept.get("shortcuts") !== "off";
const KEYS = ["← →", "↑ ↓", "n p", "[ ]", "c", "Enter", "a", "g", "t", "l", "?", "Esc"];
function helpDialog() {
  replace(spots.help, h("h2", {}, word("help")),
    h("label", { class: "choice" }, h("input", { type: "checkbox", checked: shortcuts, on: { change: (e) => { shortcuts = e.target.checked; kept.set("shortcuts", shortcuts ? "on" : "off"); } } }), word("shortcuts")),
    h("dl", {}, KEYS.map((keys, i) => [h("dt", {}, keys.split(" ").filter(Boolean).map((k) => h("kbd", {}, k))), h("dd", {}, word("keys." + i))])),
    h("h2", {}, word("tools")), h("dl", {}, Object.entries(switches()).map(([id, how]) => [h("dt", {}, word(id)), h("dd", {}, how)])),
    h("h2", {}, word("optionsTitle")), h("dl", {}, Object.entries(word("optionHow")).map(([key, how]) => [h("dt", {}, word("optionCol")[key]), h("dd", {}, how)])),
    h("button", { type: "button", on: { click: () => spots.help.close() } }, word("close")));
}

function summaryText() {
  const { n, exp, least, times, lost } = data.sum;
  return n ? word("summary", { n, exp: points(exp), least: points(least), times, lost: points(lost) }) : word("empty");
}

// -- moving --------------------------------------------------------------------------------

function go(hand, at, focus = false) {
  if (!data.hands[hand]) return;
  const top = data.hands[hand].d.length;
  state.hand = hand; state.at = Math.max(0, Math.min(at, top - 1));
  state.picked = state.pinned = state.look = null;
  const d = current();
  // Written as an address that opens here again, without a new step in the history.
  try { history.replaceState(null, "", "#h" + data.hands[hand].i + (d ? "e" + d.e : "")); } catch { /* a file may refuse */ }
  draw();
  if (focus) { spots.decision.focus({ preventScroll: true }); spots.table.scrollIntoView({ block: "start" }); }
  else spots.status.textContent = [...spots.decision.querySelectorAll("h2, .headline, .reason, .verdict")].map((each) => each.textContent).join(" ");
}
function step(by) {
  const index = all.findIndex(([i, j]) => i === state.hand && j === state.at);
  const next = all[index + by];
  if (next) go(...next);
}
function stepHand(by) {
  for (let i = state.hand + by; i >= 0 && i < data.hands.length; i += by) if (data.hands[i].d.length) return go(i, 0);
}
function stepMistake(by) {
  const order = by > 0 ? mistakes : [...mistakes].reverse();
  const next = order.find(([i, j]) => by * ((i - state.hand) * 1000 + j - state.at) > 0);
  if (next) go(...next);
}
function stepCandidate(by) {
  const d = current(); if (!d) return;
  if (!d.c) return;
  const order = [...new Set([...d.b.hand, d.b.drawn].filter(Boolean))].filter((t) => d.c.some((c) => c.t === t));
  const now = order.indexOf(rightName(d));
  pick(order[(now + by + order.length) % order.length]);
}
function pick(name) {
  if (hiddenNow()) state.guessed.add(keyNow());
  state.picked = name; state.look = null;
  draw();
}

document.addEventListener("keydown", (e) => {
  if (!shortcuts || e.ctrlKey || e.metaKey || e.altKey || spots.help?.open || /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName)) return;
  const inScroll = e.target.classList?.contains("scroll");
  const keys = {
    ArrowLeft: () => step(-1), ArrowRight: () => step(1), ArrowUp: () => stepHand(-1), ArrowDown: () => stepHand(1),
    n: () => stepMistake(1), p: () => stepMistake(-1), "[": () => stepCandidate(-1), "]": () => stepCandidate(1),
    c: () => { const d = current(); if (!d || !d.c) return; state.pinned = state.pinned ? null : rightName(d); state.picked = null; draw(); },
    a: toggleAids, g: toggleQuiz, t: nextTheme, l: nextLang, "?": () => spots.help.showModal(),
  };
  const f = keys[e.key];
  if (!f || (inScroll && e.key.startsWith("Arrow"))) return;
  e.preventDefault(); f();
});

// -- drawing -------------------------------------------------------------------------------

const hiddenNow = () => { const d = current(); return state.quiz && d && !d.f && !state.guessed.has(keyNow()); };
const leftName = (d) => state.pinned || d.t || d.w;
// What stands on the right: looked at, picked, or else the best discard.
function rightName(d) { return state.look || state.picked || bestTile(d) || d.w; }
function bestTile(d) {
  const [act, [t]] = d.op ? parseOption(bestOf(d)[OPTION.name]) : ["", []];
  return act === "discard" || act === "riichi" ? t : null;
}

function draw() {
  const d = current();
  listed = listedNow();
  const left = new Set(listed.map(String));
  mistakes = all.filter((at) => left.has(String(at)));
  drawSummary();
  replace(spots.timeline, timelineView(data, [state.hand, state.at], go, left));
  replace(spots.mistakes, mistakeTable(data, go, listed));
  drawNav(d);
  if (!d) { replace(spots.table); replace(spots.own); replace(spots.words); replace(spots.detail); replace(spots.reading); replace(spots.decision, h("p", {}, word("empty"))); return; }
  const latest = latestSeat(d);
  const wordsOpen = spots.words.firstChild?.open;
  replace(spots.table, tableSvg(d.b, state.aids, latest));
  replace(spots.words, tableWords(d.b, who, state.aids));
  if (wordsOpen) spots.words.firstChild.open = true;
  drawOwn(d); drawPlayers(d); drawDetail(d);
  replace(spots.reading, !hiddenNow() && d.hands && handsPanel(d, d.hands, who));
}

// Drawn anew where the list changed or a mistake was played on.
function drawSummary() { replace(spots.summary, summaryView(data, listed, go)); }

function latestSeat({ b, of }) {
  if (of) return of[1];
  if (!b.drawn) return -1;
  return parseRiver(b.p[3].v).length ? 3 : -1;
}

function drawOwn(d) {
  replace(spots.own, handView({
    d, picked: state.picked, pinned: state.pinned, hidden: hiddenNow(), pick,
    look: (name) => { if (hiddenNow()) return; state.look = name; drawDetail(d); },
  }));
}

function drawNav(d) {
  const index = all.findIndex(([i, j]) => i === state.hand && j === state.at);
  const button = (key, text, f, off) => h("button", { type: "button", "aria-label": word(key), title: word(key), disabled: off, data: { key }, on: { click: f } }, text);
  const hands = h("select", { "aria-label": word("col.hand"), data: { key: "hand" }, on: { change: (e) => go(Number(e.target.value), 0) } },
    data.hands.map((hand, i) => h("option", { value: i, selected: i === state.hand }, handLong(hand.k, hand.h))));
  const ahead = mistakes.some(([i, j]) => (i - state.hand) * 1000 + j - state.at > 0);
  const before = mistakes.some(([i, j]) => (i - state.hand) * 1000 + j - state.at < 0);
  replace(spots.nav,
    h("span", { class: "group" }, button("prevHand", "«", () => stepHand(-1), false), hands, button("nextHand", "»", () => stepHand(1), false)),
    h("span", { class: "group" }, button("prev", "‹", () => step(-1), index <= 0),
      h("span", { class: "where" }, d ? word("turn", { n: d.u }) : "–", h("small", {}, index >= 0 ? " " + (index + 1) + "/" + all.length : "")),
      button("next", "›", () => step(1), index < 0 || index >= all.length - 1)),
    h("span", { class: "group" }, button("prevMistake", "‹", () => stepMistake(-1), !before),
      h("span", { class: "where" }, word("mistake") + " ", h("small", {}, String(mistakes.length))), button("nextMistake", "›", () => stepMistake(1), !ahead)));
  replace(spots.filters, data.mistakes.length > 0 && filters());
}

// Which mistakes to list and to walk through.
const worstOf = data.listed.worst || 3;
function filters() {
  const select = (label, value, options, set) => h("select", { "aria-label": label, data: { key: label }, on: { change: (e) => { set(e.target.value); draw(); } } },
    options.map(([v, text]) => h("option", { value: v, selected: String(v) === String(value) }, text)));
  const there = new Set(data.mistakes.map(([i, j]) => data.hands[i].d[j].v[1]));
  const several = state.category.includes(",") ? [[state.category, state.category.split(",").map((c) => word("category")[c]).join(word("listSeparator"))]] : [];
  return h("span", { class: "group filters" },
    select(word("bySeverity"), state.severity, [1, 2, 3].map((n) => [n, word("fromSeverity")[SEVERITY[n]]]), (v) => { state.severity = Number(v); }),
    select(word("byCategory"), state.category, [["", word("everyCategory")], ...several, ...data.categories.filter((c) => there.has(c)).map((c) => [c, word("category")[c]])], (v) => { state.category = v; }),
    h("button", { type: "button", class: "toggle", id: "three", "aria-pressed": state.worst > 0, on: { click: () => { state.worst = state.worst ? 0 : worstOf; draw(); } } }, word("onlyWorst", { n: worstOf })));
}

function drawPlayers(d) {
  const hand = data.hands[state.hand];
  const hidden = hiddenNow();
  const wind = (r) => word("hand.seats")[(r - d.b.d + 4) % 4];
  const last = state.at === hand.d.length - 1;
  replace(spots.decision,
    h("h2", {}, handLong(d.b.k, d.b.h) + " · " + word("turn", { n: d.u })),
    (d.need ?? hand.need)?.[lang].map((line) => h("p", { class: "meta" }, line)),
    hidden
      ? h("div", { class: "ask" }, h("p", {}, word("quizAsk")), h("button", { type: "button", on: { click: () => { state.guessed.add(keyNow()); draw(); } } }, word("reveal")))
      : [headline(d, byAbsolute, who), d.why && h("p", { class: "reason" }, d.why[lang]), verdictLine(d), confirmedLine(d), d.bs && besideChoice(d.bs)],
    h("ul", { class: "players" }, [1, 2, 3].map((r) => h("li", { class: SEAT_CLASS[r] },
      h("span", { class: "who " + SEAT_CLASS[r] }, nameOf(rel(r))),
      h("span", { class: "meta" }, wind(r) + " · " + points(d.b.p[r].sc)),
      h("span", { class: "tenpai" }, d.b.p[r].r ? h("strong", {}, word("riichi")) : d.p && [word("tenpai") + " ", hidden ? "?" : percent(d.p[r - 1])],
        d.p && h("span", { class: "meter", "aria-hidden": "true", css: { "--w": hidden ? 0 : d.p[r - 1] } }))))),
    data.home && d.c && h("p", { class: "to-editor" }, h("a", { href: "/position#" + encodeURIComponent(JSON.stringify(positionOf(d.b))) }, word("openEditor"))),
    last && !hidden && h("div", { class: "ending" }, h("strong", {}, word("ended") + ": "), hand.en.map((e) => endingText(e, byAbsolute)).join(" · ")));
}

function drawDetail(d) {
  if (hiddenNow()) return replace(spots.detail);
  if (!d.c) return replace(spots.detail, optionsPanel(d), whatIfPanel(data.hands[state.hand], d, keyNow()), truthPanel(d, who), stylesPanel(d));
  const find = (name) => d.c.find((c) => c.t === name);
  const left = find(leftName(d)) || d.c[0];
  let right = find(rightName(d));
  if (!right || right.t === left.t) right = null;
  const notes = (c) => [c.t === d.t && word("discarded"), c.t === state.pinned && word("pinned"), c.t === d.s && word("safest"), c.no && word("swap"),
    state.aids && word("unseenHow", { n: 4 - Number(d.b.seen[KINDS.indexOf(kindOf(c.t))]) })].filter(Boolean).join(" · ");
  return replace(spots.detail, optionsPanel(d, state.look || state.picked ? "discard " + (state.look || state.picked) : null), whatIfPanel(data.hands[state.hand], d, keyNow()),
    h("section", {}, comparison(d, left, right, who, notes, data.clear)), splitPanel(d, state.look || state.picked ? right || left : left, who, data.steps),
    truthPanel(d, who), stylesPanel(d));
}

// -- opening -------------------------------------------------------------------------------

function open() {
  const match = /^#h(\d+)(?:e(\d+))?$/.exec(location.hash);
  if (match) {
    const hand = data.hands.findIndex((one) => one.i === Number(match[1]));
    if (hand >= 0) { state.hand = hand; state.at = Math.max(0, data.hands[hand].d.findIndex((d) => d.e === Number(match[2]))); return; }
  }
  // The address of a mistake in a player's list: the hand by its name, the turn.
  const named = /^#([ESWN])([1-4])(?:\.(\d+))?t(\d+)$/.exec(location.hash);
  if (named) {
    const k = "ESWN".indexOf(named[1]) * 4 + Number(named[2]) - 1, hand = data.hands.findIndex((one) => one.k === k && one.h === Number(named[3] || 0));
    if (hand >= 0) { state.hand = hand; state.at = Math.max(0, data.hands[hand].d.findIndex((d) => d.x && d.u === Number(named[4]))); return; }
  }
  const first = data.hands.findIndex((hand) => hand.d.length);
  state.hand = Math.max(0, first);
}
open();
build();
confirmCostliest((d) => { drawSummary(); if (d === current()) drawPlayers(d); });
