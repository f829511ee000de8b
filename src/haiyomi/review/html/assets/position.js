// The position editor: tiles are put where they lie, and the model is asked.

const data = JSON.parse(document.getElementById("data").textContent);
setLang(kept.get("lang") || (navigator.language || "en").slice(0, 2));
const WINDS = ["E", "S", "W", "N"];
const fresh = () => ({ seat: "S", round: "E1", honba: 0, indicators: "", hand: "", players: {} });
let position = JSON.parse(JSON.stringify(data.example));
// A review leads here with its position in the address, which never leaves the browser.
if (location.hash.length > 1) {
  try { position = JSON.parse(decodeURIComponent(location.hash.slice(1))); } catch { /* the example stays */ }
}
let target = "hand", meldKind = "pon", meldFrom = "E", checked = false, tsumogiri = false, declares = false, answer = null, problem = "", waiting = 0;
const state = { look: null, picked: null };
const spots = {};

const windWho = (wind) => word("hand.seats")[WINDS.indexOf(wind)] + (wind === position.seat ? " (" + word("whoYou") + ")" : "");
const player = (wind) => ((position.players ??= {})[wind] ??= {});

function place(name) {
  if (target === "hand") position.hand = (position.hand || "") + name;
  else if (target === "drawn") position.drawn = name;
  else if (target === "dora") position.indicators = (position.indicators || "") + name;
  else if (target[0] === "M") {
    (player(target[1]).melds ??= []).push(meldText(name, target[1]));
  } else {
    const one = player(target);
    forgetPassed();
    one.river = ((one.river || "") + " " + name + (tsumogiri ? "*" : "") + (declares ? "!" : "")).trim();
    declares = false;
  }
  changed();
}
function takeBack(from, index) {
  const without = (list) => list.filter((_, i) => i !== index);
  if (from === "hand") position.hand = without(tilesOf(position.hand)).join("");
  else if (from === "drawn") delete position.drawn;
  else if (from === "dora") position.indicators = without(tilesOf(position.indicators)).join("");
  else if (from[0] === "M") { player(from[1]).melds.splice(index, 1); if (!player(from[1]).melds.length) delete player(from[1]).melds; }
  else { forgetPassed(); player(from).river = without(player(from).river.split(" ")).join(" "); }
  changed();
}
// The meld that a click on a tile makes, as the JSON writes it; none where the run does not exist.
function meldText(name, wind) {
  const rank = name[0] === "0" ? 5 : Number(name[0]), suit = name[1], plain = rank + suit;
  const from = " from " + (meldFrom === wind ? WINDS[(WINDS.indexOf(wind) + 3) % 4] : meldFrom);
  if (meldKind === "pon") return "pon " + name + plain + plain + from;
  if (meldKind === "ankan") return "ankan " + plain + plain + plain + name;
  if (meldKind === "daiminkan" || meldKind === "kakan") return meldKind + " " + name + plain + plain + plain + from;
  const own = { low: [1, 2], middle: [-1, 1], high: [-2, -1] }[meldKind.slice(4)].map((by) => rank + by);
  if (suit === "z" || own.some((n) => n < 1 || n > 9)) return null;
  return "chi " + name + own.map((n) => n + suit).join("") + " from " + WINDS[(WINDS.indexOf(wind) + 3) % 4];
}
// What was let pass comes from the rivers again once one of them is another.
function forgetPassed() {
  for (const one of Object.values(position.players || {})) { delete one.passed; delete one.passed_since_riichi; }
}
function changed() { checked = false; draw(); askModel(); }

async function askModel() {
  const turn = ++waiting;
  try {
    const got = await send("POST", "/position/data", { position });
    if (turn !== waiting) return;
    answer = got.decision ? got : null; problem = got.problem || "";
  } catch (error) {
    if (turn !== waiting) return;
    answer = null; problem = error.message;
  }
  state.picked = state.look = null;
  drawAnswer();
}

function build() {
  document.title = "haiyomi – " + word("editor");
  const spot = (name, props = {}) => (spots[name] = h("div", { ...props, id: name }));
  frame("/position", build, h("main", { class: "editor" },
    h("section", { class: "card" }, h("h2", {}, word("position")), spot("form"), spot("palette"), spot("placed"), spot("json")),
    h("section", { class: "card", "aria-label": word("answer") }, h("h2", {}, word("answer")), spot("status", { class: "sr", role: "status" }), spot("answer"))));
  draw(); askModel();
}

