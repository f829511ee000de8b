// The table from above, drawn as one SVG; seat 0 (the viewer) sits at the bottom.

const T = 1000, MID = 500, CORE = 160;
const RIVER_W = 52, RIVER_H = 69, MELD_W = 42, MELD_H = 56;

function parseRiver(text) {
  return (text || "").split(" ").filter(Boolean).map((token) => ({
    name: token.slice(0, 2), tsumogiri: token.includes("*"), riichi: token.includes("!"),
    called: token.includes("^") ? Number(token.split("^")[1]) : null,
  }));
}

// One tile at (x, y) of a seat's own view; `turned` lies on its side.
function placed(name, x, y, w, ht, { turned = false, cls = "" } = {}) {
  const use = s("use", { href: "#t-" + name, width: w, height: ht, class: cls });
  use.setAttribute("transform", turned ? `translate(${x} ${y + ht}) rotate(-90)` : `translate(${x} ${y})`);
  return use;
}

// Rows of six (the last takes the rest). Without memory aids a called tile is gone, as at a table.
function riverOf(player, aids, isLast) {
  const group = s("g", {});
  let tiles = parseRiver(player.v);
  if (!aids) {
    // The riichi mark moves on to the next tile where its own was called.
    tiles = tiles.map((t, i) => ({ ...t, riichi: t.riichi || (i > 0 && tiles[i - 1].riichi && tiles[i - 1].called !== null) }));
    tiles = tiles.filter((t) => t.called === null);
  }
  const left = MID - 3 * RIVER_W - 4;
  let x = left, row = 0, inRow = 0;
  tiles.forEach((t, i) => {
    if (inRow === 6 && row < 2) { row += 1; inRow = 0; x = left; }
    const y = MID + CORE + 8 + row * (RIVER_H + 2);
    const cls = (aids && t.tsumogiri ? "tsumogiri " : "") + (aids && t.called !== null ? "gone " : "");
    const width = t.riichi ? RIVER_H : RIVER_W;
    const cell = s("g", { class: "cell" }, placed(t.name, x, y, RIVER_W, RIVER_H, { turned: t.riichi, cls }));
    const box = { x: x + 1, y: t.riichi ? y + RIVER_H - RIVER_W + 1 : y + 1, width: width - 2, height: (t.riichi ? RIVER_W : RIVER_H) - 2, rx: 6 };
    if (aids && t.tsumogiri) cell.append(s("rect", { ...box, class: "veil" }));
    if (aids && t.called !== null) cell.append(s("rect", { ...box, class: "ghost" }));
    if (isLast && i === tiles.length - 1 && t.called === null) cell.append(s("rect", { ...box, class: "latest" }));
    group.append(cell);
    x += width + 1; inRow += 1;
  });
  return group;
}

// The order in which a meld lies: the called tile on its side, on the side that it came from.
function meldTiles([kind, tiles, called, from]) {
  if (kind === "ankan") return tiles.map((name, i) => ({ name: i === 0 || i === 3 ? "back" : name }));
  const rest = [...tiles];
  rest.splice(rest.indexOf(called), 1);
  let added = null;
  if (kind === "kakan") added = rest.pop();
  const out = rest.map((name) => ({ name }));
  const at = from === 3 ? 0 : from === 2 ? 1 : out.length;
  out.splice(at, 0, { name: called, turned: true, added });
  return out;
}

// From the right corner leftwards, the first meld outermost, and where the last one begins.
// `from` is relative to the melder.
function meldsOf(player, seat) {
  const group = s("g", {});
  let x = T - 8;
  for (const meld of player.m || []) {
    const from = meld[3] === null ? null : (meld[3] - seat + 4) % 4;
    const tiles = meldTiles([meld[0], meld[1], meld[2], from]);
    for (const t of tiles.reverse()) {
      const width = t.turned ? MELD_H : MELD_W;
      x -= width + 1;
      const y = T - 6 - MELD_H;
      group.append(placed(t.name, x, y, MELD_W, MELD_H, { turned: t.turned }));
      if (t.added) group.append(placed(t.added, x, y - MELD_W, MELD_W, MELD_H, { turned: true }));
    }
    x -= 9;
  }
  return [group, x];
}

const TURN = [0, -90, 180, 90];

function tableSvg(b, aids, latest) {
  const root = s("svg", { class: "table", viewBox: `0 0 ${T} ${T}`, role: "img", "aria-label": tableLabel(b) });
  root.append(s("rect", { class: "felt", width: T, height: T, rx: 26 }));
  root.append(s("rect", { class: "felt-line", x: MID - CORE - 222, y: MID - CORE - 222, width: 2 * (CORE + 222), height: 2 * (CORE + 222), rx: 20 }));
  root.append(s("rect", { class: "core", x: MID - CORE, y: MID - CORE, width: 2 * CORE, height: 2 * CORE, rx: 16 }));
  for (let seat = 0; seat < 4; seat++) {
    const player = b.p[seat];
    const group = s("g", { transform: `rotate(${TURN[seat]} ${MID} ${MID})` });
    group.append(riverOf(player, aids, latest === seat));
    const [melds, meldsFrom] = meldsOf(player, seat);
    if (seat) {
      const backs = player.n, w = 30;
      const start = Math.min(MID - (backs * w) / 2, meldsFrom - backs * w);
      for (let i = 0; i < backs; i++) group.append(placed("back", start + i * w, T - 46, w, 40));
    }
    group.append(melds);
    if (player.r) {
      group.append(s("rect", { class: "stick", x: MID - 62, y: MID + CORE - 13, width: 124, height: 8, rx: 4 }));
      group.append(s("circle", { class: "stick-dot", cx: MID, cy: MID + CORE - 9, r: 2.8 }));
    }
    root.append(group, plate(b, seat));
  }
  root.append(...centre(b));
  return root;
}

