// The whole game as bars: a bar a discard, its height the risk that was taken.

const BAR = 6, HIGH = 74;

function timelineView(data, at, go) {
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
      const c = d.c.find((one) => one.t === d.t);
      const tall = Math.max(1.5, HIGH * barHeight(c.p));
      const left = x + BAR * (j + 0.5);
      const group = s("g", { class: "bar-of" + (at[0] === i && at[1] === j ? " here" : "") });
      group.append(s("rect", { class: "hit", x: left, y: 0, width: BAR, height: HIGH + 22 }));
      group.append(s("rect", { class: "fill risk" + riskStep(c.p), x: left + 0.8, y: HIGH - tall, width: BAR - 1.6, height: tall }));
      if (d.win) {
        const best = d.win.find((row) => row[0] === d.t);
        if (best) group.append(s("rect", { class: "win-dot", x: left + 0.8, y: HIGH - HIGH * best[3], width: BAR - 1.6, height: 2.5 }));
      }
      if (d.o.kind === "dealt-in") group.append(s("rect", { class: "cross", x: left, y: HIGH + 3, width: BAR, height: 8 }));
      if (d.x) group.append(s("rect", { class: "dot", x: left + 0.8, y: HIGH + 13, width: BAR - 1.6, height: 7 }));
      group.addEventListener("click", () => go(i, j));
      root.append(group);
    });
    x += wide;
  });
  return h("div", { class: "timeline" }, root, names);
}

// The mistakes, dearest first: what was discarded, what would have been better, by how much.
function mistakeTable(data, go) {
  const dear = data.mistakes.slice(0, 15);
  if (!dear.length) return h("p", {}, word("noMistake"));
  const head = [word("col.hand") + " · " + word("col.turn"), word("col.tile"), word("better"), word("cost"), word("risk"), word("col.came")];
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": word("mistake") }, h("table", { class: "plain worst" },
    h("thead", {}, h("tr", {}, head.map((text) => h("th", { scope: "col" }, text)))),
    h("tbody", {}, dear.map(([i, j]) => {
      const hand = data.hands[i], d = hand.d[j], c = d.c.find((one) => one.t === d.t);
      return h("tr", { class: d.o.kind === "dealt-in" ? "bad" : "" },
        h("th", { scope: "row" }, h("button", { type: "button", class: "link", on: { click: () => go(i, j, true) } }, handShort(hand.k, hand.h) + " · " + d.u)),
        h("td", {}, tile(d.t, { cls: "inline" })), h("td", {}, tile(d.m[0], { cls: "inline" })), h("td", {}, points(d.m[1])),
        h("td", {}, h("span", { class: "chip risk" + riskStep(c.p) }), percent(c.p)), h("td", {}, cameShort(d.o)));
    }))));
}

function worstTable(data, who, go) {
  const rows = data.worst.map(([i, j]) => {
    const hand = data.hands[i], d = hand.d[j], c = d.c.find((one) => one.t === d.t);
    const most = [0, 1, 2].reduce((a, b) => (c.r[b][0] > c.r[a][0] ? b : a));
    const safer = d.m && d.c.find((one) => one.t === d.m[0]);
    return h("tr", { class: d.o.kind === "dealt-in" ? "bad" : "" },
      h("th", { scope: "row" }, h("button", { type: "button", class: "link", on: { click: () => go(i, j, true) } }, handShort(hand.k, hand.h) + " · " + d.u)),
      h("td", {}, tile(d.t, { cls: "inline" })), h("td", {}, h("span", { class: "chip risk" + riskStep(c.p) }), percent(c.p)), h("td", {}, points(c.l)),
      h("td", {}, h("span", { class: "who " + SEAT_CLASS[most + 1] }, who(most + 1))),
      h("td", {}, safer ? [tile(safer.t, { cls: "inline" }), " " + points(safer.l)] : "–"), h("td", {}, cameShort(d.o)));
  });
  if (!rows.length) return h("p", {}, word("noneWorst"));
  const head = ["hand", "tile", "risk", "loss", "to", "safer", "came"];
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": word("worst") }, h("table", { class: "plain worst" },
    h("thead", {}, h("tr", {}, head.map((key) => h("th", { scope: "col" }, key === "hand" ? word("col.hand") + " · " + word("col.turn") : key === "safer" && data.worst.some(([i, j]) => data.hands[i].d[j].mb) ? word("better") : word("col." + key))))),
    h("tbody", {}, rows)));
}
