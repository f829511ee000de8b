"""The hidden truth at each decision: by hand, and against a scorer written by others."""

from __future__ import annotations

import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from game.small_hands import (
    CHANKAN,
    DRAW,
    LEGAL,
    RIICHI,
    RIICHI_DEAL,
    event,
    hand,
    put,
    rest_of,
)

from haiyomi.errors import IllegalError
from haiyomi.events import (
    Deal,
    Discard,
    Draw,
    ExhaustiveDraw,
    Game,
    Hand,
    Header,
    Kakan,
    Riichi,
    Win,
)
from haiyomi.game.truth import DiscardTruths, could_ron, truth_of, truths_of
from haiyomi.tiles import Seat, Tile, kind_counts, parse_tiles


def bits(text: str) -> int:
    """The bit mask of some kinds."""
    return sum(1 << k for k in {t.kind for t in parse_tiles(text)})


def test_a_riichi_and_its_ron() -> None:
    rows = truth_of(RIICHI).discards
    assert rows.event.tolist() == [4, 7, 9]
    assert rows.seat.tolist() == [0, 1, 2]
    assert rows.tile.tolist() == [Tile.parse(t).code for t in ("1z", "6m", "4p")]
    assert rows.forced.tolist() == [False, False, False]
    # before the discard the decider holds the drawn tile
    deal = RIICHI.events[1]
    assert isinstance(deal, Deal)
    for seat in range(4):
        drawn = [Tile.parse("1s")] if seat == 0 else []
        expected = kind_counts([*deal.hands[seat], *drawn])
        assert rows.concealed[0, seat].tolist() == expected
    assert rows.tenpai.tolist() == [[True, False, False, False]] * 3
    assert rows.waits[:, 0].tolist() == [bits("14p")] * 3
    assert rows.ron.tolist() == [[0, 0, 0, 0], [bits("14p"), 0, 0, 0], [bits("14p"), 0, 0, 0]]
    # nothing is won on 6m; the 4p completes 8 han, ura as the record shows it
    assert rows.han.tolist() == [[0] * 4, [0] * 4, [8, 0, 0, 0]]
    assert rows.fu[2].tolist() == [30, 0, 0, 0]
    assert rows.points[2].tolist() == [24000, 0, 0, 0]
    assert rows.ronned.tolist() == [0, 0, 1]
    assert len(truth_of(RIICHI).kakans) == 0


def test_a_ron_let_go_counts_no_ura_and_brings_furiten() -> None:
    # 1s is discarded by nobody: the same hand goes on past the 4p, to a late draw
    text = "0+1s 0R 0-1z! 0r 1+6m 1-6m! 2+4p 2-4p! 3+9p 3-9p! 0+9s 0-9s! 1+4p 1-4p!"
    passed = hand(RIICHI_DEAL, "3s", text.replace("0-1z!", "0-1z"))
    end = replace(RIICHI.events[-1], target=Seat(1))  # type: ignore[type-var]
    with pytest.raises(IllegalError, match="furiten"):
        truth_of(Hand((*passed.events, end)))


def test_an_added_kan_that_is_robbed() -> None:
    truth = truth_of(CHANKAN)
    rows = truth.kakans
    assert rows.event.tolist() == [CHANKAN.events.index(event("1x5z"))]
    assert rows.seat.tolist() == [1]
    assert rows.tile.tolist() == [31]
    assert rows.ron.tolist() == [[0, 0, 0, bits("5z")]]
    assert rows.points.tolist() == [[0, 0, 0, 32000]]
    assert rows.han.tolist() == [[0, 0, 0, 13]]
    assert rows.ronned.tolist() == [8]
    assert truth.discards.ronned.tolist() == [0] * len(truth.discards)


def test_the_first_pon_could_be_won_on_too() -> None:
    # seat 3's thirteen orphans wait on the 5z that seat 1 called: from then on it is furiten
    # until its own next discard (row 3, where the column is of the hand after it)
    rows = truth_of(CHANKAN).discards
    assert rows.ron[0].tolist() == [0, 0, 0, bits("5z")]
    assert rows.points[0].tolist() == [0, 0, 0, 32000]
    assert rows.furiten[:, 3].tolist() == [False, True, True, False, False]
    assert rows.ron[1:4, 3].tolist() == [0, 0, 0]


