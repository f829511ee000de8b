// The options of a decision: what each is worth, how the hand ends, what strong players choose.

const OPTION = { name: 0, points: 1, value: 2, win: 3, dealIn: 4, tsumo: 5, ron: 6, draw: 7, places: 8, share: 9 };
const SEVERITY = ["none", "inaccuracy", "mistake", "blunder"];

// An option such as "riichi 5p" as [act, tiles].
function parseOption(text) {
  const at = text.lastIndexOf(" "), named = at > 0 ? tilesOf(text.slice(at + 1)) : [];
  return named.length ? [text.slice(0, at), named] : [text, []];
}
// What a decision is measured against: the best option that strong players choose.
const bestOf = (d) => d.op[d.v ? d.v[5] : 0];
// In words: riichi 5p; chi 5p + 4p 6p, where the tile on offer is given.
function optionText(text, offered) {
  const [act, tiles] = parseOption(text), claimed = act === "chi" && offered ? [tileText(offered), "+"] : [];
  return [word("act." + act), ...claimed, ...tiles.map(tileText)].join(" ");
}
function optionView(text, offered) {
  const [act, tiles] = parseOption(text);
  return h("span", { class: "option" }, act !== "discard" && h("span", { class: "act" }, word("act." + act)),
    act === "chi" && offered && [tile(offered, { cls: "inline" }), " + "], tiles.map((t) => tile(t, { cls: "inline" })));
}

// What was better and by how much; within the error nothing is called better.
function verdictLine(d) {
  if (!d.v) return null;
  const [severity, category, lost, error, value, , plan] = d.v, best = bestOf(d);
  const cls = "verdict" + (d.x ? " bad" : "");
  if (best[OPTION.name] === d.dn || lost <= 0) return h("p", { class: cls }, word("wasBest"));
  const how = { option: optionText(best[OPTION.name], d.of?.[0]), n: points(lost), e: points(error) };
  const worth = value === null ? "" : " " + word("worthPlace", { v: value.toFixed(1) });
  if (!severity) return h("p", { class: cls }, word(lost >= error ? "littleBetter" : "noneClear", how));
  return [h("p", { class: cls }, h("span", { class: "badge s" + severity }, word("severity." + SEVERITY[severity])), " ", word("wasBetter", how) + worth, " ", h("span", { class: "meta" }, word("category")[category])),
    plan !== null && h("p", { class: "why" }, word("samePlan"))];
}

// What playing on says of a mistake, where it was asked.
const confirmedLine = (d, tag = "p") => d.cf && h(tag, { class: "why played " + d.cf[0], title: word("playedHow") }, d.cf[1][lang]);

// The best option is coloured where it leads the one that was taken by more than the error.
function optionsPanel(d, chosen) {
  if (!d.op || !d.op.length) return null;
  const best = bestOf(d), placed = best[OPTION.places] !== 0, shared = d.op.some((o) => o[OPTION.share] !== null);
  const clear = d.v && d.v[2] >= d.v[3] && best[OPTION.name] !== d.dn;
  // Two of a column, one below the other: so the table is as wide as a phone.
  const head = [["option"], ...(placed ? [["value", "places"]] : []), ["ev"], ["win"], ["dealIn"], ...(shared ? [["share"]] : []), ["others", "draw"]];
  const headed = (key) => h("span", { class: "second", title: word("optionHow")[key] || null }, word("optionCol")[key]);
  const shown = d.op.length > 10 ? d.op.filter((o, i) => i < 8 || o[OPTION.name] === d.dn) : d.op;
  const row = (o) => h("tr", { class: (o === best && clear ? "better " : "") + (o[OPTION.name] === d.dn ? "taken " + (d.x ? "bad" : "") : "") + (o[OPTION.name] === chosen ? " looked" : "") },
    h("th", { scope: "row" }, optionView(o[OPTION.name], d.of?.[0]), o[OPTION.name] === d.dn && h("span", { class: "done" }, " ◀ " + word("done")), o === best && clear && h("span", { class: "sr" }, " " + word("better"))),
    placed && h("td", {}, tenths(o[OPTION.value]), placesBar(o[OPTION.places])),
    h("td", {}, h("strong", {}, signed(o[OPTION.points]))),
    h("td", {}, percent(o[OPTION.win])), h("td", {}, percent(o[OPTION.dealIn])),
    shared && h("td", {}, o[OPTION.share] === null ? "–" : percent(o[OPTION.share])),
    h("td", {}, percent(o[OPTION.tsumo] + o[OPTION.ron]), h("span", { class: "second" }, percent(o[OPTION.draw]))));
  return h("section", { class: "options" }, h("h3", {}, word("optionsTitle")),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": word("optionsTitle") }, h("table", { class: "plain" },
      h("thead", {}, h("tr", {}, head.map((keys) => h("th", { scope: "col" }, keys.map(headed))))),
      h("tbody", {}, shown.map(row)))),
    h("p", { class: "why" }, word("optionsHow", { e: points(data.clear.points), payoff: data.payoff })));
}
// No number is printed as minus zero.
const tenths = (n) => (Math.round(10 * n) / 10 + 0).toFixed(1).replace("-", "−");
const signed = (n) => (Math.round(n) < 0 ? "−" : "+") + points(Math.abs(n));

function placesBar(places) {
  const said = places.map((p, i) => word("placeName")[i] + " " + percent(p)).join(", ");
  return h("span", { class: "stack", role: "img", "aria-label": said, title: said }, places.map((p, i) => h("span", { class: "place-bar p" + i, css: { "--w": p } })));
}