// The position as docs/reference/position-json.md writes it, from the table that is drawn.
function positionOf(b) {
  const wind = (seat) => "ESWN"[(seat - b.d + 4) % 4];
  const players = {};
  b.p.forEach((player, seat) => {
    const one = { score: player.sc };
    if (player.v) one.river = player.v.replace(/\^(\d)/g, (_, by) => "^" + wind(Number(by)));
    if (player.m) {
      one.melds = player.m.map(([kind, tiles, called, from]) => {
        if (kind === "ankan") return kind + " " + tiles.join("");
        const rest = [...tiles];
        rest.splice(rest.indexOf(called), 1);
        return kind + " " + called + rest.join("") + " from " + wind(from);
      });
    }
    if (player.r && !/!/.test(player.v || "")) one.riichi = true;
    if (player.f !== undefined) one.passed = player.f;
    if (player.fr !== undefined) one.passed_since_riichi = player.fr;
    players[wind(seat)] = one;
  });
  const round = "ESWN"[Math.floor(b.k / 4) % 4] + ((b.k % 4) + 1);
  return { seat: wind(0), round, honba: b.h, sticks: b.s, indicators: b.i.join(""), hand: b.hand.join(""), ...(b.drawn ? { drawn: b.drawn } : {}), players };
}

// Wind and score, upright for bottom and top, along the side for the others.
function plate(b, seat) {
  const wind = (seat - b.d + 4) % 4;
  const group = s("g", { class: "plate" + (wind === 0 ? " dealer" : "") });
  const turn = seat === 1 ? -90 : seat === 3 ? 90 : 0;
  const y = seat === 2 ? MID - CORE + 42 : MID + CORE - 26;
  group.setAttribute("transform", turn ? `rotate(${turn} ${MID} ${MID})` : "");
  group.append(
    s("rect", { class: "seat-mark " + SEAT_CLASS[seat], x: MID - 88, y: y - 26, width: 5, height: 34, rx: 2.5 }),
    s("rect", { class: "wind-box", x: MID - 78, y: y - 26, width: 34, height: 34, rx: 7 }),
    s("text", { class: "wind", x: MID - 61, y: y, "text-anchor": "middle" }, word("hand.letters")[wind]),
    s("text", { class: "score", x: MID - 36, y: y + 1 }, points(b.p[seat].sc)),
  );
  return group;
}

function centre(b) {
  // The honba stand on a line of their own: in one the text would reach the scores at the sides.
  const out = [
    s("text", { class: "round", x: MID, y: MID - (b.h ? 60 : 34), "text-anchor": "middle" }, handLong(b.k, 0)),
  ];
  if (b.h) out.push(s("text", { class: "small", x: MID, y: MID - 29, "text-anchor": "middle" }, word("hand.alone", { honba: b.h })));
  const w = 33, shown = [...b.i];
  while (shown.length < 5) shown.push("back");
  shown.forEach((name, i) => out.push(placed(name, MID - 2.5 * w + i * w, MID - 22, w, 44, { cls: i < b.i.length ? "" : "under" })));
  out.push(s("text", { class: "small", x: MID, y: MID + 50, "text-anchor": "middle" }, word("left", { n: b.left })));
  if (b.s) out.push(s("text", { class: "small", x: MID, y: MID + 77, "text-anchor": "middle" }, word("sticks") + " " + b.s));
  return out;
}

function tableLabel(b) {
  return handLong(b.k, b.h) + ", " + word("dora") + " " + b.i.map(tileName).join(", ") + ", " + word("left", { n: b.left });
}

// The same in words, for whoever does not see the picture.
function tableWords(b, who, aids) {
  const rows = b.p.map((player, seat) => {
    const river = parseRiver(player.v).filter((t) => aids || t.called === null);
    const said = river.map((t) => {
      const marks = [aids && t.tsumogiri && word("aidsNote.tsumogiri"), t.riichi && word("aidsNote.riichi"), aids && t.called !== null && word("aidsNote.called")].filter(Boolean);
      return tileName(t.name) + (marks.length ? " (" + marks.join(", ") + ")" : "");
    });
    const melds = (player.m || []).map(([kind, tiles]) => word("meld." + kind) + " " + tiles.map(tileName).join(" "));
    return h("li", {},
      h("strong", {}, word("hand.seats")[(seat - b.d + 4) % 4] + " " + who(seat)), " " + word("atScore", { n: points(player.sc) }) + (player.r ? ", " + word("riichi") : "") + ". ",
      word("river") + ": " + (said.join(", ") || word("none")) + ". ",
      word("melds") + ": " + (melds.join("; ") || word("none")) + ".");
  });
  const mine = b.hand.map(tileName).join(", ") + (b.drawn ? "; " + word("drew") + " " + tileName(b.drawn) : "");
  return h("details", { class: "words" }, h("summary", {}, word("tableWords")),
    h("p", {}, word("handWords") + ": " + mine), h("ul", {}, rows));
}
