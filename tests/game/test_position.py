"""Position on streams written by hand: each fact that a seat may know."""

from __future__ import annotations

import dataclasses

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
    mask,
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
    ExhaustiveDraw,
    HiddenDraw,
    Kakan,
    OwnDeal,
    Pon,
    Riichi,
    RiichiAccepted,
    Win,
    visible_to,
)
from haiyomi.game.position_fold import positions
from haiyomi.rules import WALL_DRAWS
from haiyomi.tiles import Seat, format_tiles, parse_tiles

# -- the start ----------------------------------------------------------------------------


def test_a_hand_starts() -> None:
    p = after()
    assert format_tiles(p.hand) == HAND
    assert (p.drawn, p.to_act, p.draws_left) == (None, False, WALL_DRAWS)
    assert [v.score for v in p.players] == [25000, 26000, 24000, 25000]
    assert [v.concealed for v in p.players] == [13] * 4
    assert sum(p.seen) == 14
    assert p.dora[t("1s").kind] == 1
    assert sum(p.dora) == 1
    assert not p.threat


@pytest.mark.parametrize("seat", [S0, S1, S2, S3])
@pytest.mark.parametrize("kyoku", [0, 3, 5, 15, 16])
def test_seats_are_relative_and_winds_follow_the_dealer(seat: Seat, kyoku: int) -> None:
    p = after(seat=seat, kyoku=kyoku)
    scores = (25000, 26000, 24000, 25000)
    assert [v.score for v in p.players] == [scores[(seat + r) % 4] for r in range(4)]
    assert p.absolute(p.dealer) == kyoku % 4
    assert p.seat_wind(p.dealer) == 27
    assert sorted(p.seat_wind(r) for r in range(4)) == [27, 28, 29, 30]
    assert p.seat_wind((p.dealer + 3) % 4) == 30
    assert p.round_wind == 27 + kyoku // 4 % 4


def test_a_new_start_forgets_the_old_hand() -> None:
    fold = folded(*own("9m"), *turn(S1, "1p"))
    for event in (start(1), OwnDeal(S0, parse_tiles(HAND))):
        fold.apply(event)
    assert fold.position() == after(kyoku=1)


# -- draws and discards -------------------------------------------------------------------


def test_own_draw_and_tedashi() -> None:
    p = after(Draw(S0, t("9m")))
    assert (p.drawn, p.to_act, p.draws_left) == (t("9m"), True, 69)
    assert len(p.hand) == p.players[0].concealed == 14
    q = after(*own("9m", "1z"))
    assert (q.drawn, q.to_act) == (None, False)
    assert format_tiles(q.hand) == "1239m456p789s122z"
    (tile,) = q.players[0].river
    assert (tile.tile, tile.tsumogiri, tile.order, tile.riichi) == (t("1z"), False, 0, False)
    assert q.players[0].river_mask == mask("1z")
    assert q.seen == p.seen


def test_others_draws_are_counted_and_their_discards_seen() -> None:
    before = after(*own("9m"))
    p = after(*own("9m"), HiddenDraw(S1))
    assert p.players[1].concealed == 14
    assert p.seen == before.seen
    p = after(*own("9m"), *turn(S1, "4s", False), *turn(S2, "4s"))
    assert [(r.tile, r.tsumogiri, r.order) for r in p.players[1].river] == [(t("4s"), False, 1)]
    assert [(r.tile, r.tsumogiri, r.order) for r in p.players[2].river] == [(t("4s"), True, 2)]
    assert p.seen[t("4s").kind] == 2
    assert p.unseen[t("4s").kind] == 2
    assert p.discards_made == 3
    assert p.draws_left == 67


def test_a_red_five_is_seen_as_such() -> None:
    assert after().reds_seen == 0
    p = after(*own("9m"), *turn(S1, "0p"))
    assert p.reds_seen == 0b010
    assert p.seen[t("5p").kind] == 2
    assert after(hand="0m0p0s123m1122334z").reds_seen == 0b111


def test_taking_a_red_five_needs_the_red_five() -> None:
    after(Draw(S0, t("0m")), Discard(S0, t("0m"), True))
    with pytest.raises(PositionError, match="does not hold"):
        after(Draw(S0, t("0m")), Discard(S0, t("5m"), False))


