"""The kernel of win probability by itself: shapes, threads, and what it refuses."""

from __future__ import annotations

import dataclasses
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from haiyomi.kernels.scoring import score
from haiyomi.kernels.winning import DRAW, GraphRules, WinHands, win_values
from haiyomi.tiles import kind_counts, parse_tiles

HANDS = ("567m4456p345s1467z", "789m14568p67s5557z", "19m19p19s12345677z", "1111222233334m")
RULES = (
    GraphRules(),
    GraphRules(must_keep=True, remedy="literal", tenpai=False),
    GraphRules(reverse=True, tegawari=True, back=True, extra=1),
    GraphRules(reverse=True, tegawari=True, back=True, extra=1, riichi=True, points=True),
    GraphRules(reverse=True, riichi=True, points=True, go_on=True, firm=False, thrown="returns"),
)


def _hands(notations: tuple[str, ...]) -> WinHands:
    counts = np.array([kind_counts(parse_tiles(n)) for n in notations], dtype=np.uint8)
    n = len(counts)
    reds = np.zeros((n, 6), dtype=bool)
    reds[:, 3:] = True
    wall = np.tile(122.0 - np.arange(18), (n, 1))
    return WinHands(counts, 4 - counts, reds, wall, indicators=((11,),) * n)


@pytest.mark.parametrize("graph", RULES)
def test_threads_change_nothing(graph: GraphRules) -> None:
    hands = _hands(HANDS)
    one, many = win_values(hands, graph), win_values(hands, graph, threads=4)
    np.testing.assert_array_equal(one.codes, many.codes)
    np.testing.assert_array_equal(one.values, many.values)
    assert (one.values[:, :, :2] >= 0).all()
    assert (one.values[:, :, :2] <= 1).all()
    assert one.shanten.tolist() == [2, 1, -1, 0]
    assert one.codes[3, 0] == DRAW


def test_earlier_calls_change_nothing() -> None:
    """A thread keeps what its hands have in common: to the bit the answers are those without."""
    far = GraphRules(riichi=True, points=True)
    hands = [
        (_hands((notation,)), graph)
        for notation in (*HANDS[:2], "566m4456p345s1467z", "2568m2367p1589s47z", "2568m2367p")
        for graph in (*RULES[2:], far)
        if len(notation) > 10 or not graph.points
    ]
    for hand, graph in (*hands, *reversed(hands)):
        after = win_values(hand, graph, first=8)
        with ThreadPoolExecutor(1) as fresh:
            single = fresh.submit(win_values, hand, graph, first=8).result()
        np.testing.assert_array_equal(after.codes, single.codes)
        np.testing.assert_array_equal(after.values, single.values)
        np.testing.assert_array_equal(after.nodes, single.nodes)


@pytest.mark.parametrize("tenpai", [False, True])
@pytest.mark.parametrize("firm", [False, True])
@pytest.mark.parametrize("go_on", [False, True])
def test_points_that_are_left_out_change_no_probability(
    tenpai: bool, firm: bool, go_on: bool
) -> None:
    """To the bit, closed and open: a hand without a yaku has no win either way."""
    graph = dataclasses.replace(RULES[3], tenpai=tenpai, firm=firm, go_on=go_on)
    hands = _hands(HANDS)
    melded = _hands(("789m14p67s555z", "2378m19p234s11z", "22m456p34567s1z"))
    melds = np.full((3, 4, 2), 255, dtype=np.uint8)
    melds[:, 0] = (0, 20), (0, 20), (1, 2)
    for some in (hands, dataclasses.replace(melded, melds=melds)):
        full = win_values(some, graph)
        bare = win_values(some, dataclasses.replace(graph, worth=False))
        np.testing.assert_array_equal(bare.codes, full.codes)
        np.testing.assert_array_equal(bare.values[:, :, :2], full.values[:, :, :2])
        assert full.values[:, :, 2].any()
        assert not bare.values[:, :, 2].any()


@pytest.mark.parametrize("graph", RULES)
@pytest.mark.parametrize("tenpai", [False, True])
def test_a_late_turn_alone_is_that_turn_of_all(graph: GraphRules, tenpai: bool) -> None:
    """Hands that cannot win in the turns that are left are not followed, and nothing changes."""
    graph = dataclasses.replace(graph, tenpai=tenpai)
    hands = _hands((*HANDS, "45m35p1224467s47z"))
    full = win_values(hands, graph)
    assert full.values[0, :, 0, 14].max() > 0 == full.values[0, :, 0, 15].max()
    for turn in (2, 9, 14, 16, 17, 18):
        late = win_values(hands, graph, first=turn)
        np.testing.assert_array_equal(late.codes, full.codes)
        assert not late.values[..., : turn - 1].any()
        np.testing.assert_allclose(
            late.values[..., turn - 1 :], full.values[..., turn - 1 :], rtol=1e-13
        )
        assert (late.nodes <= full.nodes).all()
    assert late.nodes.sum() < full.nodes.sum() / 2
    with pytest.raises(ValueError, match="first turn"):
        win_values(hands, graph, first=0)