def test_without_a_yaku_only_the_last_discard_can_be_won_on() -> None:
    # seat 0 waits on 3s and 9s with nothing but three sequences
    deal = ("123789m456p3399s", "2258m147p6s23456z", "58m258p147s23456z", "36m369p258s34567z")
    base = hand(deal, "3z", "")
    events = list(base.events)
    wall = [t for t in rest_of(base) if t.kind not in (20, 26)]
    for i, tile in enumerate(wall[:70]):
        events += [Draw(Seat(i % 4), tile), Discard(Seat(i % 4), tile, True)]
    nobody = ExhaustiveDraw((3000, -1000, -1000, -1000), None)
    rows = truth_of(Hand((*events, nobody))).discards
    assert (rows.waits[1:, 0] == bits("39s")).all()
    assert not rows.furiten[:, 0].any()
    assert not rows.ron[:-1].any()
    assert rows.ron[-1].tolist() == [bits("39s"), 0, 0, 0]


def test_masks_and_kinds_broadcast() -> None:
    mask = np.array([[bits("1m7z"), 0]], np.uint64)
    kinds = np.array([[0], [33], [1]])
    assert could_ron(mask, kinds).tolist() == [[True, False], [True, False], [False, False]]


@pytest.mark.parametrize("name", LEGAL)
def test_columns_agree_with_the_events(name: str) -> None:
    check_columns(LEGAL[name])


def test_truths_of_a_game_name_the_hand() -> None:
    game = Game(Header(), (RIICHI, put(DRAW, 2)))
    with pytest.raises(IllegalError) as caught:
        truths_of(game)
    assert (caught.value.hand, caught.value.event) == (1, 2)
    assert len(truths_of(Game(Header(), (RIICHI, DRAW)))) == 2


def check_columns(played: Hand) -> None:
    """What the columns say without any knowledge of waits, from the events alone."""
    truth = truth_of(played)
    for rows, kind in ((truth.discards, Discard), (truth.kakans, Kakan)):
        at = [i for i, e in enumerate(played.events) if isinstance(e, kind)]
        assert rows.event.tolist() == at
        for row, i in enumerate(at):
            decided = played.events[i]
            assert isinstance(decided, (Discard, Kakan))
            assert (rows.seat[row], rows.tile[row]) == (decided.seat, decided.tile.code)
            assert rows.concealed[row, decided.seat, decided.tile.kind] > 0
            won = [e for e in played.events[i + 1 : i + 4] if isinstance(e, Win) and not e.tsumo]
            if not won or any(isinstance(e, Draw) for e in played.events[i + 1 : i + 2]):
                won = []
            after = played.events[i + 1] if i + 1 < len(played.events) else None
            winners = sum(1 << w.seat for w in won) if isinstance(after, Win) else 0
            assert rows.ronned[row] == winners
            for win in won if winners else []:
                assert could_ron(rows.ron[row, win.seat], np.array(win.tile.kind))
                assert rows.points[row, win.seat] == (win.points or rows.points[row, win.seat])
        held = np.arange(4) == rows.seat[:, None]
        assert not rows.ron[held].any()
        assert not (rows.ron & ~rows.waits)[~held].any()
        assert not rows.ron[rows.furiten & ~held].any()
        hit = could_ron(rows.ron, _kinds(rows)[:, None])
        assert ((rows.points > 0) == hit).all()
        assert ((rows.han > 0) == hit).all()
        assert ((rows.ronned[:, None] >> np.arange(4) & 1 == 1) <= hit).all()
        assert (rows.tenpai == (rows.waits != 0)).all()


def _kinds(rows: DiscardTruths) -> np.ndarray:
    codes = rows.tile.astype(np.int64)
    return np.where(codes < 34, codes, 4 + 9 * (codes - 34))


