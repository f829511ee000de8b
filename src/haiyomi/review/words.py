"""What is printed, in English and in Japanese: one value a language, tiles included."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from haiyomi.dealin.answer import ZeroReason
from haiyomi.events import AbortiveReason
from haiyomi.tiles import Tile

Language: TypeAlias = Literal["en", "ja"]


@dataclass(frozen=True, slots=True)
class Words:
    """Every word of the text output. Templates take named fields."""

    honours: tuple[str, ...]
    """East South West North White Green Red, as a tile is written."""
    winds: tuple[str, str, str, str]
    hand: Callable[[int, int], str]
    """(kyoku, honba) -> the name of the hand."""
    short_hand: Callable[[int, int], str]
    """The same in at most eleven columns."""
    you: str
    dora: str
    sticks: str
    turn: str
    left: str
    drew: str
    called: str
    tenpai: str
    riichi: str
    total: str
    loss: str
    own_win: str
    win: str
    gain: str
    balance: str
    waits: str
    zero: Mapping[ZeroReason, str]
    """Why a risk is zero, at most five columns wide."""
    legend: tuple[str, ...]
    truth_legend: str
    actions: Mapping[str, str]
    calls: Mapping[str, str]
    passed: str
    called_by: str
    dealt_in: str
    aborted: str
    worth: str
    options: Mapping[str, str]
    """Options of another program that are no discard, by their names in mjai."""
    beside: str
    safer: str
    forward: str
    shanten: str
    is_tenpai: str
    chose_safest: str
    forced: str
    chose: str
    to: str
    swap: str
    closing: str
    columns: tuple[str, str, str, str, str, str, str, str]
    mistakes: str
    mistake_columns: tuple[str, str, str, str, str, str, str]
    saved: Mapping[str, str]
    none_dangerous: str
    summary: str
    no_hands: str
    ron: str
    tsumo: str
    exhaustive: str
    all_noten: str
    nagashi: str
    draws: Mapping[AbortiveReason, str]
    points: str
    melds: Mapping[str, str]
    and_: str
    progress: str

    def tile(self, tile: Tile) -> str:
        """A tile: ``5m``, ``0p`` (the red five), an honour by its name."""
        return self.honours[tile.kind - 27] if tile.kind >= 27 else str(tile)


_EN_WINDS = ("East", "South", "West", "North")

ENGLISH = Words(
    honours=("E", "S", "W", "N", "Wh", "Gr", "Rd"),
    winds=("E", "S", "W", "N"),
    hand=lambda kyoku, honba: (
        f"{_EN_WINDS[kyoku // 4 % 4]} {kyoku % 4 + 1}" + (f", honba {honba}" if honba else "")
    ),
    short_hand=lambda kyoku, honba: (
        f"{'ESWN'[kyoku // 4 % 4]}{kyoku % 4 + 1}" + (f".{honba}" if honba else "")
    ),
    you="you",
    dora="dora",
    sticks="riichi sticks {n}",
    turn="Turn {n}",
    left="{n} draws left",
    drew="drew {tile}",
    called="called",
    tenpai="tenpai",
    riichi="riichi",
    total="risk",
    loss="loss (points)",
    own_win="win (own draws)",
    win="P(win)",
    gain="gain (points)",
    balance="balance",
    waits="waits on",
    zero={
        "river": "genb",
        "passed-riichi": "pass",
        "passed-turn": "turn",
        "no-hand": "none",
    },
    legend=(
        "Each column is a tile of the hand, the drawn one last; [ ] marks what was discarded.",
        "E S W N winds, Wh Gr Rd dragons, 0m 0p 0s the red fives. Rows: the chance that this",
        "player wins on the tile (deals in); risk: that anyone does; loss: points lost on average.",
        "win (own draws): your chance to win by own draws if nobody else ever won (- : a step back",
        "that is not followed); P(win): to win by ron or own draw, as hands like it were won;",
        "gain: P(win) times the points of such a win; balance: gain less loss.",
        "After a name: riichi, or the chance that the player is tenpai (one tile from winning).",
        "Why a risk is nil: genb = genbutsu, in the player's own discards; pass = let pass after",
        "riichi; turn = let pass since the last own discard; none = no possible hand wins on it.",
        "Shanten: tiles to exchange until tenpai; safest forward: safest of what keeps it least.",
        "Tsumogiri: the tile just drawn; tedashi: another one, from the hand.",
        "A review leaves the opponents' rows out while no tile has a risk of 0.5%.",
    ),
    truth_legend="The truth, unseen then: ! before a tile on which somebody would have won.",
    actions={
        "tsumogiri": "discards {tile} (tsumogiri)",
        "tedashi": "discards {tile} (tedashi)",
        "riichi": "declares riichi with {tile}",
        "kakan": "adds {tile} to the pon (kan)",
    },
    calls={"chi": "chi", "pon": "pon", "daiminkan": "kan"},
    passed="passes",
    called_by="{player} calls {call}",
    dealt_in="DEALS IN to {player}: -{points}{worth}",
    aborted="three players claim it: the hand is void",
    worth=" ({han} han {fu} fu)",
    options={
        "reach": "riichi",
        "chi": "chi",
        "pon": "pon",
        "daiminkan": "kan",
        "kakan": "kan",
        "ankan": "kan",
        "hora": "win",
        "ryukyoku": "abort",
        "none": "pass",
    },
    beside="{name}: {choice} {share}",
    safer="safest: {tile} {risk}",
    forward="safest forward: {tile} {risk}",
    shanten="{n}-shanten",
    is_tenpai="tenpai",
    chose_safest="the safest",
    forced="{tile} goes as drawn (after riichi)",
    chose="risk {risk}, loss {loss}",
    to=", to {player} {share}",
    swap="swap",
    closing="Most dangerous discards",
    columns=("hand", "turn", "tile", "risk", "loss", "to", "safest", "what came of it"),
    mistakes="Costliest mistakes",
    mistake_columns=("hand", "turn", "tile", "risk", "better", "saved", "what came of it"),
    saved={"balance": "{n} of balance", "risk": "{n} of loss"},
    none_dangerous="No discard carried a risk of 1% or more.",
    summary=(
        "{decisions} decisions; expected loss {expected} points in all, "
        "{least} had every discard been the safest.\nDealt in {times} times for {points} points. "
        "{mistakes} mistakes, which cost {cost} points."
    ),
    no_hands="This seat has no decision in the chosen hands.",
    ron="{winner} wins on {loser}'s tile: {points}",
    tsumo="{winner} wins by own draw (tsumo): {points}",
    exhaustive="The wall runs out; tenpai: {players}",
    all_noten="nobody",
    nagashi="nagashi mangan: {players}",
    draws={
        "nine-terminals": "Abortive draw: nine terminals and honours",
        "four-winds": "Abortive draw: four equal winds",
        "four-riichi": "Abortive draw: four riichi",
        "four-kans": "Abortive draw: four kans",
        "triple-ron": "Abortive draw: three players claim the win",
    },
    points="{n:,}",
    melds={"chi": "chi", "pon": "pon", "daiminkan": "kan", "kakan": "kan", "ankan": "closed kan"},
    and_=", ",
    progress="reading the tiles",
)

JAPANESE = Words(
    honours=("東", "南", "西", "北", "白", "發", "中"),
    winds=("東", "南", "西", "北"),
    hand=lambda kyoku, honba: (
        f"{'東南西北'[kyoku // 4 % 4]}{kyoku % 4 + 1}局" + (f" {honba}本場" if honba else "")
    ),
    short_hand=lambda kyoku, honba: (
        f"{'東南西北'[kyoku // 4 % 4]}{kyoku % 4 + 1}局" + (f"{honba}本場" if honba else "")
    ),
    you="自分",
    dora="ドラ",
    sticks="供託 {n}本",
    turn="{n}巡目",
    left="残りツモ {n}",
    drew="ツモ {tile}",
    called="鳴き",
    tenpai="聴牌",
    riichi="立直",
    total="放銃率",
    loss="期待失点",
    own_win="ツモ和了率",
    win="和了率",
    gain="期待得点",
    balance="収支",
    waits="待ち",
    zero={
        "river": "現物",
        "passed-riichi": "通過",
        "passed-turn": "同巡",
        "no-hand": "無し",
    },
    legend=(
        "手牌を左から並べ、ツモ牌は右端。[ ] は実際の打牌。0m 0p 0s は赤五。",
        "各家の行は、その家に放銃する確率。放銃率は誰かに放銃する確率、期待失点は平均の失点。",
        "ツモ和了率は他家が和了しないとして自分のツモだけで和了する確率 (- は追わない後戻り)。",
        "和了率はロンも含めて和了する確率、期待得点はそれに和了の平均得点を掛けたもの、",
        "収支は期待得点から期待失点を引いたもの。",
        "名前の右は立直、または聴牌率。",
        "放銃しない理由: 現物 = その家の捨て牌 / 通過 = 立直後に通った牌 /",
        "同巡 = その家の直前の打牌以降に通った牌 / 無し = 当たる手があり得ない。",
        "手を進めるなら = 向聴数が最小になる打牌のうち最も安全な牌。",
        "どの牌の放銃率も0.5%未満なら、各家の行は省く。",
    ),
    truth_legend="答え合わせ: ! の付いた牌は実際の当たり牌。",
    actions={
        "tsumogiri": "打 {tile} (ツモ切り)",
        "tedashi": "打 {tile} (手出し)",
        "riichi": "打 {tile} (立直宣言)",
        "kakan": "加槓 {tile}",
    },
    calls={"chi": "チー", "pon": "ポン", "daiminkan": "大明槓"},
    passed="通った",
    called_by="{player}が{call}",
    dealt_in="{player}に放銃 -{points}{worth}",
    aborted="三家和で流局",
    worth=" ({han}翻{fu}符)",
    options={
        "reach": "立直",
        "chi": "チー",
        "pon": "ポン",
        "daiminkan": "槓",
        "kakan": "槓",
        "ankan": "槓",
        "hora": "和了",
        "ryukyoku": "流局",
        "none": "見送り",
    },
    beside="{name}: {choice} {share}",
    safer="最も安全: {tile} {risk}",
    forward="手を進めるなら: {tile} {risk}",
    shanten="{n}向聴",
    is_tenpai="聴牌",
    chose_safest="最も安全な牌",
    forced="打 {tile} (立直後のツモ切り)",
    chose="放銃率 {risk} 期待失点 {loss}",
    to=" 対 {player} {share}",
    swap="喰替",
    closing="危険牌を切った場面",
    columns=("局", "巡目", "打牌", "放銃率", "期待失点", "対", "最も安全", "結果"),
    mistakes="損失の大きい疑問手",
    mistake_columns=("局", "巡目", "打牌", "放銃率", "良い牌", "差", "結果"),
    saved={"balance": "収支 {n}点", "risk": "失点 {n}点"},
    none_dangerous="放銃率1%以上の打牌はありません。",
    summary=(
        "打牌 {decisions}回、期待失点の合計 {expected}点"
        "(毎回最も安全な牌なら {least}点)。\n"
        "放銃 {times}回、失点 {points}点。疑問手 {mistakes}回、計 {cost}点。"
    ),
    no_hands="この席の打牌はありません。",
    ron="{winner}のロン {points}点 (放銃 {loser})",
    tsumo="{winner}のツモ {points}点",
    exhaustive="流局 聴牌: {players}",
    all_noten="なし",
    nagashi="流し満貫: {players}",
    draws={
        "nine-terminals": "九種九牌で流局",
        "four-winds": "四風連打で流局",
        "four-riichi": "四家立直で流局",
        "four-kans": "四槓散了で流局",
        "triple-ron": "三家和で流局",
    },
    points="{n:,}",
    melds={
        "chi": "チー",
        "pon": "ポン",
        "daiminkan": "大明槓",
        "kakan": "加槓",
        "ankan": "暗槓",
    },
    and_="、",
    progress="牌譜を読んでいます",
)

LANGUAGES: dict[Language, Words] = {"en": ENGLISH, "ja": JAPANESE}