# -- furiten masks ------------------------------------------------------------------------


def test_tiles_let_pass_since_the_own_last_discard() -> None:
    stream = (*own("9m"), *turn(S1, "1p"), *turn(S2, "2p"), *turn(S3, "3p"))
    p = after(*stream)
    assert [v.passed_mask for v in p.players] == [
        mask("1p", "2p", "3p"),
        mask("2p", "3p"),
        mask("3p"),
        0,
    ]
    assert p.players[1].furiten_mask == mask("1p", "2p", "3p")
    assert p.players[3].furiten_mask == mask("3p")
    q = after(*stream, *own("8m"))
    assert [v.passed_mask for v in q.players] == [
        0,
        mask("2p", "3p", "8m"),
        mask("3p", "8m"),
        mask("8m"),
    ]


def test_after_riichi_what_passed_stays_passed() -> None:
    riichi = (HiddenDraw(S1), Riichi(S1), Discard(S1, t("5s"), False), RiichiAccepted(S1))
    stream = (*own("9m"), *riichi, *turn(S2, "1p"), *turn(S3, "2p"), *own("8m"), *turn(S1, "7z"))
    p = after(*stream)
    assert p.players[1].riichi_mask == mask("1p", "2p", "8m")
    assert p.players[1].passed_mask == 0
    assert p.players[1].river_mask == mask("5s", "7z")
    assert p.players[1].furiten_mask == mask("1p", "2p", "8m", "5s", "7z")
    assert p.players[2].riichi_mask == 0
    # What passed before the riichi is forgotten at its discard: 9m is no longer furiten.
    assert not p.players[1].furiten_mask & mask("9m")


def test_a_called_discard_still_makes_furiten() -> None:
    p = after(*own("9m"), Pon(S2, S0, t("9m"), (t("9m"), t("9m"))), Discard(S2, t("1p"), False))
    assert p.players[0].river_mask == mask("9m")
    assert p.players[0].river[0].called_by == 2


def test_an_added_kan_that_nobody_robs_has_passed() -> None:
    pon = Pon(S1, S0, t("9m"), (t("9m"), t("9m")))
    stream = (*own("9m"), pon, Discard(S1, t("1p"), False), *turn(S2, "2p"), *turn(S3, "3p"))
    p = after(*stream, *own("8m"), HiddenDraw(S1), Kakan(S1, t("9m")))
    assert [v.passed_mask & mask("9m") for v in p.players] == [mask("9m"), 0] + [mask("9m")] * 2


def test_a_concealed_kan_passes_nobody() -> None:
    p = after(*own("9m"), HiddenDraw(S1), Ankan(S1, parse_tiles("8888p")))
    assert not any(v.passed_mask & mask("8p") for v in p.players)


# -- riichi -------------------------------------------------------------------------------


def test_riichi_costs_a_stick_and_marks_its_tile() -> None:
    p = after(*own("9m"), *RIICHI1)
    rioter = p.players[1]
    assert rioter.riichi
    assert rioter.riichi_index == 0
    assert rioter.river[0].riichi
    assert (rioter.score, p.sticks) == (25000, 1)
    assert rioter.ippatsu
    assert p.threat


def test_before_its_acceptance_a_riichi_has_no_stick() -> None:
    p = after(*own("9m"), *RIICHI1[:-1])
    assert (p.players[1].score, p.sticks) == (26000, 0)
    assert p.players[1].riichi


def test_the_turn_of_a_later_riichi() -> None:
    first = (*own("9m"), *turn(S1, "1p"), *turn(S2, "2p"), *turn(S3, "3p"), *own("8m"))
    p = after(*first, *RIICHI1)
    assert p.players[1].riichi_index == 1
    assert [r.riichi for r in p.players[1].river] == [False, True]


