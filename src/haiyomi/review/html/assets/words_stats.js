// What the page of a player's games says.

Object.assign(WORDS.en, {
  statsTitle: "{name}: {n} games", statsTitleOne: "{name}: 1 game", dealIns: "Deal-ins", expectedN: "expected {n} ± {s}", pointsLost: "Points lost", luck: "Luck", luckHow: { bad: "more points lost than the risks add up to", good: "fewer points lost than the risks add up to" }, inSd: "{n} standard deviations", mistakesN: "Mistakes", mistakesHow: "a balance {m} points or more below the best tile's; {c} points in all", perGame: "{n} a game",
  trend: "Points lost, less what was expected, game by game", trendHow: "Each step is a game. Inside the band a run of luck explains it (95%, were the model right and discards independent); a line that leaves it upwards loses more than the model says.",
  byThreat: "Deal-ins by the greatest threat at the time", threat: { riichi: "riichi", "melds-3": "3 open melds", "melds-2": "2 open melds", "melds-1": "1 open meld", none: "none seen" }, cols: { threat: "Threat", discards: "Discards", actual: "Deal-ins", expected: "Expected", lost: "Points lost", expectedLost: "Expected" },
  worstMistakes: "Costliest mistakes", noMistakes: "No mistake by this measure.", gamesTitle: "Games", game: "Game", aboutStats: "Risks by {model}. Luck takes in ura, ippatsu and whatever the model does not see; only ron counts, since what others win by their own draw is not dealt in. A game's discards after one's own riichi count here, though nobody chose them.",
  actual: "came", expected: "expected", noGames: "No game.", legendBand: "95% band",
});
Object.assign(WORDS.ja, {
  statsTitle: "{name}: {n}対局", statsTitleOne: "{name}: 1対局", dealIns: "放銃", expectedN: "期待値 {n} ± {s}", pointsLost: "失点", luck: "運", luckHow: { bad: "放銃率の合計より多く失った", good: "放銃率の合計より少なく済んだ" }, inSd: "標準偏差の{n}倍", mistakesN: "疑問手", mistakesHow: "最善の牌より収支が{m}点以上低い打牌。計 {c}点", perGame: "1半荘に{n}回",
  trend: "失点と期待値の差の推移", trendHow: "一段が一半荘。帯の中なら運で説明がつく(95%、モデルが正しく打牌が独立なら)。上に抜ければモデルより多く失っている。",
  byThreat: "最大の脅威ごとの放銃", threat: { riichi: "立直", "melds-3": "3副露", "melds-2": "2副露", "melds-1": "1副露", none: "なし" }, cols: { threat: "脅威", discards: "打牌", actual: "放銃", expected: "期待値", lost: "失点", expectedLost: "期待値" },
  worstMistakes: "損の大きい疑問手", noMistakes: "この基準での疑問手はない。", gamesTitle: "対局", game: "牌譜", aboutStats: "放銃率のモデルは{model}。運には裏ドラ・一発などモデルが見ないものも含む。数えるのはロンだけ。立直後のツモ切りも含む。",
  actual: "実際", expected: "期待値", noGames: "対局がありません。", legendBand: "95%の帯",
});
