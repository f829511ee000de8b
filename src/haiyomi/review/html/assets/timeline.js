// The whole game as bars: a bar a decision, its height the risk that was taken.

const BAR = 6, HIGH = 74;

function timelineView(data, at, go, left) {
  const total = data.hands.reduce((n, hand) => n + hand.d.length + 1, 0);
  const width = total * BAR;
  const root = s("svg", { class: "bars", viewBox: `0 0 ${width} ${HIGH + 22}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  const names = h("div", { class: "bar-names", "aria-hidden": "true" });
  let x = 0;
  data.hands.forEach((hand, i) => {
    const wide = (hand.d.length + 1) * BAR;
    root.append(s("rect", { class: "band" + (i % 2 ? " odd" : "") + (at[0] === i ? " now" : ""), x, y: 0, width: wide, height: HIGH + 22 }));
    names.append(h("span", { css: { "flex-grow": String(wide) } }, handShort(hand.k, hand.h)));
    hand.d.forEach((d, j) => {
      const c = d.t && d.c && d.c.find((one) => one.t === d.t);
      const tall = c ? Math.max(1.5, HIGH * barHeight(c.p)) : 0;
      const from = x + BAR * (j + 0.5);
      const group = s("g", { class: "bar-of" + (at[0] === i && at[1] === j ? " here" : "") });
      group.append(s("rect", { class: "hit", x: from, y: 0, width: BAR, height: HIGH + 22 }));
      if (!c) group.append(s("rect", { class: "offer-mark", x: from + 1.8, y: HIGH - 4, width: BAR - 3.6, height: 4 }));
      else group.append(s("rect", { class: "fill risk" + riskStep(c.p), x: from + 0.8, y: HIGH - tall, width: BAR - 1.6, height: tall }));
      const taken = d.op?.find((o) => o[OPTION.name] === d.dn);
      if (taken) group.append(s("rect", { class: "win-dot", x: from + 0.8, y: HIGH - HIGH * taken[OPTION.win], width: BAR - 1.6, height: 2.5 }));
      if (d.o?.kind === "dealt-in") group.append(s("rect", { class: "cross", x: from, y: HIGH + 3, width: BAR, height: 8 }));
      if (left.has(i + "," + j)) group.append(s("rect", { class: "dot s" + d.v[0], x: from + 0.8, y: HIGH + 13, width: BAR - 1.6, height: d.v[0] > 1 ? 9 : 4 }));
      group.addEventListener("click", () => go(i, j));
      root.append(group);
    });
    x += wide;
  });
  return h("div", { class: "timeline" }, root, names);
}

// The mistakes, dearest first: what was discarded, what would have been better, by how much.
function mistakeTable(data, go, dear) {
  const hidden = data.mistakes.length - dear.length;
  if (!dear.length) return h("p", {}, hidden ? word("filtered", { n: hidden }) : word(data.score ? "noMistake" : "notJudged"));
  const head = [word("col.hand") + " · " + word("col.turn"), word("col.done"), word("better"), word("cost"), word("col.kind"), word("col.came")];
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": word("mistake") }, h("table", { class: "plain worst" },
    h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, dear.map(([i, j]) => {
      const hand = data.hands[i], d = hand.d[j];
      return h("tr", { class: d.o?.kind === "dealt-in" ? "bad" : "" },
        h("th", { scope: "row" }, h("button", { type: "button", class: "link", on: { click: () => go(i, j, true) } }, handShort(hand.k, hand.h) + " · " + d.u)),
        h("td", {}, optionView(d.dn, d.of?.[0])), h("td", {}, optionView(bestOf(d)[OPTION.name], d.of?.[0])), h("td", {}, points(d.v[2])),
        h("td", {}, h("span", { class: "badge s" + d.v[0] }, word("severity." + SEVERITY[d.v[0]])), " ", word("category")[d.v[1]]), h("td", {}, cameShort(d.o)));
    }))));
}

function worstTable(data, who, go) {
  const rows = data.worst.map(([i, j]) => {
    const hand = data.hands[i], d = hand.d[j], c = d.c.find((one) => one.t === d.t);
    const most = [0, 1, 2].reduce((a, b) => (c.r[b][0] > c.r[a][0] ? b : a));
    const safer = d.s !== d.t && d.c.find((one) => one.t === d.s);
    return h("tr", { class: d.o.kind === "dealt-in" ? "bad" : "" },
      h("th", { scope: "row" }, h("button", { type: "button", class: "link", on: { click: () => go(i, j, true) } }, handShort(hand.k, hand.h) + " · " + d.u)),
      h("td", {}, tile(d.t, { cls: "inline" })), h("td", {}, h("span", { class: "chip risk" + riskStep(c.p) }), percent(c.p)), h("td", {}, points(c.l)),
      h("td", {}, h("span", { class: "who " + SEAT_CLASS[most + 1] }, who(most + 1))),
      h("td", {}, safer ? [tile(safer.t, { cls: "inline" }), " " + points(safer.l)] : "–"), h("td", {}, cameShort(d.o)));
  });
  if (!rows.length) return h("p", {}, word("noneWorst"));
  const head = ["hand", "tile", "risk", "loss", "to", "safer", "came"];
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": word("worst") }, h("table", { class: "plain worst" },
    h("thead", {}, h("tr", {}, head.map((key) => h("th", { scope: "col" }, key === "hand" ? word("col.hand") + " · " + word("col.turn") : word("col." + key))))),
    h("tbody", {}, rows)));
}
