"""What the numbers of ``play.packed_decision.features`` mean: each column's name and a sentence.

``KIND_FEATURES`` are the columns of each kind of tile, ``CONTEXT_FEATURES`` those of the whole, in
their order; ``KIND_NAMES`` and ``CONTEXT_NAMES`` are the names alone. The manual's page
"Features of a decision" is made of these lists.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from haiyomi.game.decision_record import ACTS
from haiyomi.kernels.network import STYLE, STYLE_AT

CONVENTIONS: Final = (
    "A column is 1 where its sentence is true and else 0, unless the sentence gives a number; "
    '"/ 20" says what the number is divided by. Opponents are right, across and left: those who '
    "act next, second and third."
)
"""How the sentences are to be read."""
OPPONENTS: Final = ("right", "across", "left")
"""The relative seats 1, 2 and 3."""


class Feature(NamedTuple):
    """A column: its name, and what it says."""

    name: str
    meaning: str


def _kind_features() -> Iterator[Feature]:
    for n in range(1, 5):
        yield Feature(f"held_{n}", f"the hand has {n} or more, the drawn tile included")
    for n in range(1, 5):
        yield Feature(f"unseen_{n}", f"{n} or more are not seen")
    yield Feature("drawn", "the tile just drawn")
    yield Feature("offered", "the tile of another seat that the decision is about")
    yield Feature("own_red", "the hand has the red five of this kind")
    yield Feature("dora", "number of indicators that make it dora")
    yield Feature("indicator", "number of indicators of this kind")
    yield Feature("discard", "may be discarded now")
    yield Feature("discard_best", "own turn: its discard leaves the least shanten")
    yield Feature("discard_second", "own turn: its discard leaves one shanten more than the least")
    yield Feature("useful", "of a best discard: useful unseen tiles after it / 20")
    yield Feature("next_useful", "of a best discard: mean useful tiles a step later, times 4, / 60")
    yield Feature("useful_most", "of a best discard: no other leaves more useful tiles")
    yield Feature("useful_share", "of a best discard: useful tiles / those of the best")
    yield Feature("useful_kinds", "of a best discard: kinds of useful tiles / 8")
    yield Feature("next_useful_share", "of a best discard: next_useful / that of the best")
    yield Feature("useful_otherwise", "of any other discard: useful unseen tiles after it / 40")
    yield Feature("own_meld", "number of own melds that hold it")
    yield Feature("own_set", "number of own pons and kans of it")
    yield Feature("own_river", "number of own discards")
    yield Feature("own_river_last_3", "number of own discards among the last three")
    yield Feature("own_river_first_6", "number of own discards among the first six")
    yield Feature("own_passed", "let pass since the own last discard")
    yield Feature("riichi_safe", "somebody is in riichi, and no opponent in riichi can ron it")
    for who in OPPONENTS:
        yield from _kind_features_of(who)
    yield Feature("riichi_unsafe", "number of opponents in riichi who could ron it")
    for low in range(1, 5):
        yield Feature(f"rank_{low}_{10 - low}", f"a {low} or {10 - low} of a suit")
    yield Feature("rank_5", "a 5 of a suit")
    yield Feature("own_wind", "the own seat's wind")
    yield Feature("round_wind", "the round's wind")
    yield Feature("guest_wind", "a wind that is no yaku for the seat")
    yield Feature("dragon", "White, Green or Red")
    yield Feature("suit_held", "tiles of its suit (or honours) in the hand / 10")
    yield Feature("call_uses", "a legal call would use it")
    yield Feature("kan", "a closed or added kan of it is legal")
    yield Feature("rank_in_1_suit", "the hand has this rank in one of the other two suits")
    yield Feature("rank_in_2_suits", "the hand has this rank in both other suits")
    yield Feature("unused", "always 0")
    yield Feature("wait", "completes the hand without the drawn tile")
    yield Feature("red_unseen", "a five whose red copy is not seen")


def _kind_features_of(who: str) -> Iterator[Feature]:
    yield Feature(f"{who}_river", "number of the opponent's discards")
    yield Feature(f"{who}_tedashi", "number of the discards from the hand, up to a riichi")
    yield Feature(f"{who}_river_first_6", "number among the opponent's first six discards")
    yield Feature(f"{who}_river_last_3", "number among the last three discards")
    yield Feature(f"{who}_last_tedashi", "1 the last discard from the hand, 0.5 the one before")
    yield Feature(f"{who}_riichi_tile", "declared the opponent's riichi")
    yield Feature(f"{who}_passed", "let pass since the opponent's last discard")
    yield Feature(f"{who}_recent", "1 less the discards of all since the opponent's last / 24")
    yield Feature(f"{who}_meld", "tiles in the opponent's melds / 3")
    yield Feature(f"{who}_called", "the tile that a call took")
    yield Feature(f"{who}_riichi_safe", "cannot be ronned by the opponent in riichi")
    yield Feature(f"{who}_suji", "no two-sided wait on it is left to the opponent")
    yield Feature(f"{who}_riichi_suji", "the same of an opponent in riichi, and not safe itself")
    yield Feature(f"{who}_facing_riichi", "number discarded from the hand against a riichi")


def _context_features() -> Iterator[Feature]:
    yield Feature("turn", "own discards so far / 18")
    yield Feature("turn_squared", "their square / 324")
    yield Feature("first_turn", "no own discard yet")
    yield Feature("draws_left", "tiles left to draw / 70")
    yield Feature("draws_left_below_12", "fewer than 12 are left")
    yield Feature("draws_left_below_4", "fewer than 4 are left")
    yield Feature("hand", "the hand's number, East 1 being 0, / 8")
    yield Feature("south_or_later", "the round is South or later")
    yield Feature("south_3_or_later", "the hand is South 3 or later")
    yield Feature("south_4_or_later", "the hand is South 4 or later")
    for who in ("own", *OPPONENTS):
        yield Feature(f"{who}_dealer", "deals" if who == "own" else "the opponent deals")
    yield Feature("honba", "counters, at most 8, / 4")
    yield Feature("sticks", "riichi deposits on the table, at most 8, / 4")
    yield Feature("score", "the own score / 25,000, from -6 to 6")
    for who in OPPONENTS:
        yield Feature(f"{who}_ahead", "the opponent's score less the own / 10,000, from -3 to 3")
    for place in range(1, 5):
        yield Feature(f"place_{place}", f"{place - 1} opponents have more points")
    yield Feature("late_first", "South 3 or later, and nobody has more points")
    yield Feature("late_last", "South 3 or later, and three have more points")
    for n in range(5):
        yield Feature(f"own_melds_{n}", f"the seat has {n} melds")
    yield Feature("closed", "the own hand is closed")
    yield Feature("own_riichi", "the seat is in riichi")
    yield Feature("own_value_meld", "the seat has a pon or kan of an honour that is a yaku")
    yield Feature("own_simple_melds", "the seat has melds, of simples alone")
    for n in range(5):
        more = " or more" if n == 4 else ""
        yield Feature(f"own_dora_{n}", f"the own tiles have {n}{more} dora, red fives included")
    for who in OPPONENTS:
        yield from _context_features_of(who)
    yield Feature("riichi", "number of opponents in riichi / 2")
    yield Feature("open_melds", "number of the opponents' open melds / 4")
    yield Feature("outer_kinds", "kinds of terminals and honours in the hand / 9")
    yield Feature("nine_outer_kinds", "nine or more of them")
    yield Feature("pairs", "kinds of which the hand has two or more / 6")
    yield Feature("flush_share", "share of the hand in its longest suit and honours")
    yield Feature("own_turn", "the seat has drawn, or called and must discard")
    yield Feature("after_call", "own turn without a drawn tile")
    for n in range(7):
        more = " or more" if n == 6 else ""
        yield Feature(f"shanten_{n}", f"own turn: the best discard leaves shanten {n}{more}")
    yield Feature("best_useful", "own turn: the most useful tiles after a best discard / 20")
    yield Feature("thin_wait", "own turn: tenpai with four waits left or fewer")
    yield Feature("best_next_useful", "own turn: the most useful tiles a step later, times 4, / 60")
    yield Feature("best_discards", "own turn: kinds of discards that leave the least shanten / 6")
    for act in ACTS:
        yield Feature(f"may_{act.replace(' ', '_')}", f"{act} is legal")
    for who in OPPONENTS:
        yield Feature(f"from_{who}", f"the offered tile is of the opponent {who}")
    yield Feature("offer_tedashi", "the offered tile came from the hand")
    yield Feature("offer_red", "the offered tile is a red five, and not of a kan")
    yield Feature("offer_riichi", "the offered tile declared riichi")
    yield Feature("offer_value", "the offered tile is an honour that is a yaku")
    yield Feature("offer_dora", "number of indicators that make the offered tile dora")
    for n in range(7):
        more = " or more" if n == 6 else ""
        yield Feature(f"offer_shanten_{n}", f"on another's tile: the hand has shanten {n}{more}")
    yield Feature("offer_useful", "on another's tile: useful unseen tiles / 20")
    yield Feature("offer_next_useful", "on another's tile: useful tiles a step later / 60")
    for call in ("chi_low", "chi_middle", "chi_high", "pon"):
        yield Feature(f"{call}_nearer", "the call lowers the shanten")
        yield Feature(f"{call}_equal", "the call leaves the shanten")
        yield Feature(f"{call}_tenpai", "the call leaves tenpai")
        yield Feature(f"{call}_useful", "useful unseen tiles after the call / 20")
        yield Feature(f"{call}_next_useful", "useful tiles a step later / 60")
    for n in range(3):
        yield Feature(f"unused_{n}", "always 0")
    for n in range(STYLE):
        yield Feature(f"style_{n}", f"place of number {n} of a style vector; 0")
    for name, rounds in (("east_only", "East alone"), ("hanchan", "East and South")):
        yield Feature(name, f"the game has {rounds}")
    yield Feature("four_rounds", "the game has four rounds")
    yield Feature("forgets", "others' discards from the hand are not known as such")
    for what, meaning in (
        ("ippatsu", "a win of the opponent now has ippatsu"),
        ("double_riichi", "the opponent's riichi is a double riichi"),
        ("nagashi", "the opponent has discarded terminals and honours alone, none called"),
    ):
        for who in OPPONENTS:
            yield Feature(f"{who}_{what}", meaning)
    for suit in "mps":
        yield Feature(f"red_seen_{suit}", f"the red five of {suit} is seen")


def _context_features_of(who: str) -> Iterator[Feature]:
    yield Feature(f"{who}_riichi", "the opponent is in riichi")
    yield Feature(f"{who}_riichi_age", "discards since the opponent's riichi / 10")
    yield Feature(f"{who}_riichi_new", "no discard since the opponent's riichi")
    yield Feature(f"{who}_melds", "number of the opponent's melds / 4")
    yield Feature(f"{who}_melds_2", "two melds or more")
    yield Feature(f"{who}_melds_3", "three melds or more")
    yield Feature(f"{who}_value_meld", "a pon or kan of an honour that is a yaku")
    yield Feature(f"{who}_meld_dora", "dora in the melds, red fives included, at most 6, / 4")
    yield Feature(f"{who}_one_suit", "two melds or more, of one suit and honours")
    yield Feature(f"{who}_simple_melds", "melds of simples alone")
    yield Feature(f"{who}_since_meld", "discards since the last meld / 10")
    yield Feature(f"{who}_tedashi_since_meld", "of these from the hand / 6")


KIND_FEATURES: Final = tuple(_kind_features())
"""The columns of each kind, in their order."""
CONTEXT_FEATURES: Final = tuple(_context_features())
"""The columns of the whole, in their order."""
KIND_NAMES: Final = tuple(feature.name for feature in KIND_FEATURES)
"""(90,) the names of ``features(records)[0][..., i]``."""
CONTEXT_NAMES: Final = tuple(feature.name for feature in CONTEXT_FEATURES)
"""(168,) the names of ``features(records)[1][:, i]``."""
STYLE_SLOT: Final = slice(STYLE_AT, STYLE_AT + STYLE)
"""The columns of the whole that hold the eight numbers of a style, such as
``Policy.style("pooled")``, where a policy reads them; ``features`` leaves 0 there."""
