// The first screen: how the game ended, the costliest decisions, luck.

function summaryView(data, listed, go) {
  const place = data.final && [...data.final.keys()].sort((a, b) => data.final[b] - data.final[a] || a - b).indexOf(data.seat);
  const result = data.final && figure(word("sumResult"), word("placeName")[place], word("sumPoints", { n: points(data.final[data.seat]) }));
  return [h("div", { class: "figures" }, result, data.score && scoreFigure(data.score), luckFigure("sumDealIns", data.luck[0]), data.luck[1] && luckFigure("sumWins", data.luck[1])),
    listed.length > 0 && [h("h2", {}, word("sumCostliest")), h("ol", { class: "cards" }, listed.slice(0, 3).map((at) => mistakeCard(data, at, go)))]];
}

const figure = (name, value, ...notes) => h("div", { class: "card figure" }, h("h2", {}, name), h("p", { class: "value" }, value), notes.map((text) => text && h("p", { class: "why" }, text)));

// What was given up per decision, its interval, and where that stands among strong players' games.
function scoreFigure([cost, interval, agreement, better, n]) {
  return h("div", { class: "card figure given-up" }, h("h2", {}, word("sumScore")), h("p", { class: "value" }, cost.toFixed(0), interval && h("small", {}, " (" + interval.map((end) => end.toFixed(0)).join("–") + ")")),
    better !== null && [h("span", { class: "meter", "aria-hidden": "true", css: { "--w": better } }), h("p", { class: "why" }, better === 0 ? word("sumBelowAll") : better === 1 ? word("sumAboveAll") : word("sumBetter", { p: Math.min(99, Math.max(1, Math.round(100 * better))) }))],
    h("p", { class: "why" }, word("sumScoreHow", { n, a: Math.round(100 * agreement) })));
}

function luckFigure(key, [came, expected, spread]) {
  return figure(word(key), came, word("sumExpected", { n: expected.toFixed(1), s: spread.toFixed(1) }));
}

// A decision that cost much: what was done, what was better, why.
function mistakeCard(data, [i, j], go) {
  const hand = data.hands[i], d = hand.d[j];
  return h("li", {}, h("button", { type: "button", class: "card mistake", on: { click: () => go(i, j, true) } },
    h("span", { class: "card-head" }, h("span", { class: "badge s" + d.v[0] }, word("severity." + SEVERITY[d.v[0]])), " ", handShort(hand.k, hand.h) + " · " + word("turn", { n: d.u }), h("strong", {}, "−" + points(d.v[2]))),
    h("span", { class: "swap" }, optionView(d.dn, d.of?.[0]), " → ", optionView(bestOf(d)[OPTION.name], d.of?.[0])),
    h("span", { class: "why" }, d.why?.[lang] || word("category")[d.v[1]]), confirmedLine(d, "span")));
}
