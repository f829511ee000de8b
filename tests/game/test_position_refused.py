"""Events that cannot follow those before them: each is refused in one sentence."""

from __future__ import annotations

import pytest
from game.streams import (
    HAND,
    KAN,
    RIICHI1,
    S0,
    S1,
    S2,
    S3,
    after,
    folded,
    own,
    start,
    t,
    turn,
)

from haiyomi.errors import PositionError
from haiyomi.events import (
    Ankan,
    Chi,
    Daiminkan,
    Deal,
    Discard,
    DoraReveal,
    Draw,
    Event,
    ExhaustiveDraw,
    HiddenDraw,
    Kakan,
    OwnDeal,
    Pon,
    Riichi,
    RiichiAccepted,
    Win,
)
from haiyomi.game.position_fold import PositionFold
from haiyomi.rules import WALL_DRAWS
from haiyomi.tiles import Seat, Tile, parse_tiles

PON1: tuple[Event, ...] = (*own("9m"), Pon(S1, S0, t("9m"), (t("9m"), t("9m"))))
ROUND1: tuple[Event, ...] = (*turn(S2, "1p"), *turn(S3, "2p"), *own("8m"))
RON = (-1000, 1000, 0, 0)
NOBODY = ExhaustiveDraw((0, 0, 0, 0), (False,) * 4)
REFUSED: dict[str, tuple[str, *tuple[Event, ...]]] = {
    "a deal shows": ("cannot see", Deal(tuple(parse_tiles(HAND) for _ in range(4)))),
    "another's deal": ("cannot see", OwnDeal(S1, parse_tiles(HAND))),
    "another's draw": ("cannot see", Draw(S1, t("9m"))),
    "a second deal": ("not directly follow Start", OwnDeal(S0, parse_tiles(HAND))),
    "a hidden draw of the viewer": ("carry their tile", HiddenDraw(S0)),
    "a discard that is not held": ("not hold 7z", Draw(S0, t("9m")), Discard(S0, t("7z"), False)),
    "a fifth copy": ("fifth 1m", *own("1m"), *turn(S1, "1m"), *turn(S2, "1m"), *turn(S3, "1m")),
    "a fifth copy in a meld": ("fifth 1m", *own("1m"), Daiminkan(S1, S0, t("1m"), (t("1m"),) * 3)),
    "a fifth copy by an indicator": (
        *("fifth 9s", *own("9s"), *turn(S1, "9s"), HiddenDraw(S2), Ankan(S2, parse_tiles("2222p"))),
        DoraReveal(t("9s")),
    ),
    "an indicator without a kan": ("without a kan", DoraReveal(t("8s"))),
    "a discard without a draw": ("1 discards out of turn", *own("9m"), Discard(S1, t("1p"), False)),
    "a discard out of turn": (
        *("2 discards out of turn", *own("9m"), HiddenDraw(S1)),
        Discard(S2, t("1p"), False),
    ),
    "a second discard": ("0 discards out of turn", *own("9m"), Discard(S0, t("1z"), False)),
    "a discard after a kan": ("discards out of turn", *KAN, Discard(S1, t("1p"), False)),
    "a draw out of turn": ("2 draws out of turn", *own("9m"), HiddenDraw(S2)),
    "a second draw": ("1 draws out of turn", *own("9m"), HiddenDraw(S1), HiddenDraw(S1)),
    "a draw after a pon": ("1 draws out of turn", *PON1, HiddenDraw(S1)),
    "a draw between riichi and discard": ("out of turn", *own("9m"), *RIICHI1[:2], HiddenDraw(S1)),
    "a draw before the dealer's": ("1 draws out of turn", HiddenDraw(S1)),
    "a draw from the wall after a kan": ("from the wall after a kan", *KAN, HiddenDraw(S1)),
    "a draw from the dead wall": ("without a kan", *own("9m"), HiddenDraw(S1, True)),
    "a second red five": (
        *("second 0m", Draw(S0, t("0m")), Discard(S0, t("1z"), False)),
        *turn(S1, "0m"),
    ),
    "a fourth plain five": ("fourth 5p", *own("5p"), *turn(S1, "5p"), *turn(S2, "5p")),
    "a tile as drawn that was not": ("drew 9m", Draw(S0, t("9m")), Discard(S0, t("1m"), True)),
    "a tile as drawn after a call": ("drawn after a call", *PON1, Discard(S1, t("1p"), True)),
    "a riichi without a draw": ("without having just drawn", *own("9m"), Riichi(S1)),
    "a riichi after a pon": ("without having just drawn", *PON1, Riichi(S1)),
    "a riichi with an open hand": (
        *("1 declares riichi with an open hand", *PON1, Discard(S1, t("1p"), False), *ROUND1),
        *(HiddenDraw(S1), Riichi(S1)),
    ),
    "a second riichi": (
        *("1 declares riichi a second time", *own("9m"), *RIICHI1, *ROUND1),
        *(HiddenDraw(S1), Riichi(S1)),
    ),
    "from the hand in riichi": (
        *("1 discards 7z from its hand in riichi", *own("9m"), *RIICHI1, *ROUND1),
        *turn(S1, "7z", False),
    ),
    "a stick without a riichi": ("did not declare", *own("9m"), RiichiAccepted(S1)),
    "a stick before the discard": (
        *("not just after its discard", *own("9m"), *RIICHI1[:2]),
        RiichiAccepted(S1),
    ),
    "a second stick": ("second time", *own("9m"), *RIICHI1, RiichiAccepted(S1)),
    "a run of honours": ("chi of 1z with", *own("1z"), Chi(S1, S0, t("1z"), parse_tiles("23z"))),
    "a run from across": ("chi of 9m with", *own("9m"), Chi(S2, S0, t("9m"), parse_tiles("78m"))),
    "a pon of two kinds": ("pon of 9m with", *own("9m"), Pon(S1, S0, t("9m"), parse_tiles("89m"))),
    "a call of an own discard": (
        *("pon of 1z with", Draw(S0, t("1z")), Discard(S0, t("1z"), False)),
        Pon(S0, S0, t("1z"), parse_tiles("11z")),
    ),
    "a kan of two kinds": ("is no kan", Draw(S0, t("9m")), Ankan(S0, parse_tiles("1123m"))),
    "a call of what was not discarded": (
        *("not just discarded", *own("9m")),
        Chi(S1, S0, t("8m"), parse_tiles("79m")),
    ),
    "a call from an empty river": ("not just discarded", Pon(S1, S2, t("8m"), (t("8m"),) * 2)),
    "a pon of a tile that was called": (
        "not just discarded", *PON1, Pon(S2, S0, t("9m"), (t("9m"),) * 2),
    ),
    "a chi of a tile that was called": (
        *("not just discarded", *own("8m"), Pon(S2, S0, t("8m"), (t("8m"), t("8m")))),
        Chi(S1, S0, t("8m"), parse_tiles("79m")),
    ),
    "a kan of a tile that was called": (
        *("not just discarded", *own("9m"), Chi(S1, S0, t("9m"), parse_tiles("78m"))),
        Daiminkan(S2, S0, t("9m"), (t("9m"),) * 3),
    ),
    "a call after the next draw": (
        *("not just discarded", *own("9m"), HiddenDraw(S1)),
        Pon(S2, S0, t("9m"), (t("9m"),) * 2),
    ),
    "a call after the next discard": (
        *("not just discarded", *own("9m"), *turn(S1, "1p")),
        Pon(S2, S0, t("9m"), (t("9m"),) * 2),
    ),
    "a pon in riichi": (
        *("1 calls in riichi", *own("9m"), *RIICHI1, *turn(S2, "1p")),
        Pon(S1, S2, t("1p"), parse_tiles("11p")),
    ),
    "a chi in riichi": (
        *("1 calls in riichi", *own("9m"), *RIICHI1, *turn(S2, "1p"), *turn(S3, "2p"), *own("8m")),
        Chi(S1, S0, t("8m"), parse_tiles("79m")),
    ),
    "an open kan in riichi": (
        *("1 calls in riichi", *own("9m"), *RIICHI1, *turn(S2, "1p")),
        Daiminkan(S1, S2, t("1p"), parse_tiles("111p")),
    ),
    "an added kan without its pon": ("without a pon", Draw(S0, t("9m")), Kakan(S0, t("1z"))),
    "an added kan without a draw": ("without having just drawn", *PON1, Kakan(S1, t("9m"))),
    "a concealed kan without a draw": (
        "without having just drawn", *PON1, Ankan(S1, parse_tiles("2222p")),
    ),
    "a kan between riichi and discard": (
        *("without having just drawn", *own("9m"), *RIICHI1[:2]),
        Ankan(S1, parse_tiles("2222p")),
    ),
    "a kan of tiles not held": ("not hold", Draw(S0, t("9m")), Ankan(S0, parse_tiles("1111z"))),
    "a win by own draw without a draw": ("without having just drawn", Win(S1, S1, t("9m"), RON)),
    "a win on what was not discarded": ("not just shown", *own("9m"), Win(S1, S0, t("8m"), RON)),
    "a win after the next draw": (
        "not just shown", *own("9m"), HiddenDraw(S1), Win(S2, S0, t("9m"), RON),
    ),
    "a draw after a win": (
        "HiddenDraw after the end", *own("9m"), Win(S2, S0, t("9m"), RON), HiddenDraw(S1),
    ),
    "the same win twice": (
        "Win after the end", *own("9m"), *[Win(S2, S0, t("9m"), RON)] * 2,
    ),
    "another's win after one by own draw": (
        *("not just shown", *own("9m"), HiddenDraw(S1), Win(S1, S1, t("7z"), RON)),
        Win(S2, S0, t("9m"), RON),
    ),
    "a win after a drawn hand": ("not just shown", *own("9m"), NOBODY, Win(S2, S0, t("9m"), RON)),
    "a discard after a drawn hand": ("after the end", Draw(S0, t("9m")), NOBODY, own("9m")[1]),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_refused(what: str) -> None:
    fold = folded()
    sentence, *before, last = REFUSED[what]
    for event in before:
        fold.apply(event)
    with pytest.raises(PositionError, match=sentence):
        fold.apply(last)


def test_a_deal_of_thirteen_tiles_comes_before_the_first_draw() -> None:
    fold = PositionFold(S0)
    fold.apply(start())
    with pytest.raises(PositionError, match="dealt 12 tiles, not 13"):
        fold.apply(OwnDeal(S0, parse_tiles(HAND)[1:]))
    with pytest.raises(PositionError, match="draws out of turn"):
        fold.apply(Draw(S0, t("9m")))


def test_every_winner_on_one_tile_follows() -> None:
    won = [Win(seat, S0, t("9m"), RON) for seat in (S1, S2, S3)]
    assert not after(*own("9m"), *won).to_act
    stream = (*PON1, Discard(S1, t("1p"), False), *ROUND1, HiddenDraw(S1), Kakan(S1, t("9m")))
    assert not after(*stream, Win(S2, S1, t("9m"), RON), Win(S3, S1, t("9m"), RON)).to_act
    assert not after(*KAN, Win(S2, S1, t("2p"), RON)).to_act  # thirteen orphans


def test_after_seventy_draws_nobody_draws_or_calls() -> None:
    left = [Tile.from_id(i) for i in range(136)]
    for tile in (*parse_tiles(HAND), t("9s")):
        left.remove(tile)
    fold = folded()
    for number in range(WALL_DRAWS):
        tile = left[number]
        for event in turn(Seat(number % 4), str(tile)) if number % 4 else own(str(tile)):
            fold.apply(event)
    assert fold.position().draws_left == 0
    with pytest.raises(PositionError, match="seat 2 draws, but the wall is empty"):
        fold.apply(HiddenDraw(S2))
    with pytest.raises(PositionError, match="pon with no tile left to draw"):
        fold.apply(Pon(S3, S1, tile, (tile, tile)))


def test_a_seat_has_four_melds_and_a_hand_four_kans() -> None:
    fold = folded(*own("9m"), HiddenDraw(S1))
    for kind in ("1p", "2p", "3p", "1s"):
        fold.apply(Ankan(S1, (t(kind),) * 4))
        fold.apply(HiddenDraw(S1, True))
    steps: tuple[tuple[str, Event, tuple[Event, ...]], ...] = (
        ("ankan by a seat that has four melds", Ankan(S1, (t("2s"),) * 4), ()),
        (
            "daiminkan with no tile left to draw",
            Daiminkan(S2, S1, t("7z"), (t("7z"),) * 3),
            (Discard(S1, t("7z"), True),),
        ),
        ("ankan with no tile left to draw", Ankan(S2, (t("2s"),) * 4), (HiddenDraw(S2),)),
        (
            "pon by a seat that has four melds",
            Pon(S1, S2, t("6z"), (t("6z"),) * 2),
            (Discard(S2, t("6z"), True),),
        ),
    )
    for sentence, refused, before in steps:
        for event in before:
            fold.apply(event)
        with pytest.raises(PositionError, match=sentence):
            fold.apply(refused)
    fold.apply(HiddenDraw(S3))


def test_nothing_before_a_start() -> None:
    fold = PositionFold(S0)
    with pytest.raises(PositionError, match="no hand has started"):
        fold.position()
    with pytest.raises(PositionError, match="before any Start"):
        fold.apply(HiddenDraw(S1))
