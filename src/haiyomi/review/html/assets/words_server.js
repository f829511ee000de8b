// What the server's own pages say.

Object.assign(WORDS.en, {
  library: "Library", editor: "Position editor", apiLink: "API", addTitle: "Add a record",
  addHow: "Drop files here, or choose them: Tenhou's mjlog, Tenhou JSON, mjai or Mahjong Soul's records, plain, gzipped or zipped. Nothing leaves this machine.",
  choose: "Choose files", paste: "Or paste a record", pasteHow: "mjlog XML, Tenhou JSON, mjai lines, Mahjong Soul's JSON or a tenhou.net/6/#json= link", add: "Add it", adding: "Adding {name} …",
  added: "Records added: {n}.", tooLarge: "{name} is larger than {n} MB.", failedAdd: "{name}: {why}", reviews: "Reviews", records: "Records", players: "Players", gamesN: "games reviewed: {n}", noPlayers: "A player's figures over all reviewed games stand here once a review is done.", noReviews: "No review yet: add a record, then choose whose game to read.", noRecords: "No record yet.",
  state: { queued: "waiting", running: "reading the tiles", done: "done", failed: "failed" }, open: "Open", remove: "Remove", removeRecord: "Remove {name} and its reviews", removeReview: "Remove the review of {name}", reviewFor: "Review", handsN: "{n} hands", again: "Try again", whose: "Whose game?", removeAsk: "Remove {name}?",
  position: "The position", ask: "Read the position", example: "An example", clear: "Clear", target: "Tiles go to", toHand: "Hand", toDrawn: "Drawn tile", toDora: "Dora indicators", toRiver: "River of {who}", asTsumogiri: "drawn and discarded", asRiichi: "declares riichi", meldsOf: "Melds of {who}", meldHow: "one a line, such as: pon 5z55z from S", scoreOf: "Score of {who}", roundName: "Round", honba: "Honba", mySeat: "Your wind", json: "As JSON", jsonHow: "the whole position (docs/reference/position-json.md); edit it here too", removeTile: "remove {tile}", answer: "What the model says", place: "Place a tile", noAnswer: "Set up fourteen tiles, less three for each meld, and a dora indicator.", whoYou: "you",
});
Object.assign(WORDS.ja, {
  library: "保存した検討", editor: "局面の作成", apiLink: "API", addTitle: "牌譜を追加",
  addHow: "ファイルをここに置くか選んでください。天鳳のmjlog、天鳳JSON、mjai、雀魂の牌譜(gzip・zip可)。このパソコンの外には送りません。",
  choose: "ファイルを選ぶ", paste: "または貼り付け", pasteHow: "mjlog XML、天鳳JSON、mjai、雀魂のJSON、tenhou.net/6/#json= のリンク", add: "追加する", adding: "{name} を追加中…",
  added: "{n}件追加しました。", tooLarge: "{name} は {n} MB を超えています。", failedAdd: "{name}: {why}", reviews: "検討", records: "牌譜", players: "打ち手", gamesN: "検討した対局 {n}", noPlayers: "検討が終わると、打ち手ごとの成績がここに並びます。", noReviews: "まだ検討がありません。牌譜を追加して席を選んでください。", noRecords: "まだ牌譜がありません。",
  state: { queued: "待機中", running: "読んでいます", done: "完了", failed: "失敗" }, open: "開く", remove: "削除", removeRecord: "{name} とその検討を削除", removeReview: "{name} の検討を削除", reviewFor: "検討する", handsN: "{n}局", again: "やり直す", whose: "誰の打牌を見ますか", removeAsk: "{name} を削除しますか",
  position: "局面", ask: "局面を読む", example: "例", clear: "消去", target: "牌の行き先", toHand: "手牌", toDrawn: "ツモ牌", toDora: "ドラ表示牌", toRiver: "{who}の捨て牌", asTsumogiri: "ツモ切り", asRiichi: "立直宣言", meldsOf: "{who}の副露", meldHow: "一行に一つ。例: pon 5z55z from S", scoreOf: "{who}の点数", roundName: "局", honba: "本場", mySeat: "自風", json: "JSON", jsonHow: "局面全体 (docs/reference/position-json.md)。ここでも編集できます", removeTile: "{tile} を消す", answer: "モデルの答え", place: "牌を置く", noAnswer: "手牌14枚(副露1つにつき3枚減)とドラ表示牌を置いてください。", whoYou: "自分",
});

// Frame of every page of the server: name, links, theme, language. `draw` builds the page anew.
function frame(here, draw, ...content) {
  document.documentElement.lang = lang;
  document.documentElement.dataset.theme = kept.get("theme") || "auto";
  const link = (href, key) => h("a", { href, "aria-current": href === here ? "page" : null }, word(key));
  const themeNow = kept.get("theme") || "auto";
  replace(document.getElementById("app"),
    h("header", { class: "top" },
      h("div", { class: "brand" }, h("h1", {}, h("span", { class: "logo", lang: "ja", "aria-hidden": "true" }, "牌読み"), " haiyomi"),
        h("nav", { class: "links", "aria-label": "haiyomi" }, link("/", "library"), link("/position", "editor"), link("/api", "apiLink"))),
      h("div", { class: "tools" },
        h("button", { type: "button", on: { click: () => { kept.set("theme", { auto: "light", light: "dark", dark: "auto" }[themeNow]); draw(); } } }, word("theme") + ": " + word("themes." + themeNow)),
        h("button", { type: "button", lang: lang === "ja" ? "en" : "ja", on: { click: () => { lang = lang === "ja" ? "en" : "ja"; kept.set("lang", lang); draw(); } } }, word("language")))),
    content);
}

// Ask the server; an error is thrown with the server's own sentence.
const ask = (method, path, body, type) => send(method, "/api/v1" + path, body, type);
async function send(method, path, body, type = "application/json") {
  const options = { method, headers: {} };
  if (body !== undefined) { options.body = type === "application/json" ? JSON.stringify(body) : body; options.headers["content-type"] = type; }
  const reply = await fetch(path, options);
  if (reply.status === 204) return null;
  const value = await reply.json();
  if (!reply.ok) throw new Error(value.error?.message || String(reply.status));
  return value;
}
