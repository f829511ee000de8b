// What other rooms add to a decision, drawn where the data has it (see data.py).

const KINDS = [..."mps"].flatMap((suit) => [..."123456789"].map((n) => n + suit)).concat([..."1234567"].map((n) => n + "z"));

// For each suit a small heat table: the kinds across, a row an opponent. ``crf``: the paper's model, if it is asked.
function handsPanel(d, hands, who) {
  const crf = hands[0][2];
  const group = (suit) => {
    const kinds = KINDS.map((name, k) => [name, k]).filter(([name]) => name[1] === suit);
    return h("div", { class: "heat-group of-" + suit }, h("span", {}), kinds.map(([name]) => tile(name, { silent: true })),
      hands.map((one, i) => [h("span", { class: "heat-mark " + SEAT_CLASS[i + 1] }), kinds.map(([name, k]) => {
        const n = one[0][k];
        return h("span", { class: "heat-cell", css: { "--heat": Math.min(1, n / 150) }, title: tileName(name) + ": " + (n / 100).toFixed(2) }, n >= 10 ? (n / 100).toFixed(1).replace(/^0/, "") : "");
      })]));
  };
  return h("section", { class: "hands" }, h("h2", {}, word("handsTitle")), h("p", { class: "why" }, word("handsHow")),
    crf && h("p", { class: "why" }, word("handsCrf", { m: crf })),
    h("div", { class: "heat", "aria-hidden": "true" }, ["m", "p", "s", "z"].map(group)),
    h("ul", {}, hands.map((one, i) => h("li", { class: "best" }, h("span", { class: "who " + SEAT_CLASS[i + 1] }, who(i + 1)), h("span", { class: "sr" }, heatWords(one)),
      h("span", { class: "meta" }, word(crf ? "handsRoulette" : "handsBest")), h("span", { class: "guess" }, tilesOf(one[1]).map((name) => tile(name, { cls: "inline" })))))));
}

function heatWords(one) {
  const order = KINDS.map((name, k) => [one[0][k], name]).sort((a, b) => b[0] - a[0]).slice(0, 8);
  return order.map(([n, name]) => tileName(name) + " " + (n / 100).toFixed(1)).join(", ");
}

function stylesPanel({ styles }) {
  return styles && h("section", { class: "styles" }, h("h3", {}, word("stylesTitle")), h("ul", {}, styles.map(([name, shares]) =>
    h("li", {}, h("span", { class: "style-name" }, styleWords(name)), shares.map(([option, share]) => h("span", { class: "pick" }, optionView(option), " " + percent(share)))))), h("p", { class: "why" }, word("stylesHow")));
}

// A program's style has a name of its own; a class's is made of words, each said in the language of the page.
const styleWords = (name) => word("style")[name] || name.split("-").map((part) => word("style")[part] || part).join(word("listSeparator"));

// The waits that a risk is made of, each with its share; what is left over is said last.
function waitList(d, c, i) {
  const waits = d.waits?.[c.t]?.[i];
  if (!waits || !waits.length) return null;
  const rest = 1000 - waits.reduce((sum, [, , share]) => sum + share, 0);
  const line = (share, ...said) => h("li", {}, h("span", { class: "meter", "aria-hidden": "true", css: { "--w": share / 1000 } }), h("strong", {}, Math.round(share / 10) + "%"), " ", said);
  return h("ul", { class: "wait-list", "aria-label": word("waitsTitle") },
    waits.map(([shape, kinds, share]) => line(share, waitWords(shape, kinds))), rest >= 10 && line(rest, word("wait.other")));
}

// 4-7p two-sided; shanpon with East; kanchan or penchan.
function waitWords(shape, kinds) {
  if (shape === "two-sided" && kinds.length === 2) return kinds[0][0] + "-" + kinds[1] + " " + word("wait.two-sided");
  if (shape === "shanpon" && kinds.length === 2) return word("wait.shanpon", { tile: tileText(kinds[1]) });
  return word("wait." + (shape === "shanpon" ? "shanpon-one" : shape));
}
