// The library page: records come in, reviews are asked for and followed.

const data = JSON.parse(document.getElementById("data").textContent);
setLang(kept.get("lang") || (navigator.language || "en").slice(0, 2));
const lists = { records: data.records, reviews: data.reviews, players: data.players };
const notes = h("div", { id: "notes", role: "status", "aria-live": "polite" });
let me = kept.get("me") || "", fresh = [];
const spots = { mine: h("div", { class: "row", id: "mine" }),  records: h("div", { id: "records" }), reviews: h("div", { id: "reviews" }), players: h("div", { id: "players" }) };
let timer = null;

const seatName = (record, i) => record.names[i] || word("seatName", { n: i + 1 });
const say = (text, bad = false) => notes.append(h("p", { class: bad ? "bad" : "" }, text));
const nameOf = (review) => (review.player || word("seatName", { n: review.seat + 1 })) + " · " + review.record_name;
// Whoever goes on with something else is not taken away to the review that is done.
for (const kind of ["keydown", "pointerdown"]) document.addEventListener(kind, () => { data.watch = null; }, true);

function build() {
  document.title = "haiyomi";
  const files = h("input", { type: "file", id: "files", multiple: true, class: "hidden-input", on: { change: () => { takeFiles(files.files); files.value = ""; } } });
  const area = h("textarea", { id: "paste", rows: 4, spellcheck: "false", "aria-describedby": "paste-how", autocomplete: "off" });
  const drop = h("div", { class: "drop", id: "drop" }, h("p", {}, word("addHow")),
    h("label", { class: "button", for: "files" }, word("choose")), files);
  const names = [...new Set(lists.records.flatMap((record) => record.names))].filter(Boolean).sort();
  const mine = h("input", { id: "me", value: me, list: "names", maxlength: 100, autocomplete: "off", "aria-describedby": "me-how", on: { change: (e) => { me = e.target.value.trim(); kept.set("me", me); setTimeout(drawRecords); } } });
  frame("/", build, h("main", { class: "single" },
    h("section", { class: "card intro" }, h("p", { class: "lead" }, word("intro")),
      h("button", { type: "button", class: lists.reviews.length ? "" : "primary", id: "sample", on: { click: sample } }, word("trySample"))),
    h("section", { class: "card" }, h("h2", {}, word("addTitle")), drop,
      h("label", { class: "field", for: "paste" }, word("paste")), area, h("p", { class: "why", id: "paste-how" }, word("pasteHow")),
      h("button", { type: "button", class: "primary", id: "add", on: { click: async () => { if (area.value.trim() && await take("pasted", new Blob([area.value]))) area.value = ""; } } }, word("add")), notes),
    h("section", { class: "card" }, h("h2", {}, word("records")),
      h("label", { class: "field", for: "me" }, word("me")), mine, h("datalist", { id: "names" }, names.map((name) => h("option", { value: name }))), h("p", { class: "why", id: "me-how" }, word("meHow")), spots.mine, spots.records),
    h("section", { class: "card" }, h("h2", {}, word("reviews")), spots.reviews),
    h("section", { class: "card" }, h("h2", {}, word("players")), spots.players)));
  for (const kind of ["dragover", "dragenter"]) drop.addEventListener(kind, (e) => { e.preventDefault(); drop.classList.add("over"); });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (e) => { e.preventDefault(); drop.classList.remove("over"); takeFiles(e.dataTransfer.files); });
  drawRecords(); drawReviews(); drawPlayers(); follow();
}

async function takeFiles(files) {
  replace(notes); fresh = [];
  for (const file of [...files].slice(0, 50)) await take(file.name, file);
}

async function take(name, blob) {
  if (blob.size > data.upload) { say(word("tooLarge", { name, n: data.upload >> 20 }), true); return false; }
  const busy = h("p", {}, word("adding", { name }));
  notes.append(busy);
  try {
    const got = await ask("POST", "/records?name=" + encodeURIComponent(name.slice(0, 200)), blob, "application/octet-stream");
    say(word("added", { n: got.records.length }));
    for (const why of got.errors.slice(0, 5)) say(why, true);
    fresh = fresh.concat(got.records.map((r) => r.id));
    lists.records = await ask("GET", "/records");
    drawRecords();
    return true;
  } catch (error) {
    say(word("failedAdd", { name, why: error.message }), true);
    return false;
  } finally { busy.remove(); }
}

