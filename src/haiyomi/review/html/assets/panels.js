// What the model says of a tile: the split over the opponents, the points, two tiles compared.

const SEAT_CLASS = ["self", "right", "across", "left"];

function reasonOrRisk(r) {
  if (r[2] && r[0] === 0) return word("reasonShort." + r[2]);
  return percent(r[0]);
}

// Two candidates side by side: rows of (label, left, right). The better one is marked where the
// difference is clear: `least` of the row, which the models' errors do not reach.
function comparison(d, left, right, who, notes, clear) {
  const cell = (text, better) => h("td", { class: better ? "better" : "" }, text, better && h("span", { class: "sr" }, " " + word("better")));
  const line = (label, a, b, x, y, least, lowIsGood = true) => {
    const lead = (lowIsGood ? 1 : -1) * (y - x);
    return h("tr", {}, h("th", { scope: "row" }, label), cell(a, right && lead >= least), right && cell(b, -lead >= least));
  };
  const shanten = (c) => (c.n === undefined ? "–" : c.n === 0 ? word("atTenpai") : word("shanten", { n: c.n }));
  const head = (c) => h("th", { scope: "col" }, h("span", { class: "head-tile" }, tile(c.t), h("span", { class: "note" }, notes(c))));
  return h("table", { class: "compare" },
    h("caption", {}, word("compare")),
    h("thead", {}, h("tr", {}, h("td", {}), head(left), right && head(right))),
    h("tbody", {},
      line(word("risk"), percent(left.p), right && percent(right.p), left.p, right?.p, clear.risk),
      line(word("loss"), points(left.l), right && points(right.l), left.l, right?.l, clear.loss),
      line(word("shantenRow"), shanten(left), right && shanten(right), left.n, right?.n, 1),
      d.op && [["winAll", OPTION.win, percent, clear.win], ["evRow", OPTION.points, signed, clear.points]].map(([key, at, show, least]) => {
        const of = (c) => (c.t === d.t ? d.dn : "discard " + c.t), [x, y] = [left, right].map((c) => c && d.op.find((o) => o[OPTION.name] === of(c)));
        return x && (!right || y) && line(word(key), show(x[at]), y && show(y[at]), x[at], y?.[at], least, false);
      }),
      d.bs && besideRows(d.bs, left, right, line),
      [0, 1, 2].map((i) => line(
        h("span", { class: "who " + SEAT_CLASS[i + 1] }, word("against", { name: who(i + 1) })),
        reasonOrRisk(left.r[i]), right && reasonOrRisk(right.r[i]), left.r[i][0], right?.r[i][0], clear.risk))));
}

// Another program's share and value of the two; the marks are left to our own numbers.
function besideRows([name, options], left, right, line) {
  const of = (c) => c && options.find(([action, t]) => action === "dahai" && t === c.t);
  const [x, y] = [of(left), of(right)];
  const show = (option, at, text) => (option ? text(option[at]) : "–");
  return [[name, 3, percent], [name + " Q", 2, (n) => n.toFixed(2)]].map(([label, at, text]) =>
    line(label, show(x, at, text), right && show(y, at, text), 0, 0, 1));
}

function besideChoice([name, options]) {
  const [action, t, , share] = options[0];
  return h("p", { class: "beside" }, name + ": ", t ? tile(t, { cls: "inline" }) : word("option." + action), " " + percent(share));
}

// For one tile, each opponent: probability, why nil, and the points distribution as bars.
function splitPanel(d, c, who, steps) {
  const whole = c.r.reduce((sum, r) => sum + r[0], 0);
  return h("section", { class: "split", "aria-label": word("split") },
    h("h3", {}, tile(c.t, { cls: "inline" }), " ", word("split")),
    whole > 0 && h("div", { class: "share", "aria-hidden": "true" }, c.r.map((r, i) =>
      h("span", { class: "part " + SEAT_CLASS[i + 1], css: { "--w": r[0] / whole } }))),
    h("ul", {}, c.r.map((r, i) => h("li", {},
      h("div", { class: "line" },
        h("span", { class: "who " + SEAT_CLASS[i + 1] }, who(i + 1)),
        h("span", { class: "state" }, stateOf(d, i + 1)),
        h("strong", {}, percent(r[0]))),
      r[2] ? h("p", { class: "why" }, word("reason." + r[2])) : r[3] && distribution(r, steps),
      waitList(d, c, i)))));
}

