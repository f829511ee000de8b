// What the page says, in English and Japanese.

const WORDS = {
  en: {
    title: "haiyomi review", you: "you", seatName: "Seat {n}",
    winds: ["East", "South", "West", "North"], wind: ["E", "S", "W", "N"],
    hand: (k, honba) => "ESWN"[Math.floor(k / 4) % 4] + ((k % 4) + 1) + (honba ? "." + honba : ""),
    handLong: (k, honba) => ["East", "South", "West", "North"][Math.floor(k / 4) % 4] + " " + ((k % 4) + 1) + (honba ? ", honba " + honba : ""), honbaN: (n) => "honba " + n,
    turn: "Turn {n}", left: "draws left: {n}", dora: "Dora", sticks: "Riichi sticks",
    risk: "Risk", riskLong: "chance that somebody wins on it", loss: "Loss (points)", lossLong: "points lost on average", pts: "points",
    tenpai: "tenpai", riichi: "riichi", shanten: "{n} from tenpai", atTenpai: "tenpai", shantenRow: "Leaves the hand",
    reason: { river: "genbutsu: it lies in their own discards, so the rules forbid the win", "passed-riichi": "let pass after riichi, so the rules forbid the win", "passed-turn": "let pass since their last discard, so they cannot win on it now", "no-hand": "no hand that the unseen tiles allow wins on it" },
    reasonShort: { river: "genbutsu", "passed-riichi": "passed", "passed-turn": "passed now", "no-hand": "impossible" },
    safe: "safe", against: "against {name}", mean: "{n} on average if it deals in",
    discards: "discards {tile}", tsumogiri: "as drawn", tedashi: "from the hand", declares: "declares riichi with {tile}", kakan: "adds {tile} to the pon (kan)", forced: "goes as drawn after riichi",
    passed: "It passed.", called: "{name} called {call}.", dealt: "Dealt in to {name}: −{n} points.", aborted: "Three players claimed it: the hand is void.",
    calls: { chi: "chi", pon: "pon", daiminkan: "kan" },
    worth: "{han} han {fu} fu",
    prev: "Previous decision", next: "Next decision", prevHand: "Previous hand", nextHand: "Next hand", mistake: "Mistakes", prevMistake: "Previous mistake", nextMistake: "Next mistake", noMistake: "No mistake by this measure.",
    saves: "{tile} was {n} points safer and leaves the hand no further from tenpai.", safestHere: "No discard at this distance from tenpai was clearly safer.",
    compare: "Compare", discarded: "discarded", candidate: "Candidate", pin: "Pin the left candidate", pinned: "pinned", swap: "not allowed now (swapping the called tile)", safest: "safest", forward: "safest that keeps the distance",
    split: "Against each opponent", distribution: "Points if it deals in", timeline: "The game, decision by decision", timelineHow: "Each bar is a discard: how likely it was to deal in. Below it, red marks a deal-in, brown a mistake. The blue dashes are the chance to win.",
    worst: "Costliest discards", col: { hand: "Hand", turn: "Turn", tile: "Discard", risk: "Risk", loss: "Loss (points)", to: "Mostly to", safer: "Safer, as close", came: "What came of it" },
    cameShort: { passed: "passed", called: "called", "dealt-in": "dealt in −{n}", aborted: "void" }, noneWorst: "No discard carried a risk of 1% or more.",
    summary: "{n} discards. Expected loss by dealing in {exp} points; {least} had each discard been the safest at hand. Dealt in {times} times for {lost} points.",
    ends: { ron: "{winner} wins by ron from {loser}: {n}", tsumo: "{winner} wins by own draw: {n}", "ron-you": "You win by ron from {loser}: {n}", "tsumo-you": "You win by own draw: {n}", exhaustive: "The wall ran out. Tenpai: {who}", nagashi: "nagashi mangan: {who}", abortive: "Abortive draw" }, nobody: "nobody", ended: "How the hand ended", next1: "On to the next hand",
    help: "Keys", theme: "Theme", themes: { auto: "auto", light: "light", dark: "dark" }, language: "日本語", aids: "Memory aids", aidsHow: "Marks that a player must remember at the table: drawn-and-discarded tiles, called tiles, unseen counts.", quiz: "Guess first", quizHow: "Hide the risks until you have picked a tile.", quizAsk: "Which tile would you discard?", quizDone: "You picked {tile}: risk {risk}, loss {loss}.", reveal: "Show the risks", toList: "All reviews", skip: "Skip to the decision",
    keys: [["← →", "previous, next decision"], ["↑ ↓", "previous, next hand"], ["n  p", "next, previous mistake"], ["[ ]", "candidate to compare, left and right"], ["c", "pin or unpin the left candidate"], ["Enter", "on a tile: compare it"], ["a", "memory aids on or off"], ["g", "guess first on or off"], ["t", "light or dark"], ["l", "Japanese or English"], ["?", "these keys"], ["Esc", "close"]],
    close: "Close", aidsNote: { tsumogiri: "drawn and discarded", called: "called away", riichi: "riichi" }, unseen: "Unseen", unseenHow: "{n} left unseen",
    tableWords: "The table in words", river: "Discards", melds: "Melds", none: "none", handWords: "Your hand", drew: "drawn", closedHand: "{n} concealed tiles",
    meld: { chi: "chi", pon: "pon", daiminkan: "open kan", kakan: "added kan", ankan: "closed kan" },
    truth: "The truth, unseen then", waits: "waited on {tiles}", noten: "not tenpai", cannotRon: "(no ron)",
    about: "Deal-in risk by {model}. A risk of 0 stands only where the rules make the win impossible.", aboutRisk: "A mistake here is a discard that loses {margin} points more on average than a safer one leaving the hand no further from tenpai; what a discard does for winning is not in it.", aboutBalance: "A mistake here is a discard whose balance is {margin} points or more below the best.",
    winTitle: "Winning from here", winAll: "P(win)", gain: "Gain (points)", balance: "Balance (points)", win: "Win by own draws", better: "Better", cost: "Cost (points)", savesBalance: "{tile} has the better balance, by {n} points.", bestBalance: "No discard has a clearly better balance.", balanceHow: "Balance = gain − loss. Gain = P(win the hand, by ron or own draw) × mean points of such a win; loss = mean points lost by dealing in with this discard. It leaves out later deal-ins, what others win by their own draw, payments for tenpai and the placement. Win by own draws: the chance to win if nobody else ever won, so it may stand above P(win); – is a step back that it does not follow.", handsTitle: "What they may hold", handsHow: "Darker: more copies expected in the concealed hand", handsBest: "Best guess", stylesTitle: "What each style would discard", stylesHow: "Imitated from strong players' games: what they would do, not what is best.", riichiShare: "riichi {p}", style: { pooled: "all players", open: "calls much", closed: "calls little", even: "calls as most", riichi: "riichi often", damaten: "riichi seldom" }, waitsTitle: "Waits that make it up", unnamed: "player", seatOf: "Seat", decisionOf: "Decision {n} of {all}", empty: "No decision of this seat in this record.", tileOf: "{tile}, risk {risk}, loses {loss} points on average", chosenMark: "discarded", least: "below 0.1%",
    option: { reach: "riichi", chi: "chi", pon: "pon", daiminkan: "kan", kakan: "kan", ankan: "kan", hora: "win", ryukyoku: "abort", none: "pass" },
    wait: { "two-sided": "two-sided", "edge-closed": "edge or closed", shanpon: "shanpon with {tile}", "shanpon-one": "shanpon", single: "single", orphans: "thirteen orphans", pairs: "seven pairs", other: "other waits" }, openEditor: "Open in the position editor", openMelds: "{n} open", tools: "View", atScore: "{n} points", dealer: "dealer",
  },
  ja: {
    title: "牌読み 検討", you: "自分", seatName: "席{n}",
    winds: ["東家", "南家", "西家", "北家"], wind: ["東", "南", "西", "北"],
    hand: (k, honba) => "東南西北"[Math.floor(k / 4) % 4] + ((k % 4) + 1) + (honba ? "-" + honba : ""),
    handLong: (k, honba) => "東南西北"[Math.floor(k / 4) % 4] + ((k % 4) + 1) + "局" + (honba ? " " + honba + "本場" : ""), honbaN: (n) => n + "本場",
    turn: "{n}巡目", left: "残りツモ{n}", dora: "ドラ表示", sticks: "供託",
    risk: "放銃率", riskLong: "誰かに放銃する確率", loss: "期待失点(点)", lossLong: "平均の失点", pts: "点",
    tenpai: "聴牌", riichi: "立直", shanten: "{n}向聴", atTenpai: "聴牌", shantenRow: "打牌後",
    reason: { river: "現物: 自分の捨て牌なのでロンできない", "passed-riichi": "立直後に通った牌なのでロンできない", "passed-turn": "直前の打牌以降に通った牌なので今はロンできない", "no-hand": "見えていない牌からは当たる手が作れない" },
    reasonShort: { river: "現物", "passed-riichi": "通過", "passed-turn": "同巡", "no-hand": "無し" },
    safe: "安全", against: "対 {name}", mean: "放銃時の平均 {n}点",
    discards: "打 {tile}", tsumogiri: "ツモ切り", tedashi: "手出し", declares: "打 {tile} で立直", kakan: "{tile} を加槓", forced: "立直後のツモ切り",
    passed: "通った。", called: "{name}が{call}。", dealt: "{name}に放銃 −{n}点。", aborted: "三家和で流局。",
    calls: { chi: "チー", pon: "ポン", daiminkan: "大明槓" },
    worth: "{han}翻{fu}符",
    prev: "前の打牌", next: "次の打牌", prevHand: "前の局", nextHand: "次の局", mistake: "疑問手", prevMistake: "前の疑問手", nextMistake: "次の疑問手", noMistake: "この基準の疑問手はありません。",
    saves: "{tile} なら{n}点安全で、向聴数も悪くならない。", safestHere: "同じ向聴数でこれよりはっきり安全な牌はない。",
    compare: "比較", discarded: "実際の打牌", candidate: "候補", pin: "左の候補を固定", pinned: "固定中", swap: "喰い替えのため切れない", safest: "最も安全", forward: "手を進めるなら",
    split: "各家への放銃率", distribution: "放銃時の点数", timeline: "対局の流れ", timelineHow: "棒は一打ごとの放銃率。下の赤い印は放銃、茶色の印は疑問手。青い線は和了率。",
    worst: "期待失点の大きい打牌", col: { hand: "局", turn: "巡目", tile: "打牌", risk: "放銃率", loss: "期待失点", to: "主に", safer: "より安全な牌", came: "結果" },
    cameShort: { passed: "通った", called: "鳴かれた", "dealt-in": "放銃 −{n}", aborted: "流局" }, noneWorst: "放銃率1%以上の打牌はありません。",
    summary: "打牌{n}回。放銃の期待失点は合計{exp}点(毎回最も安全な牌なら{least}点)。実際の放銃は{times}回、{lost}点。",
    ends: { ron: "{winner}のロン {n}点 (放銃 {loser})", tsumo: "{winner}のツモ {n}点", "ron-you": "自分のロン {n}点 (放銃 {loser})", "tsumo-you": "自分のツモ {n}点", exhaustive: "流局 聴牌: {who}", nagashi: "流し満貫: {who}", abortive: "途中流局" }, nobody: "なし", ended: "局の結果", next1: "次の局へ",
    help: "操作", theme: "配色", themes: { auto: "自動", light: "明", dark: "暗" }, language: "English", aids: "記憶補助", aidsHow: "卓上では覚えておくべき印: ツモ切り、鳴かれた牌、見えていない枚数。", quiz: "先に考える", quizHow: "牌を選ぶまで放銃率を隠す。", quizAsk: "何を切りますか。", quizDone: "選んだ牌 {tile}: 放銃率 {risk}、期待失点 {loss}。", reveal: "放銃率を表示", toList: "一覧へ", skip: "本文へ",
    keys: [["← →", "前後の打牌"], ["↑ ↓", "前後の局"], ["n  p", "次・前の疑問手"], ["[ ]", "比較する候補を左右に移す"], ["c", "左の候補を固定・解除"], ["Enter", "牌の上で: その牌と比較"], ["a", "記憶補助の切替"], ["g", "先に考えるの切替"], ["t", "明暗の切替"], ["l", "日本語・英語の切替"], ["?", "この一覧"], ["Esc", "閉じる"]],
    close: "閉じる", aidsNote: { tsumogiri: "ツモ切り", called: "鳴かれた牌", riichi: "立直" }, unseen: "残り枚数", unseenHow: "残り{n}枚",
    tableWords: "卓の様子(文字)", river: "捨て牌", melds: "副露", none: "なし", handWords: "手牌", drew: "ツモ", closedHand: "手牌{n}枚",
    meld: { chi: "チー", pon: "ポン", daiminkan: "大明槓", kakan: "加槓", ankan: "暗槓" },
    truth: "答え合わせ", waits: "待ち {tiles}", noten: "不聴", cannotRon: "(ロン不可)",
    about: "放銃率のモデルは{model}。0%は規則上ロンできない牌だけ。", aboutRisk: "疑問手とは、向聴数を悪くしないより安全な牌に比べて平均{margin}点以上多く失う打牌。和了への影響は含まない。", aboutBalance: "疑問手とは、収支が最善より{margin}点以上低い打牌。",
    winTitle: "ここからの和了", winAll: "和了率", gain: "期待得点(点)", balance: "収支(点)", win: "ツモ和了率", better: "より良い牌", cost: "損失(点)", savesBalance: "{tile} の方が収支で{n}点良い。", bestBalance: "収支がはっきり良い牌はない。", balanceHow: "収支 = 期待得点 − 期待失点。期待得点 = 和了率(ロンとツモ) × 和了の平均得点、期待失点はこの打牌の放銃によるもの。以後の放銃、他家のツモ、ノーテン罰符、順位は含まない。ツモ和了率は他家が和了しないとした場合のツモだけの和了率で、和了率を上回ることがある。– は追わない後戻り。", handsTitle: "相手の手牌", handsHow: "濃いほど手の内にある見込みが高い", handsBest: "最も近い手", stylesTitle: "打ち手の型ごとの打牌", stylesHow: "強い打ち手の牌譜から模倣したもので、最善手とは限らない。", riichiShare: "立直 {p}", style: { pooled: "全体", open: "鳴き多め", closed: "鳴き少なめ", even: "鳴き普通", riichi: "立直多め", damaten: "立直少なめ" }, waitsTitle: "内訳の待ち", unnamed: "打ち手", seatOf: "席", decisionOf: "{n} / {all} 打目", empty: "この席の打牌はありません。", tileOf: "{tile} 放銃率 {risk} 期待失点 {loss}点", chosenMark: "実際の打牌", least: "0.1%未満",
    option: { reach: "立直", chi: "チー", pon: "ポン", daiminkan: "槓", kakan: "槓", ankan: "槓", hora: "和了", ryukyoku: "流局", none: "見送り" },
    wait: { "two-sided": "両面", "edge-closed": "嵌張・辺張", shanpon: "{tile}とのシャンポン", "shanpon-one": "シャンポン", single: "単騎", orphans: "国士無双", pairs: "七対子", other: "その他" }, openEditor: "局面の作成で開く", openMelds: "{n}副露", tools: "表示", atScore: "{n}点", dealer: "親",
  },
};
let lang = "en";
const HONOURS = { en: ["East", "South", "West", "North", "White", "Green", "Red"], ja: ["東", "南", "西", "北", "白", "發", "中"] };

function word(path, values) {
  let found = WORDS[lang];
  for (const key of path.split(".")) found = found?.[key];
  if (found === undefined) return path;
  if (typeof found !== "string" || !values) return found;
  // One pass, so that braces inside a name are not read again.
  return found.replace(/\{(\w+)\}/g, (_, key) => (key in values ? String(values[key]) : ""));
}

// What a screen reader says for a tile: "red 5 of circles", "赤五筒".
function tileName(name) {
  const suit = "mpsz".indexOf(name[1]), rank = name[0] === "0" ? 5 : Number(name[0]);
  if (name === "back") return lang === "ja" ? "伏せ牌" : "face down";
  if (suit === 3) return HONOURS[lang][rank - 1];
  if (lang === "ja") return (name[0] === "0" ? "赤" : "") + "一二三四五六七八九"[rank - 1] + "萬筒索"[suit];
  return (name[0] === "0" ? "red " : "") + rank + " of " + ["characters", "circles", "bamboo"][suit];
}
// A tile in running text: 5p, 赤5p, East.
function tileText(name) {
  if (name[1] === "z") return HONOURS[lang][Number(name[0]) - 1];
  return name[0] === "0" ? (lang === "ja" ? "赤5" : "red 5") + name[1] : name;
}
