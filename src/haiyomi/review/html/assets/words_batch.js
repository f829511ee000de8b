// What the list of a batch of reviews says.

Object.assign(WORDS.en, {
  batchTitle: "{n} reviews of {g} games", batchTitleOne: "1 review of 1 game", find: "Find a player or a record", found: "{n} of {all}", nothingFound: "Nothing here has this in its name.", more: "Show {n} more",
  batchCols: ["Player", "Game", "Discards", "Deal-ins", "Expected deal-ins", "Points lost", "Expected points lost", "Mistakes", "Cost of mistakes"],
  sortBy: "Sort by: {name}", leftOut: "Left out", leftOutMore: "and {n} more: manifest.json names all", notListed: "{n} more games are not listed here: manifest.json names all.",
  aboutBatch: "Risks by {model}. Expected: what the risks of the discards add up to. A mistake is a discard whose balance is {m} points or more below the best tile's.",
});
Object.assign(WORDS.ja, {
  batchTitle: "{g}対局の検討 {n}件", batchTitleOne: "1対局の検討 1件", find: "対局者・牌譜を探す", found: "{all}件中 {n}件", nothingFound: "該当するものがありません。", more: "さらに{n}件を表示",
  batchCols: ["対局者", "牌譜", "打牌", "放銃", "放銃の期待値", "失点", "失点の期待値", "疑問手", "疑問手の損"],
  sortBy: "{name}で並べ替え", leftOut: "読めなかった牌譜", leftOutMore: "ほか{n}件は manifest.json に", notListed: "ほか{n}対局はここに載せていない(manifest.json に全件)。",
  aboutBatch: "放銃率のモデルは{model}。期待値は打牌ごとの放銃率などの合計。疑問手は最善の牌より収支が{m}点以上低い打牌。",
});