function draw() {
  const select = (label, options, value, set) => h("label", { class: "small-field" }, label, h("select", { data: { key: label }, on: { change: (e) => { set(e.target.value); changed(); } } }, options.map(([v, text]) => h("option", { value: v, selected: v === value }, text))));
  const rounds = WINDS.slice(0, 3).flatMap((w, i) => [1, 2, 3, 4].map((n) => [w + n, handLong(i * 4 + n - 1, 0)]));
  replace(spots.form, h("div", { class: "row" },
    select(word("roundName"), rounds, position.round || "E1", (v) => { position.round = v; }),
    select(word("mySeat"), WINDS.map((w, i) => [w, word("hand.seats")[i]]), position.seat, (v) => { position.seat = v; }),
    h("label", { class: "small-field" }, word("honba"), h("input", { type: "number", min: 0, max: 20, value: position.honba || 0, data: { key: "honba" }, on: { change: afterwards((e) => { position.honba = Math.max(0, Math.min(20, Number(e.target.value) || 0)); changed(); }) } })),
    h("button", { type: "button", on: { click: () => { position = JSON.parse(JSON.stringify(data.example)); changed(); } } }, word("example")),
    h("button", { type: "button", on: { click: () => { position = fresh(); target = "hand"; changed(); } } }, word("clear"))));
  const targets = [["hand", word("toHand")], ["drawn", word("toDrawn")], ["dora", word("toDora")], ...WINDS.map((w) => [w, word("toRiver", { who: windWho(w) })]), ...WINDS.map((w) => ["M" + w, word("meldsOf", { who: windWho(w) })])];
  replace(spots.palette,
    h("fieldset", {}, h("legend", {}, word("target")), targets.map(([value, text]) => h("label", { class: "choice" }, h("input", { type: "radio", name: "target", value, checked: target === value, data: { key: "to-" + value }, on: { change: () => { target = value; draw(); } } }), text)),
      target[0] === "M" && [
        h("label", { class: "choice" }, word("meldKind"), h("select", { data: { key: "meld-kind" }, on: { change: (e) => { meldKind = e.target.value; draw(); } } }, ["pon", "chi low", "chi middle", "chi high", "daiminkan", "ankan", "kakan"].map((kind) => h("option", { value: kind, selected: kind === meldKind }, word("meldKinds")[kind])))),
        h("label", { class: "choice" }, word("meldFrom"), h("select", { data: { key: "meld-from" }, on: { change: (e) => { meldFrom = e.target.value; } } }, WINDS.filter((w) => w !== target[1]).map((w) => h("option", { value: w, selected: w === meldFrom }, windWho(w)))))],
      WINDS.includes(target) && [
        h("label", { class: "choice" }, h("input", { type: "checkbox", checked: tsumogiri, data: { key: "tg" }, on: { change: (e) => { tsumogiri = e.target.checked; } } }), word("asTsumogiri")),
        h("label", { class: "choice" }, h("input", { type: "checkbox", checked: declares, data: { key: "rd" }, on: { change: (e) => { declares = e.target.checked; } } }), word("asRiichi"))]),
    h("div", { class: "keys", role: "group", "aria-label": word("place") }, ["m", "p", "s", "z"].map((suit) => h("div", {}, (suit === "z" ? [1, 2, 3, 4, 5, 6, 7] : [1, 2, 3, 4, 5, 0, 6, 7, 8, 9]).map((n) =>
      h("button", { type: "button", class: "key", "aria-label": tileName(n + suit), disabled: target[0] === "M" && !meldText(n + suit, target[1]), data: { key: "k" + n + suit }, on: { click: () => place(n + suit) } }, tile(n + suit, { silent: true })))))));
  const line = (label, from, tiles) => h("div", { class: "lay" + (target === from ? " on" : "") }, h("span", { class: "meta" }, label), h("span", { class: "tiles" }, tiles.map((t, i) =>
    h("button", { type: "button", class: "key" + (t.includes("*") ? " veiled" : ""), "aria-label": word("removeTile", { tile: [tileName(t.slice(0, 2)), t.includes("*") && word("aidsNote.tsumogiri"), t.includes("!") && word("aidsNote.riichi")].filter(Boolean).join(", ") }), data: { key: from + i }, on: { click: () => takeBack(from, i) } }, tile(t.slice(0, 2), { silent: true, turned: t.includes("!") })))));
  replace(spots.placed,
    line(word("toHand"), "hand", tilesOf(position.hand)), line(word("toDrawn"), "drawn", position.drawn ? [position.drawn] : []), line(word("toDora"), "dora", tilesOf(position.indicators)),
    WINDS.map((w) => line(word("toRiver", { who: windWho(w) }), w, (position.players?.[w]?.river || "").split(" ").filter(Boolean))),
    WINDS.map((w) => meldLine(w)),
    h("div", { class: "fields" }, WINDS.map((w) => h("label", { class: "small-field" }, word("scoreOf", { who: windWho(w) }), h("input", { type: "number", step: 100, value: position.players?.[w]?.score ?? 25000, data: { key: "s" + w }, on: { change: afterwards((e) => { player(w).score = Math.round(Number(e.target.value) / 100) * 100 || 0; changed(); }) } }))),
      h("label", { class: "small-field" }, word("sticks"), h("input", { type: "number", min: 0, max: 20, value: position.sticks || 0, data: { key: "sticks" }, on: { change: afterwards((e) => { position.sticks = Math.max(0, Math.min(20, Number(e.target.value) || 0)); changed(); }) } }))));
  replace(spots.json, h("details", { open: spots.json.firstChild?.open }, h("summary", {}, word("json")), h("label", { class: "field" }, word("jsonHow"), h("textarea", { id: "json-text", rows: 10, spellcheck: "false", data: { key: "json" }, on: { change: afterwards((e) => {
    try { position = JSON.parse(e.target.value); changed(); } catch (error) { waiting += 1; answer = null; problem = error.message; checked = true; drawAnswer(); }
  }) } }, JSON.stringify(position, null, 1)))));
}

