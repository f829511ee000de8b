// A player's games: deal-ins and points against what was expected.

const data = JSON.parse(document.getElementById("data").textContent);
setLang(kept.get("lang") || data.lang);
let theme = kept.get("theme") || "auto";
const one = (n) => n.toFixed(1);

function build() {
  setLang(lang);
  document.documentElement.dataset.theme = theme;
  document.title = "haiyomi – " + data.player;
  const t = data.total, games = data.games.length;
  const card = (name, value, ...rest) => h("div", { class: "card figure" }, h("h2", {}, name), h("p", { class: "value" }, value), rest.map((text) => text && h("p", { class: "why" }, text)));
  replace(document.getElementById("app"),
    h("header", { class: "top" }, h("div", { class: "brand" }, h("h1", {}, h("span", { class: "logo", lang: "ja", "aria-hidden": "true" }, "牌読み"), " ", word(games === 1 ? "statsTitleOne" : "statsTitle", { name: data.player, n: games })), data.home && h("a", { href: data.home }, "haiyomi")),
      h("div", { class: "tools" },
        h("button", { type: "button", id: "theme", on: { click: () => { theme = { auto: "light", light: "dark", dark: "auto" }[theme]; kept.set("theme", theme); build(); } } }, word("theme") + ": " + word("themes." + theme)),
        languageChoice(build))),
    h("main", { class: "single" },
      h("div", { class: "figures" },
        card(word("dealIns"), t.deal_ins, word("expectedN", { n: one(t.expected_deal_ins), s: one(t.spread) })),
        card(word("pointsLost"), points(t.points_lost), word("expectedN", { n: points(t.expected_loss), s: points(t.spread_points) })),
        card(word("luck"), (t.luck_points < 0 ? "−" : "+") + points(Math.abs(t.luck_points)), word("luckHow." + (t.luck_points < 0 ? "bad" : "good")), t.spread_points > 0 && word("inSd", { n: one(Math.abs(t.luck_points) / t.spread_points) })),
        card(word("mistakesN"), t.mistakes, word("mistakesHow", { m: data.margin, c: points(t.mistake_cost) }), games > 0 && word("perGame", { n: one(t.mistakes / games) }))),
      data.career.rates.length && h("section", { class: "card" }, h("h2", {}, word("careerTitle")), careerTable(), placesLine(), h("p", { class: "why" }, word("careerHow", { n: WINDOW() }))),
      data.given_up.decisions > 0 && h("section", { class: "card" }, h("h2", {}, word("workOn")), workOn()),
      h("section", { class: "card" }, h("h2", {}, word("trend")), trend(), h("p", { class: "why" }, word("trendHow"))),
      h("section", { class: "card" }, h("h2", {}, word("byThreat")), threats()),
      h("section", { class: "card" }, h("h2", {}, word("worstMistakes")), worst()),
      h("section", { class: "card" }, h("h2", {}, word("gamesTitle")), gameTable())),
    h("footer", {}, h("p", {}, word("aboutStats", { model: data.model }))));
}

// How the player plays, beside Houou players; a figure is marked where its interval leaves theirs out.
const WINDOW = () => Math.max(5, Math.ceil(data.games.length / 5));
const PER_HAND = { win: "wins", deal_in: "deal_ins", riichi: "riichi", call: "called" };
function careerTable() {
  const show = (rate, v) => (PER_HAND[rate] ? percent(v) : rate === "points" ? points(v) : v.toFixed(2));
  const spread = (rate, e) => (PER_HAND[rate] ? (100 * e).toFixed(1) : rate === "points" ? points(e) : e.toFixed(2));
  const row = (r) => {
    const half = r.half;
    const apart = half !== null && Math.abs(r.value - r.houou) > half;
    return h("tr", {}, h("th", { scope: "row" }, word("rate." + r.rate)),
      h("td", { class: apart ? "apart" : "" }, show(r.rate, r.value), h("small", {}, " ± " + (half === null ? "–" : spread(r.rate, half)))),
      h("td", {}, show(r.rate, r.houou)), h("td", { class: "spark-cell" }, spark(r)));
  };
  const head = ["value", "houou", "trend"].map((key) => h("th", { scope: "col" }, word("rateCols." + key)));
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": word("careerTitle") }, h("table", { class: "plain numbers" },
    h("thead", {}, h("tr", {}, h("td", {}), head)), h("tbody", {}, data.career.rates.map(row))));
}

