// Drills: one's own costliest decisions as questions, repeated at growing intervals.

const data = JSON.parse(document.getElementById("data").textContent);
setLang(kept.get("lang") || data.lang);
let theme = kept.get("theme") || "auto";
// Days until a question comes again, by how often in a row it was known.
const DAYS = [0, 1, 3, 7, 16, 35, 90];
const today = Math.floor(Date.now() / 86400000);
const stored = (card) => { try { return JSON.parse(kept.get("drill." + card.id)) || { box: 0, due: 0 }; } catch { return { box: 0, due: 0 }; } };
const state = { queue: data.cards.filter((card) => stored(card).due <= today), answered: null, known: 0, asked: 0 };
const app = document.getElementById("app");
const nameOf = (card, r) => card.names[(card.seat + r) % 4] || word("seatName", { n: ((card.seat + r) % 4) + 1 });

// `on`: to the next question, or to its answer.
function build(on = false) {
  setLang(lang);
  document.documentElement.dataset.theme = theme;
  document.title = "haiyomi – " + word("drillTitle", { name: data.player });
  const card = state.queue[0];
  replace(app,
    h("header", { class: "top" }, h("div", { class: "brand" }, h("h1", {}, h("span", { class: "logo", lang: "ja", "aria-hidden": "true" }, "牌読み"), " ", word("drillTitle", { name: data.player }))),
      h("div", { class: "tools" },
        h("button", { type: "button", id: "theme", on: { click: () => { theme = { auto: "light", light: "dark", dark: "auto" }[theme]; kept.set("theme", theme); build(); } } }, word("theme") + ": " + word("themes." + theme)),
        languageChoice(build))),
    h("p", { class: "why", id: "progress", role: "status" }, word("drillLeft", { n: state.queue.length, known: state.known, asked: state.asked })),
    card ? question(card) : h("main", { class: "single" }, h("section", { class: "card" }, h("p", { class: "lead" }, word(data.cards.length ? "drillDone" : "drillNone")),
      data.cards.length > 0 && h("button", { type: "button", class: "primary", id: "again", on: { click: () => { state.queue = [...data.cards]; state.answered = null; build(true); } } }, word("drillAgain")))));
  if (on) document.getElementById(state.answered === null ? "ask" : "next")?.focus({ preventScroll: true });
}

// Options are asked for in the order of the hand, which says nothing about their values.
function orderOf(text) {
  const [act, tiles] = parseOption(text);
  return act + tiles.map((t) => t[1] + kindOf(t)[0] + t[0]).join("");
}

function question(card) {
  const { d } = card, who = (r) => (r === 0 ? word("you") : nameOf(card, r));
  const answered = state.answered !== null;
  const hidden = { ...d, t: answered ? d.t : null, c: d.c && d.c.map((c) => (answered ? c : { ...c })) };
  const hand = handView({ d: hidden, picked: null, pinned: null, hidden: !answered, pick: (name) => { const found = d.op.find((o) => o[0] === "discard " + name); if (found && !answered) answer(card, found[0]); }, look: () => {} });
  return h("main", { class: "review" }, h("div", { id: "table" }, tableSvg(d.b, true, d.of ? d.of[1] : d.b.drawn && parseRiver(d.b.p[3].v).length ? 3 : -1)), h("div", { id: "own" }, hand),
    h("div", { class: "side" },
      h("section", { class: "card", id: "ask", tabindex: -1 }, h("h2", {}, handLong(card.k, card.h) + " · " + word("turn", { n: d.u })), h("p", { class: "meta" }, card.game),
        d.of && h("p", {}, word(d.of[2] ? "offeredKan" : "offered", { name: who(d.of[1]) }), " ", tile(d.of[0], { cls: "inline" })),
        answered ? result(card) : [h("p", { class: "headline" }, word("drillAsk")),
          h("div", { class: "row answers" }, [...d.op].sort((a, b) => (orderOf(a[0]) < orderOf(b[0]) ? -1 : 1)).map((o) => h("button", { type: "button", "aria-label": optionText(o[0], d.of?.[0]), data: { option: o[0] }, on: { click: () => answer(card, o[0]) } }, optionView(o[0], d.of?.[0]))))]),
      answered && h("div", { id: "detail" }, optionsPanel(d, state.answered), d.c && splitPanel(d, d.c.find((c) => c.t === d.t) || d.c[0], who, data.steps), stylesPanel(d))),
    h("div", { id: "words" }, tableWords(d.b, who, true)));
}

// What an answer gives up, in points: on the scale on which the decision itself was measured.
function costOf(d, name) {
  const at = d.op[0][OPTION.value] === null ? OPTION.points : OPTION.value, of = (text) => d.op.find((o) => o[0] === text)[at];
  const best = bestOf(d)[OPTION.name], whole = of(best) - of(d.dn);
  return whole > 0 ? (d.v[2] * (of(best) - of(name))) / whole : name === best ? 0 : d.v[2];
}
function answer(card, name) {
  const right = costOf(card.d, name) <= card.d.v[3], { box } = stored(card);
  const next = right ? Math.min(box + 1, DAYS.length - 1) : 0;
  kept.set("drill." + card.id, JSON.stringify({ box: next, due: today + DAYS[next] }));
  state.answered = name; state.asked += 1; state.known += right ? 1 : 0;
  build(true);
}
function result(card) {
  const { d } = card, right = costOf(d, state.answered) <= d.v[3], next = DAYS[stored(card).box];
  return [h("p", { class: "headline" + (right ? "" : " bad"), id: "result" }, word(right ? "drillRight" : "drillWrong", { option: optionText(state.answered, d.of?.[0]) })),
    d.why && h("p", { class: "reason" }, d.why[lang]),
    h("p", { class: "verdict" }, word("drillGame", { done: optionText(d.dn, d.of?.[0]), better: optionText(bestOf(d)[OPTION.name], d.of?.[0]), n: points(d.v[2]), e: points(d.v[3]) })),
    h("p", { class: "why" }, next > 1 ? word("drillNext", { n: next }) : word(next ? "drillTomorrow" : "drillSoon")),
    h("button", { type: "button", class: "primary", id: "next", on: { click: () => { const [first, ...rest] = state.queue; state.queue = right ? rest : [...rest, first]; state.answered = null; build(true); scrollTo(0, 0); } } }, word("drillGo"))];
}
build(true);