// The melds of a seat; a click takes one away.
function meldLine(w) {
  const melds = position.players?.[w]?.melds || [];
  return h("div", { class: "lay" + (target === "M" + w ? " on" : "") }, h("span", { class: "meta" }, word("meldsOf", { who: windWho(w) })), h("span", { class: "tiles" }, melds.map((text, i) =>
    h("button", { type: "button", class: "key meld", "aria-label": word("removeTile", { tile: word("meld." + text.split(" ")[0]) + " " + tilesOf(text.split(" ")[1]).map(tileName).join(" ") }), data: { key: "M" + w + i }, on: { click: () => takeBack("M" + w, i) } }, tilesOf(text.split(" ")[1]).map((t) => tile(t, { silent: true }))))));
}

// While a position is being built nothing is wrong yet: what is missing is said when it is checked.
function drawAnswer() {
  if (!answer) spots.status.textContent = "";
  if (!answer && !checked) return replace(spots.answer, h("p", { class: "why" }, word("noAnswer")), h("button", { type: "button", class: "primary", id: "check", on: { click: () => { checked = true; drawAnswer(); document.getElementById("problem")?.focus(); } } }, word("check")));
  if (!answer) return replace(spots.answer, h("p", { class: "bad", id: "problem", tabindex: -1, role: "alert", lang: "en" }, problem), h("p", { class: "why" }, word("noAnswer")));
  const d = answer.decision;
  const who = (r) => (r === 0 ? word("you") : word("hand.seats")[(r - d.b.d + 4) % 4]);
  const detail = h("div", { id: "detail" });
  const show = () => {
    const c = d.c.find((one) => one.t === (state.look || state.picked || d.w)) || d.c[0];
    const other = d.c.find((one) => one.t === d.s);
    const notes = (one) => [one.t === d.s && word("safest"), one.t === d.w && word("forward"), one.no && word("swap")].filter(Boolean).join(" · ");
    replace(detail, comparison(d, c, other && other.t !== c.t ? other : null, who, notes, answer.clear), splitPanel(d, c, who, answer.steps), stylesPanel(d), d.hands && handsPanel(d, d.hands, who));
  };
  const drawHand = () => handView({ d, picked: state.picked, pinned: null, hidden: false,
    pick: (name) => { state.picked = name; replace(own, drawHand()); show(); },
    look: (name) => { state.look = name; show(); } });
  const own = h("div", {});
  replace(own, drawHand());
  show();
  spots.status.textContent = word("safest") + ": " + tileName(d.s);
  return replace(spots.answer, tableSvg(d.b, true, -1), tableWords(d.b, who, true), own, detail);
}
build();