// The seats that a click reviews: mine in every record, and all of the records just added.
function drawMine() {
  const asked = new Set(lists.reviews.map((review) => review.record_id + review.seat));
  const open = (seats) => seats.filter(([id, seat]) => !asked.has(id + seat));
  const mine = open(lists.records.flatMap((r) => (me && r.names.includes(me) ? [[r.id, r.names.indexOf(me)]] : [])));
  const every = open(lists.records.filter((r) => fresh.includes(r.id)).flatMap((r) => [0, 1, 2, 3].map((i) => [r.id, i])));
  const button = (id, key, seats) => seats.length > 0 && h("button", { type: "button", class: "primary", id, on: { click: () => requestAll(seats) } }, word(key, { n: seats.length }));
  replace(spots.mine, button("review-mine", "reviewMine", mine), button("review-all", "reviewAll", every));
}
async function requestAll(seats) {
  replace(notes);
  let done = 0;
  try {
    for (const [record_id, seat] of seats) { await ask("POST", "/reviews", { record_id, seat }); done += 1; }
  } catch (error) { say(error.message, true); }
  say(word("queued", { n: done }));
  await refresh();
}
async function sample() {
  try {
    const got = await ask("POST", "/records/bundled");
    await request(got.records[0].id, 0);
  } catch (error) { replace(notes); say(error.message, true); }
}

function drawRecords() {
  drawMine();
  replace(spots.records, lists.records.length ? h("ul", { class: "list" }, lists.records.map((record) => h("li", { class: fresh.includes(record.id) ? "fresh" : "" },
    h("div", { class: "row" }, h("strong", {}, record.name), h("span", { class: "meta" }, word("handsN", { n: record.hands }) + " · " + new Date(record.created * 1000).toLocaleString(lang)),
      h("button", { type: "button", class: "link end", "aria-label": word("removeRecord", { name: record.name }), data: { key: "remove " + record.id }, on: { click: () => remove("/records/" + record.id, record.name) } }, word("remove"))),
    h("div", { class: "row" }, h("span", { class: "meta" }, word("whose")), [0, 1, 2, 3].map((i) =>
      h("button", { type: "button", class: me && record.names[i] === me ? "primary" : "", data: { key: record.id + i }, on: { click: () => request(record.id, i) } }, seatName(record, i))))))) : h("p", { class: "why" }, word("noRecords")));
}

async function request(record_id, seat) {
  try { data.watch = (await ask("POST", "/reviews", { record_id, seat })).id; await refresh(); } catch (error) { replace(notes); say(error.message, true); }
}
async function remove(path, name) {
  if (!confirm(word("removeAsk", { name }))) return;
  try { await ask("DELETE", path); } catch { /* it is gone already */ }
  lists.records = await ask("GET", "/records");
  drawRecords(); await refresh();
}

function drawReviews() {
  replace(spots.reviews, lists.reviews.length ? h("ul", { class: "list" }, lists.reviews.map((review) => {
    const name = nameOf(review);
    return h("li", { data: { id: review.id } }, h("div", { class: "row" },
      review.state === "done" ? h("a", { href: "/reviews/" + review.id, data: { key: review.id } }, name) : h("span", {}, name),
      review.place && h("strong", { class: "result" }, word("result", { place: word("placeName")[review.place - 1], points: points(review.points) }) + (review.given_up === null ? "" : " · " + word("givenUp", { n: review.given_up.toFixed(0) }))),
      h("span", { class: "meta" }, word("state." + review.state) + (review.state === "running" ? " " + review.done + "/" + review.total : "")),
      review.state === "running" || review.state === "queued" ? h("progress", { max: review.total || 1, value: review.done, "aria-label": name }) : null,
      review.state === "failed" ? h("button", { type: "button", data: { key: "again " + review.id }, on: { click: () => request(review.record_id, review.seat) } }, word("again")) : null,
      h("button", { type: "button", class: "link end", "aria-label": word("removeReview", { name }), data: { key: "remove " + review.id }, on: { click: () => remove("/reviews/" + review.id, name) } }, word("remove"))),
    review.error ? h("p", { class: "bad", lang: "en" }, review.error) : null);
  })) : h("p", { class: "why" }, word("noReviews")));
}

function drawPlayers() {
  replace(spots.players, lists.players.length ? h("ul", { class: "list" }, lists.players.map((p) => h("li", {}, h("div", { class: "row" },
    h("a", { href: "/players?name=" + encodeURIComponent(p.name), data: { key: p.name } }, p.name), h("span", { class: "meta" }, word("gamesN", { n: p.games })))))) : h("p", { class: "why" }, word("noPlayers")));
}

async function refresh() {
  const before = new Map(lists.reviews.map((review) => [review.id, review.state]));
  lists.reviews = await ask("GET", "/reviews");
  for (const { state, id, ...review } of lists.reviews) {
    if (before.has(id) && before.get(id) !== state && (state === "done" || state === "failed")) say([state === "done" ? h("a", { href: "/reviews/" + id }, nameOf(review)) : nameOf(review), ": " + word("state." + state)]);
  }
  lists.players = await ask("GET", "/players");
  drawMine(); drawReviews(); drawPlayers(); follow();
}
function follow() {
  clearTimeout(timer);
  const watched = lists.reviews.find((r) => r.id === data.watch);
  if (watched?.state === "done") { location.assign("/reviews/" + watched.id); return; }
  if (lists.reviews.some((r) => r.state === "queued" || r.state === "running")) {
    timer = setTimeout(() => refresh().catch(() => { timer = setTimeout(follow, 2000); }), 400);
  }
}
build();
