// What the other rooms add to a decision, drawn where the data has it (see sections.py).

function sectionPanels(d, who) {
  const x = d.x || {};
  return [x.win && winPanel(d, x.win), x.hands && handsPanel(d, x.hands, who), x.styles && stylesPanel(x.styles)].filter(Boolean);
}

function winPanel(d, win) {
  const best = Math.max(...win.d.map((row) => row[1]));
  return h("section", { class: "win" }, h("h3", {}, word("winTitle")), win.tsumo && h("p", { class: "why" }, word("winTsumo")),
    h("table", { class: "plain" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, word("col.tile")), h("th", { scope: "col" }, word("win")), h("th", { scope: "col" }, word("ev")))),
      h("tbody", {}, [...win.d].sort((a, b) => b[1] - a[1]).map(([name, p, ev]) => h("tr", { class: p === best ? "better" : "" },
        h("th", { scope: "row" }, tile(name, { cls: "inline" })),
        h("td", {}, h("span", { class: "meter", css: { "--w": best ? p / best : 0 } }), percent(p)), h("td", {}, points(ev)))))));
}

const KINDS = [..."mps"].flatMap((suit) => [..."123456789"].map((n) => n + suit)).concat([..."1234567"].map((n) => n + "z"));

// A row of 34 kinds an opponent: the deeper the shade, the more copies are expected.
function handsPanel(d, hands, who) {
  return h("section", { class: "hands" }, h("h3", {}, word("handsTitle")), h("p", { class: "why" }, word("handsHow")),
    hands.map((one, i) => one && h("div", { class: "heat" },
      h("span", { class: "who " + SEAT_CLASS[i + 1] }, who(i + 1)),
      h("div", { class: "cells", role: "img", "aria-label": heatWords(one) }, KINDS.map((name, k) =>
        h("span", { class: "cell-heat", css: { "--heat": Math.min(1, one[0][k] / 1.5) }, title: tileName(name) + " " + one[0][k].toFixed(2) }, tile(name, { silent: true })))),
      one[1] && h("p", { class: "best" }, word("handsBest") + " ", one[1].map((name) => tile(name, { cls: "inline" }))))));
}

function heatWords(one) {
  const order = KINDS.map((name, k) => [one[0][k], name]).sort((a, b) => b[0] - a[0]).slice(0, 8);
  return order.map(([n, name]) => tileName(name) + " " + n.toFixed(1)).join(", ");
}

function stylesPanel(styles) {
  return h("section", { class: "styles" }, h("h3", {}, word("stylesTitle")), h("ul", {}, styles.map(([name, shares]) =>
    h("li", {}, h("span", { class: "style-name" }, name), shares.map(([t, share]) => h("span", { class: "pick" }, tile(t, { cls: "inline" }), percent(share)))))));
}

// The waits behind a risk: words and their share of it.
function waitList(d, c, i) {
  const waits = d.x?.waits?.[c.t]?.[i];
  if (!waits || !waits.length) return null;
  return h("ul", { class: "wait-list", "aria-label": word("waitsTitle") }, waits.map(([said, share]) =>
    h("li", {}, h("span", { class: "meter", css: { "--w": share } }), Math.round(100 * share) + "% ", said)));
}
