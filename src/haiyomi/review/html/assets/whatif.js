// What if: the options of a decision played to the end of the hand, on the server's page.

const ROUNDS = [64, 128, 256, 512];
const played = new Map();

// The button, the progress and what was found, for the decision that is shown now.
function whatIfPanel(hand, d, key) {
  if (!data.key || !d.op || d.op.length < 2) return null;
  const spot = h("section", { class: "whatif" });
  drawPlayed(spot, hand, d, key);
  return spot;
}

function drawPlayed(spot, hand, d, key) {
  const run = played.get(key), busy = run && run.stop;
  replace(spot, h("h3", {}, word("whatIf")), h("p", { class: "why" }, word("whatIfHow")),
    h("p", { class: "row" }, busy
      ? [h("progress", { max: ROUNDS.at(-1), value: run.worlds, "aria-label": word("whatIf") }), h("span", { class: "meta" }, word("whatIfWorlds", { n: run.worlds, all: ROUNDS.at(-1) })), h("button", { type: "button", id: "stop", on: { click: () => run.stop.abort() } }, word("whatIfStop"))]
      : h("button", { type: "button", class: "primary", id: "play-on", on: { click: () => playOn(spot, hand, d, key) } }, word("whatIfGo"))),
    run?.error && h("p", { class: "bad" }, run.error), run?.found && playedTable(run.found, d));
}

async function playOn(spot, hand, d, key) {
  const run = { stop: new AbortController(), worlds: 0, found: null, error: "" };
  played.set(key, run);
  drawPlayed(spot, hand, d, key);
  try {
    for (const worlds of ROUNDS) {
      const reply = await fetch("/api/v1/reviews/" + data.key + "/played", { method: "POST", headers: { "content-type": "application/json" }, signal: run.stop.signal, body: JSON.stringify({ hand: hand.i, event: d.e, worlds }) });
      const value = await reply.json();
      if (!reply.ok) throw new Error(value.error?.message || String(reply.status));
      run.found = value; run.worlds = worlds;
      if (spot.isConnected) drawPlayed(spot, hand, d, key);
      if (value.options.filter((o) => o.racing).length < 2 || Math.max(...value.options.map((o) => o.worlds)) < worlds) break; // decided, or out of time
    }
  } catch (error) { if (error.name !== "AbortError") run.error = error.message; }
  run.stop = null;
  if (!spot.isConnected) return;
  drawPlayed(spot, hand, d, key);
  const first = run.found?.options[0];
  spots.status.textContent = run.error || (first ? word("whatIf") + ": " + optionText(first.option, d.of?.[0]) + " " + signed(first.points) : "");
}

// On the server's page the costliest mistakes are played on in the background, one after another.
async function confirmCostliest(done) {
  for (const [i, j] of data.key ? data.mistakes.slice(0, 3) : []) {
    const hand = data.hands[i], d = hand.d[j];
    const body = JSON.stringify({ hand: hand.i, event: d.e, better: bestOf(d)[OPTION.name], taken: d.dn });
    try {
      const reply = await fetch("/api/v1/reviews/" + data.key + "/confirmed", { method: "POST", headers: { "content-type": "application/json" }, body });
      const { finding, sentence } = await reply.json();
      if (!reply.ok) continue;
      d.cf = [finding, sentence];
    } catch { return; }
    done(d);
  }
}

// ± is a 95% interval; an option that fell far behind was played in fewer worlds.
function playedTable(found, d) {
  const head = ["option", "ev", "behind", "win", "dealIn", "worlds"], error = (e) => (e === null ? "" : h("small", {}, " ± " + points(1.96 * e)));
  const row = (o) => h("tr", { class: o.option === d.dn ? "taken" : "" }, h("th", { scope: "row" }, optionView(o.option), o.option === d.dn && h("span", { class: "done" }, " ◀ " + word("done"))),
    h("td", {}, h("strong", {}, signed(o.points)), error(o.points_error)), h("td", {}, o.behind === null ? "–" : [signed(o.behind), error(o.behind_error)]),
    h("td", {}, percent(o.win)), h("td", {}, percent(o.deal_in)), h("td", {}, String(o.worlds)));
  return h("div", { class: "scroll options", tabindex: 0, role: "region", "aria-label": word("whatIf") }, h("table", { class: "plain", id: "played" },
    h("thead", {}, h("tr", {}, head.map((key) => h("th", { scope: "col" }, word("optionCol")[key])))), h("tbody", {}, found.options.map(row))));
}
