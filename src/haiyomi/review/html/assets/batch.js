// The list of a batch of reviews: a row a review, sorted and searched.

const data = JSON.parse(document.getElementById("data").textContent);
setLang(kept.get("lang") || data.lang);
let theme = kept.get("theme") || "auto";
const STEP = 400;
// What is searched and sorted stands in the address, so that the way back leads to the same list.
const asked = new URLSearchParams(location.hash.slice(1));
const view = { by: asked.has("by") ? Number(asked.get("by")) : null, down: asked.get("up") === null, text: asked.get("find") || "", shown: STEP };
const rows = data.games.flatMap((game) => game.s.map(([seat, ...numbers]) => ({
  game, seat, numbers, player: game.n[seat] || word("seatName", { n: seat + 1 }),
  href: encodeURIComponent(game.f) + "/seat" + seat + ".html",
})));
const spot = h("div", { id: "reviews" }), count = h("p", { class: "why", role: "status", id: "count" });
const format = [points, points, (n) => n.toFixed(2), points, points, points, points];
// The columns: player, game, then the numbers.
const valueOf = (row, column) => (column === 0 ? row.player : column === 1 ? row.game.r : row.numbers[column - 2]);

function build() {
  setLang(lang);
  document.documentElement.dataset.theme = theme;
  const title = word(rows.length === 1 && data.games.length === 1 ? "batchTitleOne" : "batchTitle", { n: points(rows.length), g: points(data.games.length) });
  document.title = "haiyomi – " + title;
  const find = h("input", { type: "search", id: "find", value: view.text, autocomplete: "off", on: { input: (e) => { view.text = e.target.value; view.shown = STEP; draw(); } } });
  replace(document.getElementById("app"),
    h("header", { class: "top" }, h("div", { class: "brand" }, h("h1", {}, h("span", { class: "logo", lang: "ja", "aria-hidden": "true" }, "牌読み"), " ", title)),
      h("div", { class: "tools" },
        h("button", { type: "button", id: "theme", on: { click: () => { theme = { auto: "light", light: "dark", dark: "auto" }[theme]; kept.set("theme", theme); build(); } } }, word("theme") + ": " + word("themes." + theme)),
        languageChoice(build))),
    h("main", { class: "single" },
      h("section", { class: "card" }, h("label", { class: "field", for: "find" }, word("find")), find, count, spot),
      data.left.length ? h("section", { class: "card" }, h("h2", {}, word("leftOut")), h("ul", { class: "list" }, data.left.map(([name, why]) => h("li", {}, h("strong", {}, name), " ", h("span", { class: "meta" }, why)))), data.leftMore ? h("p", { class: "why" }, word("leftOutMore", { n: points(data.leftMore) })) : null) : null),
    h("footer", {}, h("p", {}, word("aboutBatch", { model: data.model, m: data.margin }), data.more ? " " + word("notListed", { n: points(data.more) }) : "")));
  draw();
}

function chosen() {
  const wanted = view.text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = rows.filter((row) => {
    const name = (row.game.r + "\n" + row.player).toLowerCase();
    return wanted.every((part) => name.includes(part));
  });
  if (view.by === null) return found;
  const sign = view.down ? -1 : 1;
  return found.sort((a, b) => {
    const x = valueOf(a, view.by), y = valueOf(b, view.by);
    return sign * (typeof x === "string" ? x.localeCompare(y, lang) : x - y);
  });
}

function keep() {
  const state = new URLSearchParams();
  if (view.text) state.set("find", view.text);
  if (view.by !== null) { state.set("by", view.by); if (!view.down) state.set("up", ""); }
  try { history.replaceState(null, "", "#" + state); } catch { /* too often for this browser */ }
}

function draw() {
  keep();
  const found = chosen(), names = word("batchCols");
  replace(count, word("found", { n: points(found.length), all: points(rows.length) }));
  if (!found.length) { replace(spot, h("p", {}, word("nothingFound"))); return; }
  // Names go from the first letter on, numbers from the largest down.
  const sort = (i) => { view.down = view.by === i ? !view.down : i > 1; view.by = i; draw(); };
  const sorted = (i) => (view.by === i ? (view.down ? "descending" : "ascending") : "none");
  replace(spot, h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": document.title }, h("table", { class: "plain numbers batch" },
    h("thead", {}, h("tr", {}, names.map((name, i) => h("th", { scope: "col", "aria-sort": sorted(i) }, h("button", { type: "button", class: "link", title: word("sortBy", { name }), on: { click: () => sort(i) } }, name + (view.by === i ? (view.down ? " ▾" : " ▴") : "")))))),
    h("tbody", {}, found.slice(0, view.shown).map((row) => h("tr", {}, h("th", { scope: "row", class: "name" }, h("a", { href: row.href }, row.player)), h("td", { class: "name", title: row.game.r }, row.game.r), row.numbers.map((n, i) => h("td", {}, format[i](n)))))))),
    found.length > view.shown ? h("button", { type: "button", id: "more", on: { click: () => { view.shown += STEP; draw(); } } }, word("more", { n: points(Math.min(STEP, found.length - view.shown)) })) : null);
}
build();