def test_ippatsu_ends_with_the_next_own_discard_or_any_call() -> None:
    stream = (*own("9m"), *RIICHI1, *turn(S2, "1p"), *turn(S3, "2p"))
    assert after(*stream, Draw(S0, t("8m"))).players[1].ippatsu
    assert after(*stream, *own("8m"), HiddenDraw(S1)).players[1].ippatsu
    assert not after(*stream, *own("8m"), *turn(S1, "7z")).players[1].ippatsu
    assert not after(*stream, Pon(S2, S3, t("2p"), (t("2p"),) * 2)).players[1].ippatsu
    assert (
        not after(*own("9m"), *RIICHI1, HiddenDraw(S2), Ankan(S2, parse_tiles("8888p")))
        .players[1]
        .ippatsu
    )


def test_facing_a_riichi() -> None:
    p = after(*own("9m"), *RIICHI1, *turn(S2, "1p"), *turn(S3, "2p"), *own("8m"), *turn(S1, "7z"))
    assert [r.facing_riichi for r in p.players[0].river] == [False, True]
    assert [r.facing_riichi for r in p.players[1].river] == [False, False]
    assert p.players[2].river[0].facing_riichi


def test_in_riichi_only_the_drawn_tile_can_go() -> None:
    mine = (Draw(S0, t("9m")), Riichi(S0), Discard(S0, t("9m"), True), RiichiAccepted(S0))
    declaring = after(*mine[:2])
    assert len(declaring.discards) == len(set(declaring.hand))
    p = after(*mine, *turn(S1, "1p"), *turn(S2, "2p"), *turn(S3, "3p"), Draw(S0, t("8m")))
    assert p.discards == (t("8m"),)


# -- calls and kans -----------------------------------------------------------------------


def test_a_chi_by_another() -> None:
    p = after(*own("9m"), Chi(S1, S0, t("9m"), parse_tiles("78m")))
    (meld,) = p.players[1].melds
    assert (meld.kind, meld.called, meld.target, meld.order) == ("chi", t("9m"), 0, 1)
    assert format_tiles(meld.tiles) == "789m"
    assert (meld.base, meld.open) == (t("7m").kind, True)
    assert p.players[1].concealed == 11
    assert p.seen[t("9m").kind] == 1
    assert p.seen[t("7m").kind] == p.seen[t("8m").kind] == 1
    assert p.players[0].river[0].called_by == 1
    assert p.threat


def test_an_own_pon_and_its_discard() -> None:
    stream = (*own("9m"), *turn(S1, "5z"), *turn(S2, "1z"))
    p = after(*stream, Pon(S0, S2, t("1z"), (t("1z"), t("1z"))))
    assert (p.to_act, p.drawn, p.draws_left) == (True, None, 67)
    assert format_tiles(p.hand) == "123m456p789s22z"
    assert p.players[0].concealed == 11
    assert p.seen[t("1z").kind] == 3
    assert p.players[0].melds[0].target == 2
    q = after(*stream, Pon(S0, S2, t("1z"), (t("1z"), t("1z"))), Discard(S0, t("2z"), False))
    assert (q.to_act, q.players[0].concealed) == (False, 10)


def test_the_order_of_seats_in_melds_is_relative() -> None:
    p = after(
        *(HiddenDraw(S3), Discard(S3, t("9m"), True)),
        Pon(S1, S3, t("9m"), (t("9m"), t("9m"))),
        seat=S2,
        kyoku=3,
    )
    assert p.players[3].melds[0].target == 1
    assert p.players[1].river[0].called_by == 3


def test_an_open_kan() -> None:
    call = Daiminkan(S3, S0, t("0p"), parse_tiles("555p"))
    p = after(*own("0p"), call, hand="123m46p789s11223z")
    assert p.players[3].melds[0].kind == "daiminkan"
    assert p.players[3].concealed == 10
    assert p.seen[t("5p").kind] == 4
    assert p.reds_seen == 0b010
    q = after(*own("0p"), call, HiddenDraw(S3, True), hand="123m46p789s11223z")
    assert (q.players[3].concealed, q.draws_left) == (11, 68)