// The mean over the last games at each game, around the mean of Houou players.
function spark(r) {
  const of = PER_HAND[r.rate] ? (g) => [g[PER_HAND[r.rate]], g.hands] : (g) => [g[r.rate], 1];
  const pairs = data.games.map(of).filter(([top, below]) => top !== null && below), n = WINDOW();
  const means = pairs.map((_, i) => pairs.slice(Math.max(0, i - n + 1), i + 1)).slice(Math.min(n, pairs.length) - 1)
    .map((last) => last.reduce((sum, [top]) => sum + top, 0) / last.reduce((sum, [, below]) => sum + below, 0));
  if (means.length < 2) return null;
  const far = Math.max(...means.map((m) => Math.abs(m - r.houou)), 1e-9);
  const path = means.map((m, i) => (i ? "L" : "M") + ((120 * i) / (means.length - 1)).toFixed(1) + " " + (14 - (12 * (m - r.houou)) / far).toFixed(1)).join("");
  return s("svg", { class: "spark", viewBox: "0 0 120 28", "aria-hidden": "true" }, s("line", { class: "grid", x1: 0, x2: 120, y1: 14, y2: 14 }), s("path", { class: "run", d: path }));
}

function placesLine() {
  const all = data.career.places.reduce((sum, n) => sum + n, 0);
  if (!all) return null;
  return h("p", { class: "places" }, h("strong", {}, word("placesOf") + ": "), data.career.places.map((n, i) => h("span", { class: "place" },
    h("span", { class: "place-bar p" + i, "aria-hidden": "true", css: { "--w": n / all } }), word("placeName")[i] + " " + n + " (" + Math.round((100 * n) / all) + "%)")));
}

// The categories of mistakes, costliest first.
function workOn() {
  const { decisions: n, cost, agreed, categories } = data.given_up, most = Math.max(1, ...categories.map((c) => c.cost));
  return [h("p", { class: "why" }, word("workHow", { n: points(n), c: Math.round(cost / n), a: Math.round((100 * agreed) / n) })),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": word("workOn") }, h("table", { class: "plain numbers", id: "work" }, h("thead", {}, h("tr", {}, [word("col.kind"), word("mistakesN"), word("cost")].map((text) => h("th", { scope: "col" }, text)), h("td", {}))),
      h("tbody", {}, categories.map((c) => h("tr", {}, h("th", { scope: "row" }, word("category")[c.category]), h("td", {}, String(c.mistakes)), h("td", {}, points(c.cost)),
        h("td", { class: "bars-cell", "aria-hidden": "true" }, h("span", { class: "twin actual", css: { "--w": c.cost / most } })))))))];
}

// The running sum of (lost - expected), and the band in which luck alone would keep it.
function trend() {
  if (!data.games.length) return h("p", {}, word("noGames"));
  const W = 960, H = 260, L = 64, B = 26;
  let sum = 0, variance = 0;
  const steps = [[0, 0, 0]];
  data.games.forEach((g, i) => { sum -= g.luck_points; variance += g.spread_points ** 2; steps.push([i + 1, sum, 1.96 * Math.sqrt(variance)]); });
  const top = Math.max(1000, ...steps.map(([, y, band]) => Math.max(Math.abs(y), band)));
  const x = (i) => L + ((W - L - 8) * i) / (steps.length - 1), y = (v) => (H - B) / 2 - ((H - B - 12) / 2) * (v / top);
  const path = (list) => list.map(([px, py], i) => (i ? "L" : "M") + px.toFixed(1) + " " + py.toFixed(1)).join("");
  const band = path([...steps.map(([i, , s2]) => [x(i), y(s2)]), ...[...steps].reverse().map(([i, , s2]) => [x(i), y(-s2)])]) + "z";
  const unit = 10 ** Math.floor(Math.log10(top)), tick = top / unit >= 5 ? 5 * unit : top / unit >= 2 ? 2 * unit : unit;
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": word("trend") }, s("svg", { class: "chart", viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": word("trend") + ": " + points(sum) },
    s("path", { class: "band-area", d: band }),
    [-tick, 0, tick].map((v) => [s("line", { class: v ? "grid" : "axis", x1: L, x2: W - 8, y1: y(v), y2: y(v) }), s("text", { x: L - 8, y: y(v) + 5, "text-anchor": "end" }, points(v))]),
    s("path", { class: "run", d: path(steps.map(([i, v]) => [x(i), y(v)])) }),
    s("text", { x: L, y: H - 4 }, "0"), s("text", { x: W - 8, y: H - 4, "text-anchor": "end" }, String(data.games.length))));
}

