// The viewer's hand: a bar over each tile, its height and colour the risk.

// Thirty per cent fills the bar; the root lets small risks be seen.
const barHeight = (p) => Math.min(1, Math.sqrt(p / 0.3));

// spec: { d: decision, picked, pinned, hidden, pick(name), look(name) }
function handView(spec) {
  const { d } = spec;
  const shown = d.b.hand.map((name) => ({ name, drawn: false }));
  if (d.b.drawn) shown.push({ name: d.b.drawn, drawn: true });
  const marked = chosenAt(d, shown);
  const forcedOut = new Map((d.c || []).map((c) => [c.t, c]));
  return h("div", { class: "hand", role: "group", "aria-label": word("handWords") },
    h("div", { class: "held-row" }, shown.map((t, i) => {
      const c = forcedOut.get(t.name);
      const label = [c && !spec.hidden ? word("tileOf", { tile: tileName(t.name), risk: percent(c.p), loss: points(c.l) }) : tileName(t.name)];
      if (t.drawn) label.push(word("drew"));
      if (i === marked && !spec.hidden) label.push(word("chosenMark"));
      if (spec.pinned === t.name) label.push(word("pinned"));
      if (c?.no) label.push(word("swap"));
      const bar = h("span", { class: "bar risk" + (c && !spec.hidden ? riskStep(c.p) : "none"), css: { "--h": c && !spec.hidden ? barHeight(c.p) : 0 } });
      return h("button", {
        type: "button",
        class: "held" + (t.drawn ? " drawn" : "") + (i === marked && !spec.hidden ? " chosen" : "") +
          (spec.picked === t.name ? " picked" : "") + (spec.pinned === t.name ? " pinned" : "") + (c?.no ? " barred" : ""),
        "aria-label": label.join(", "), "aria-pressed": spec.picked === t.name, data: { key: t.name },
        disabled: !c,
        on: { click: () => spec.pick(t.name), pointerenter: (e) => { if (e.pointerType === "mouse") spec.look(t.name); }, pointerleave: (e) => { if (e.pointerType === "mouse") spec.look(null); }, focus: () => spec.look(t.name) },
      },
        d.c && h("span", { class: "track", "aria-hidden": "true" }, bar),
        d.c && h("span", { class: "number", "aria-hidden": "true" }, c && !spec.hidden ? percent(c.p) : "\u00a0"),
        tile(t.name, { silent: true }),
        h("span", { class: "mark", "aria-hidden": "true" }, i === marked && !spec.hidden ? "▲" : "\u00a0"));
    })),
    ownMelds(d.b));
}

// Which of the shown tiles was discarded: the drawn one if it went as drawn.
function chosenAt(d, shown) {
  if (!d.t || d.of) return -1;
  if (d.g) return shown.length - 1;
  const at = shown.findIndex((t) => t.name === d.t && !t.drawn);
  return at < 0 ? shown.findIndex((t) => t.name === d.t) : at;
}

function ownMelds(b) {
  if (!b.p[0].m) return null;
  return h("div", { class: "own-melds" }, b.p[0].m.map((meld) =>
    h("span", { class: "meld", role: "img", "aria-label": word("meld." + meld[0]) + " " + meld[1].map(tileName).join(" ") },
      meldTiles(meld).map((t) => t.added
        ? h("span", { class: "stacked" }, tile(t.added, { turned: true, silent: true }), tile(t.name, { turned: true, silent: true }))
        : tile(t.name, { turned: t.turned, silent: true })))));
}