def test_an_own_concealed_kan() -> None:
    hand = "1119m456p789s112z"
    p = after(Draw(S0, t("1m")), Ankan(S0, parse_tiles("1111m")), hand=hand)
    assert format_tiles(p.hand) == "9m456p789s112z"
    assert (p.to_act, p.players[0].concealed) == (False, 10)
    assert p.players[0].open_melds == 0
    assert not p.players[0].melds[0].open
    assert p.players[0].melds[0].called is None
    assert p.seen[0] == 4
    q = after(
        Draw(S0, t("1m")),
        Ankan(S0, parse_tiles("1111m")),
        DoraReveal(t("8s")),
        Draw(S0, t("3m"), True),
        hand=hand,
    )
    assert (q.to_act, q.drawn, q.players[0].concealed) == (True, t("3m"), 11)
    assert q.indicators == (t("9s"), t("8s"))
    assert q.dora[t("9s").kind] == 1
    assert q.seen[t("8s").kind] == 2


def test_a_concealed_kan_alone_is_no_threat() -> None:
    p = after(*own("9m"), HiddenDraw(S1), Ankan(S1, parse_tiles("8888p")))
    assert p.players[1].open_melds == 0
    assert not p.threat


def test_an_added_kan_turns_its_pon() -> None:
    pon = Pon(S1, S0, t("9m"), (t("9m"), t("9m")))
    stream = (*own("9m"), pon, Discard(S1, t("1p"), False), *turn(S2, "2p"), *turn(S3, "3p"))
    p = after(*stream, *own("8m"), HiddenDraw(S1), Kakan(S1, t("9m")))
    (meld,) = p.players[1].melds
    assert (meld.kind, meld.called, meld.target, meld.order) == ("kakan", t("9m"), 0, 1)
    assert len(meld.tiles) == 4
    assert p.players[1].concealed == 10
    assert p.seen[t("9m").kind] == 4


def test_same_dora_twice() -> None:
    p = after(*KAN, DoraReveal(t("9s")))
    assert p.dora[t("1s").kind] == 2
    assert p.seen[t("9s").kind] == 3


# -- the end ------------------------------------------------------------------------------


def test_after_the_end_nobody_acts() -> None:
    for end in (
        Win(S0, S0, t("9m"), (3000, -1000, -1000, -1000)),
        ExhaustiveDraw((0, 0, 0, 0), (False,) * 4),
    ):
        assert not after(Draw(S0, t("9m")), end).to_act


# -- positions ----------------------------------------------------------------------------


def test_positions_come_before_each_own_discard_and_added_kan() -> None:
    deal = Deal(
        (
            parse_tiles(HAND),
            parse_tiles("4455m55667788s3z"),
            parse_tiles("99m1133557799p3z"),
            parse_tiles("22446688m22446p"),
        )
    )
    events = (
        start(),
        deal,
        *(Draw(S0, t("9m")), Discard(S0, t("9m"), True)),
        *(Pon(S2, S0, t("9m"), (t("9m"), t("9m"))), Discard(S2, t("3z"), False)),
        *(Draw(S3, t("7z")), Discard(S3, t("7z"), True)),
        *(Draw(S0, t("8m")), Discard(S0, t("1z"), False)),
        *(Draw(S1, t("7z")), Discard(S1, t("7z"), True)),
        *(Draw(S2, t("9m")), Kakan(S2, t("9m"))),
    )
    assert [i for i, _, _ in positions(events, S0)] == [3, 9]
    found = list(positions(events, S2))
    assert [i for i, _, _ in found] == [5, 13]
    assert found[0][2].to_act
    assert found[0][2].drawn is None
    assert found[1][2].drawn == t("9m")
    assert [p.seat for _, _, p in found] == [S2, S2]
    # Masked events give the same positions: the fold is the same live.
    live = [visible_to(e, S2) for e in events]
    assert list(positions(live, S2)) == found


def test_a_position_is_a_frozen_value() -> None:
    p, q = after(*own("9m")), after(*own("9m"))
    assert p == q
    assert hash(p) == hash(q)
    with pytest.raises(dataclasses.FrozenInstanceError):
        p.honba = 3  # type: ignore[misc]
    fold = folded(*own("9m"))
    kept = fold.position()
    for event in turn(S1, "1p"):
        fold.apply(event)
    assert kept == p
    assert fold.position() != p