def games(corpus: Path, count: int) -> list[Game]:
    from haiyomi.logs.load import parse

    with zipfile.ZipFile(corpus / "valid.zip") as archive:
        names = archive.namelist()
        return [parse(archive.read(n), n) for n in names[:: len(names) // count][:count]]


@pytest.mark.corpus
def test_columns_agree_with_the_events_of_real_games(corpus: Path) -> None:
    for game in games(corpus, 40):
        for played in game:
            check_columns(played)


@pytest.mark.corpus
def test_possible_rons_agree_with_the_package_mahjong(corpus: Path) -> None:
    """Every ready opponent of some decisions: each of the 34 kinds scored by that package."""
    from mahjong.hand_calculating.hand import HandCalculator
    from mahjong.hand_calculating.hand_config import HandConfig, OptionalRules
    from mahjong.meld import Meld as OtherMeld

    calculator = HandCalculator()
    checked = refused = 0
    for game in games(corpus, 6):
        for played in game:
            melds = _melds_at(played)
            start = played.start
            riichi: dict[int, int] = {
                e.seat: i for i, e in enumerate(played.events) if isinstance(e, Riichi)
            }
            rows = truth_of(played, game.header.rules).discards
            seen = -1
            for row in range(len(rows)):
                for seat in range(4):
                    if seat == rows.seat[row] or not rows.tenpai[row, seat]:
                        continue
                    if rows.furiten[row, seat]:
                        assert rows.ron[row, seat] == 0
                        continue
                    key = hash(
                        (seat, int(rows.ron[row, seat]), rows.concealed[row, seat].tobytes())
                    )
                    if key == seen:
                        continue
                    seen = key
                    drawn = sum(isinstance(e, Draw) for e in played.events[: rows.event[row]])
                    config = HandConfig(
                        is_riichi=riichi.get(seat, 1 << 30) < rows.event[row],
                        is_houtei=drawn == 70,
                        player_wind=27 + (seat - start.dealer) % 4,
                        round_wind=27 + start.kyoku // 4,
                        options=OptionalRules(has_open_tanyao=game.header.rules.kuitan),
                    )
                    own = melds[int(rows.event[row])][seat]
                    for kind in range(34):
                        counts = rows.concealed[row, seat].tolist()
                        if counts[kind] == 4:
                            continue
                        counts[kind] += 1
                        total = list(counts)
                        for meld in own:
                            for k in meld[1]:
                                total[k] += 1
                        if max(total) > 4:
                            continue
                        tiles, others = _ids(counts, own, OtherMeld)
                        win = next(t for t in tiles if t // 4 == kind)
                        result = calculator.estimate_hand_value(tiles, win, others, config=config)
                        expected = result.error is None
                        labelled = bool(could_ron(rows.ron[row, seat], np.array(kind)))
                        assert labelled == expected, (result.error, kind, counts, own)
                        checked += 1
                        refused += not expected
    assert checked > 3000
    assert checked > refused


def _melds_at(played: Hand) -> dict[int, list[list[tuple[str, tuple[int, ...], bool]]]]:
    """Of every discard (by event number) each seat's melds: type, kinds, open."""
    from haiyomi.events import Ankan, Chi, Daiminkan, Pon

    now: list[list[tuple[str, tuple[int, ...], bool]]] = [[], [], [], []]
    out = {}
    for i, e in enumerate(played.events):
        if isinstance(e, Discard):
            out[i] = [list(m) for m in now]
        elif isinstance(e, Ankan):
            now[e.seat].append(("kan", tuple(t.kind for t in e.tiles), False))
        elif isinstance(e, Kakan):
            pon = next(m for m in now[e.seat] if m[0] == "pon" and m[1][0] == e.tile.kind)
            now[e.seat][now[e.seat].index(pon)] = ("kan", (e.tile.kind,) * 4, True)
        elif isinstance(e, (Chi, Pon, Daiminkan)):
            kinds = tuple(sorted([e.tile.kind, *(t.kind for t in e.consumed)]))
            name = {Chi: "chi", Pon: "pon", Daiminkan: "kan"}[type(e)]
            now[e.seat].append((name, kinds, True))
    return out


def _ids(counts: list[int], melds: list, other: type) -> tuple[list[int], list]:  # type: ignore[type-arg]
    """Tile ids of concealed tiles and melds; which copy is which does not matter here."""
    used = [0] * 34

    def take(kind: int) -> int:
        used[kind] += 1
        return 4 * kind + used[kind] - 1

    tiles = [take(k) for k in range(34) for _ in range(counts[k])]
    made = []
    for name, kinds, open_ in melds:
        ids = [take(k) for k in kinds]
        tiles += ids
        made.append(other(meld_type=name, tiles=ids, opened=open_))
    return sorted(tiles), made