function threats() {
  const rows = Object.entries(data.by_threat), most = Math.max(1, ...rows.flatMap(([, t]) => [t.deal_ins, t.expected_deal_ins]));
  const bar = (kind, n) => h("span", { class: "twin " + kind, css: { "--w": n / most } });
  const num = (text) => h("td", {}, text);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": word("byThreat") }, h("table", { class: "plain numbers" },
    h("thead", {}, h("tr", {}, ["threat", "discards", "actual", "expected"].map((c) => h("th", { scope: "col" }, ["actual", "expected"].includes(c) && h("span", { class: "chip " + c }), word("cols." + c))), h("td", {}), ["lost", "expectedLost"].map((c) => h("th", { scope: "col" }, word("cols." + c))))),
    h("tbody", {}, rows.map(([name, t]) => h("tr", {}, h("th", { scope: "row" }, word("threat." + name)), num(points(t.discards)), num(String(t.deal_ins)), num(one(t.expected_deal_ins)),
      h("td", { class: "bars-cell", "aria-hidden": "true" }, bar("actual", t.deal_ins), bar("expected", t.expected_deal_ins)), num(points(t.points_lost)), num(points(t.expected_loss)))))));
}

// A hand's name as the data has it (E2.1) in the page's language.
const handName = (text) => handShort("ESWN".indexOf(text[0]) * 4 + Number(text[1]) - 1, Number(text.slice(3)));

// The decision of a mistake, as a link where its review is in the library.
function place(c) {
  const text = handName(c.hand) + " · " + c.turn, at = data.games.flatMap((g, i) => (g.game === c.game ? [i] : []));
  return data.reviews && at.length === 1 ? h("a", { href: "/reviews/" + data.reviews[at[0]] + "#" + c.hand + "t" + c.turn }, text) : text;
}

function worst() {
  if (!data.costliest.length) return h("p", {}, word("noMistakes"));
  const head = [word("game"), word("col.hand") + " · " + word("col.turn"), word("col.done"), word("better"), word("cost"), word("col.kind"), word("col.came")];
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": word("worstMistakes") }, h("table", { class: "plain worst" },
    h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, data.costliest.map((c) => h("tr", { class: c.outcome === "dealt-in" ? "bad" : "" }, h("th", { scope: "row", class: "name" }, c.game), h("td", {}, place(c)), h("td", {}, optionView(c.option)),
      h("td", {}, optionView(c.better)), h("td", {}, points(c.cost)), h("td", {}, word("category")[c.category]), h("td", {}, c.outcome === "dealt-in" ? word("dealtIn") : "–"))))));
}

function gameTable() {
  const game = (g, i) => (data.reviews ? h("a", { href: "/reviews/" + data.reviews[i] }, g.game) : g.game);
  const head = [word("game"), word("place"), word("cols.discards"), word("cols.actual"), word("cols.expected"), word("cols.lost"), word("cols.expectedLost"), word("mistakesN")];
  return h("div", { class: "scroll tall", tabindex: 0, role: "region", "aria-label": word("gamesTitle") }, h("table", { class: "plain numbers" },
    h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, data.games.map((g, i) => h("tr", {}, h("th", { scope: "row", class: "name" }, game(g, i)), [g.place ? word("placeName")[g.place - 1] : "–", g.discards, g.deal_ins, g.expected_deal_ins.toFixed(2), points(g.points_lost), points(g.expected_loss), g.mistakes].map((v) => h("td", {}, String(v))))))));
}
build();
