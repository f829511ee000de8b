"""What is printed, one value a language, tiles included; the texts are the catalogue's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from haiyomi.dealin.answer import ZeroReason
from haiyomi.errors import HaiyomiError
from haiyomi.events import AbortiveReason
from haiyomi.review.catalogue import flat, listed, section
from haiyomi.review.categories import CATEGORIES, Category
from haiyomi.tiles import Tile


@dataclass(frozen=True, slots=True)
class HandNames:
    """How hands are called: ``East 1, honba 2`` and, short, ``E1.2``."""

    winds: tuple[str, ...]
    letters: tuple[str, ...]
    long: str
    honba: str
    short: str
    short_honba: str

    def name(self, kyoku: int, honba: int) -> str:
        """The name of a hand."""
        name = self.long.format(wind=self.winds[kyoku // 4 % 4], n=kyoku % 4 + 1)
        return name + self.honba.format(honba=honba) * bool(honba)

    def short_name(self, kyoku: int, honba: int) -> str:
        """The same in at most eleven columns."""
        name = self.short.format(wind=self.letters[kyoku // 4 % 4], n=kyoku % 4 + 1)
        return name + self.short_honba.format(honba=honba) * bool(honba)


@dataclass(frozen=True, slots=True)
class Words:
    """Every word of the text output, section ``text`` of the catalogue. Templates take named
    fields."""

    language: str
    categories: Mapping[str, str]
    severities: Mapping[str, str]
    honours: tuple[str, ...]
    """East South West North White Green Red, as a tile is written."""
    winds: tuple[str, ...]
    hands: HandNames
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
    win_riichi: str
    ev_riichi: str
    place_riichi: str
    strong_riichi: str
    win: str
    ev: str
    place: str
    strong: str
    by_style: str
    style_names: Mapping[str, str]
    """Programs' styles by name, and the words that the names of classes are made of."""
    separator: str
    waits: str
    zero: Mapping[ZeroReason, str]
    """Why a risk is zero, at most five columns wide."""
    legend: str
    position_legend: str
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
    columns: tuple[str, ...]
    mistakes: str
    result: str
    places: tuple[str, ...]
    score: str
    interval: str
    better_than: str
    above_all: str
    below_all: str
    luck_deal_ins: str
    luck_wins: str
    away: str
    cost: str
    offered: str
    verdict: str
    verdict_place: str
    same_plan: str
    where: str
    not_judged: str
    none_dangerous: str
    summary: str
    not_shown: str
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
    wait_names: tuple[str, ...]
    """Two-sided, shanpon, kanchan, penchan, tanki, thirteen orphans, others."""
    safe: Mapping[ZeroReason, str]
    """Why a risk is zero, in full."""
    no_wait: str

    def tile(self, tile: Tile) -> str:
        """A tile: ``5m``, ``0p`` (the red five), an honour by its name."""
        return self.honours[tile.kind - 27] if tile.kind >= 27 else str(tile)

    def style(self, name: str) -> str:
        """The name of a style, such as ``calls much, riichi often`` or ``Suphx-like``."""
        names = self.style_names
        parts = (names.get(part, part) for part in name.split("-"))
        return names[name] if name in names else self.separator.join(parts)

    def hand(self, kyoku: int, honba: int) -> str:
        """The name of a hand."""
        return self.hands.name(kyoku, honba)

    def short_hand(self, kyoku: int, honba: int) -> str:
        """The same in at most eleven columns."""
        return self.hands.short_name(kyoku, honba)


@lru_cache(maxsize=4)
def words_of(language: str) -> Words:
    """The words of a language. Raises KeyError for one that the catalogue does not have."""
    names = flat(language, "hand")
    letters = listed(language, "hand", "letters")
    hands = HandNames(
        listed(language, "hand", "winds"),
        letters,
        names["long"],
        names["honba"],
        names["short"],
        names["short_honba"],
    )
    named = {
        "categories": section(language, "page")["category"],
        "severities": section(language, "page")["severity"],
        "style_names": section(language, "page")["style"],
        "separator": section(language, "page")["listSeparator"],
        **section(language, "text"),
    }
    return Words(language=language, winds=letters, hands=hands, **named)  # type: ignore[arg-type]


def category_named(name: str) -> Category:
    """The category of a name, in any case: its own, or that which the English text prints. Raises
    HaiyomiError."""
    said = words_of("en").categories
    for category in CATEGORIES:
        if name.casefold() in (category, said[category].casefold()):
            return category
    raise HaiyomiError(f"no category is named {name!r}: expected {', '.join(CATEGORIES)}")