function stateOf(d, seat) {
  const player = d.b.p[seat];
  if (player.r) return word("riichi");
  const melds = (player.m || []).filter((m) => m[0] !== "ankan").length;
  return word("tenpai") + " " + Math.round(100 * d.p[seat - 1]) + "%" + (melds ? " · " + word("openMelds", { n: melds }) : "");
}

function distribution(r, steps) {
  const top = Math.max(...r[3]);
  const name = (i) => i === 0 ? "<" + kilo(steps[0]) : i === steps.length ? kilo(steps[i - 1]) + "+" : kilo(steps[i - 1]) + "–";
  const said = r[3].map((share, i) => share >= 5 && name(i) + ": " + Math.round(share / 10) + "%").filter(Boolean).join(", ");
  return h("figure", { class: "points" },
    h("div", { class: "columns", role: "img", "aria-label": word("distribution") + ": " + said },
      r[3].map((share, i) => h("span", { class: "column" },
        h("span", { class: "fill", css: { "--h": top ? share / top : 0 } }), h("span", { class: "tick" }, name(i))))),
    h("figcaption", {}, word("mean", { n: points(r[1]) })));
}
const kilo = (n) => (n % 1000 ? (n / 1000).toFixed(1) : n / 1000) + "k";

// What was done and what came of it, in one line; on another's tile first that tile.
function headline(d, names, who) {
  const t = d.t && tileText(d.t);
  const offered = d.of && h("span", { class: "offered" }, word(d.of[2] ? "offeredKan" : "offered", { name: who(d.of[1]) }), " ", tile(d.of[0], { cls: "inline" }), " ");
  if (!d.t) return h("p", { class: "headline" }, offered, d.of && "→ ", h("span", { class: "did" }, optionView(d.dn, d.of?.[0])));
  const did = d.a === "riichi" ? word("declares", { tile: t }) : d.a === "kakan" ? word("kakan", { tile: t }) : word("discards", { tile: t });
  const how = d.a === "kakan" ? "" : " (" + (d.f ? word("forced") : word(d.g ? "tsumogiri" : "tedashi")) + ")";
  return h("p", { class: "headline" + (d.o.kind === "dealt-in" ? " bad" : "") }, offered,
    h("span", { class: "did" }, tile(d.t, { cls: "inline", silent: true }), " " + did + how + ". "), cameOf(d.o, names));
}

function cameOf(o, names) {
  if (o.kind === "dealt-in") {
    return o.wins.map((w) => word("dealt", { name: names(w.by), n: points(w.points) }) +
      (w.han ? " (" + word("worth", { han: w.han, fu: w.fu ?? "–" }) + ")" : "")).join(" ");
  }
  if (o.kind === "called") return word("called", { name: names(o.by), call: word("calls." + o.call) });
  return word(o.kind === "aborted" ? "aborted" : "passed");
}
const cameShort = (o) => !o ? "–" : word("cameShort." + o.kind, { n: points(o.points || 0) });

function endingText(e, names) {
  if (e.kind === "ron" || e.kind === "tsumo") {
    const you = e.seat === data.seat ? "-you" : "";
    return word("ends." + e.kind + you, { winner: names(e.seat), loser: names(e.target), n: points(e.deltas[e.seat]) });
  }
  if (e.kind === "exhaustive-draw") {
    if (e.nagashi.length) return word("ends.nagashi", { who: e.nagashi.map(names).join(", ") });
    const who = (e.tenpai || []).map((t, i) => t && names(i)).filter(Boolean);
    return word("ends.exhaustive", { who: who.join(", ") || word("nobody") });
  }
  return word("ends.abortive");
}

function truthPanel(d, who) {
  if (!d.z) return null;
  return h("section", { class: "truth" }, h("h3", {}, word("truth")), h("ul", {}, d.z.map(([waits, ron, held], i) =>
    h("li", {}, h("span", { class: "who " + SEAT_CLASS[i + 1] }, who(i + 1)), " ",
      waits.length ? waits.map((name) => h("span", { class: "wait" + (ron.includes(name) ? "" : " mute") }, tile(name, { cls: "inline" }), !ron.includes(name) && h("small", {}, word("cannotRon")))) : word("noten"),
      held.length > 0 && h("span", { class: "held-then" }, held.map((name) => tile(name, { cls: "inline" })))))));
}