def test_a_far_hand_by_its_cores_is_the_whole_graph() -> None:
    """Merging suits, mirror images and honours, and spare tiles, leaves every value."""
    counts = np.array([kind_counts(parse_tiles("1379m258p1469s257z"))], dtype=np.uint8)
    live = 4 - counts
    seen = live.copy()
    seen[0, [1, 12, 23, 28, 33]] -= 1  # no two suits alike any more
    wall = (122.0 - np.arange(18))[None]
    reds = np.zeros((1, 6), dtype=bool)
    merged = win_values(WinHands(counts, live, reds, wall), GraphRules())
    # Points keep every tile apart; a win of any worth is a win.
    apart = win_values(WinHands(counts, live, reds, wall), GraphRules(points=True, riichi=True))
    assert merged.nodes.sum() < apart.nodes.sum() / 2
    np.testing.assert_array_equal(merged.codes, apart.codes)
    np.testing.assert_allclose(merged.values[:, :, :2], apart.values[:, :, :2], atol=1e-13)
    other = win_values(WinHands(counts, seen, reds, wall), GraphRules())
    assert (other.values[:, :, 0] <= merged.values[:, :, 0] + 1e-13).all()


@pytest.mark.parametrize("go_on", [False, True])
@pytest.mark.parametrize(
    "notation",
    [
        "1112345678999m",  # nine gates by any of the nine
        "1112345678899m",  # nine gates by one of two
        "19m19p19s1234567z",
        "119m19p19s123456z",
        "1122334455667m",  # seven pairs, or twin runs
        "2223334445556m",  # many splits
        "22233344455z66p",
        "345567m234p2266s",
    ],
)
def test_the_last_draw_is_worth_what_each_win_pays(notation: str, go_on: bool) -> None:
    hands = _hands((notation,))
    hands.reds[:] = False
    counts, live = hands.concealed[0], hands.live[0]
    ids = np.flatnonzero(live)
    drawn = np.tile(counts, (len(ids), 1))
    drawn[np.arange(len(ids)), ids] += 1
    # The indicator 3p makes 4p the dora.
    paid = score(drawn, ids, tsumo=True, dora=drawn[:, 12])
    each = np.where(paid.han > 0, 3 * paid.tsumo_other, 0)
    graph = GraphRules(reverse=True, points=True, go_on=go_on, firm=False)
    values = win_values(hands, graph).values[0, 0]
    assert (each > 0).any()
    wall = hands.wall[0, 16]
    assert values[2, 16] == pytest.approx((each * live[ids]).sum() / wall, rel=1e-12)
    assert values[0, 16] == pytest.approx(live[ids][each > 0].sum() / wall, rel=1e-12)


def test_what_is_refused() -> None:
    hands = _hands(("123m456p789s1122z",))
    with pytest.raises(ValueError, match="row 0: five copies"):
        win_values(
            WinHands(hands.concealed, np.full_like(hands.live, 4), hands.reds, hands.wall),
            GraphRules(),
        )
    with pytest.raises(ValueError, match="last turn must be 0 to 18"):
        win_values(hands, GraphRules(), last=19)
    with pytest.raises(ValueError, match="extra must be 0 to 3"):
        win_values(hands, GraphRules(extra=9))
    with pytest.raises(ValueError, match="at least one form"):
        win_values(hands, GraphRules(forms=0))
    short = _hands(("123m456p11z",))
    with pytest.raises(ValueError, match="as many melds"):
        win_values(short, GraphRules(points=True))
    with pytest.raises(ValueError, match="more than five"):
        win_values(
            WinHands(hands.concealed, hands.live, hands.reds, hands.wall, indicators=((1,) * 6,)),
            GraphRules(),
        )


def test_a_bool_of_another_byte_is_true() -> None:
    """A view of bytes as bools is no undefined behaviour in the core."""
    hands = _hands(HANDS)
    assert hands.reds is not None
    odd = (hands.reds.view(np.uint8) * np.uint8(185)).view(bool)
    np.testing.assert_array_equal(
        win_values(dataclasses.replace(hands, reds=odd), GraphRules()).values,
        win_values(hands, GraphRules()).values,
    )
