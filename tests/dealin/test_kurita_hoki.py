"""The whole model on positions of made games: sums, zeros with reasons, hidden tiles unseen."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from dealin.assess import assess

from haiyomi.dealin.kurita_hoki import KuritaHoki, shipped
from haiyomi.dealin.models import load_model
from haiyomi.dealin.possible import FLOOR, zero_reason
from haiyomi.dealin.variant import Variant
from haiyomi.errors import ModelError
from haiyomi.events import Deal, Discard, Draw, Game
from haiyomi.game.position import Position
from haiyomi.game.position_fold import positions
from haiyomi.game.truth import truths_of
from haiyomi.play.demo import demo_game
from haiyomi.tiles import Seat


@pytest.fixture(scope="module")
def game() -> Game:
    return demo_game()


@pytest.fixture(scope="module")
def some(game: Game) -> list[Position]:
    """Every fifth decision of two seats over the demo game."""
    found = [
        position
        for hand in game.hands
        for seat in (0, 2)
        for _, _, position in positions(hand.events, Seat(seat))
    ]
    return found[::5]


@pytest.mark.parametrize(
    "name", ["kurita-hoki", "kurita-hoki-literal", "kurita-hoki:base-han,unit-shares"]
)
def test_rows_sum_to_the_probability_and_zeros_have_reasons(
    some: list[Position], name: str
) -> None:
    model = load_model(name)
    for position in some:
        answer = assess(model, position)
        assert answer.model == name
        assert set(answer.risks) == set(position.hand)
        for tile, risks in answer.risks.items():
            for seat, risk in enumerate(risks, start=1):
                assert risk.opponent == seat
                assert 0.0 <= risk.probability <= 1.0
                assert sum(row.p for row in risk.rows) == pytest.approx(risk.probability, abs=1e-9)
                assert all(row.p > 0 and row.points > 0 and row.han > 0 for row in risk.rows)
                assert (risk.probability == 0.0) == (risk.reason is not None)
                furiten = position.players[seat].furiten_mask >> tile.kind & 1
                assert not furiten or risk.probability == 0.0
                assert risk.probability == 0.0 or risk.probability >= FLOOR * (1 - 1e-9)


def test_honba_and_the_dealer_raise_what_is_paid(some: list[Position]) -> None:
    position = next(p for p in some if any(v.riichi for v in p.players[1:]))
    more = replace(position, honba=position.honba + 2)
    one, two = assess(shipped(), position), assess(shipped(), more)
    for tile, risks in one.risks.items():
        for a, b in zip(risks, two.risks[tile], strict=True):
            assert a.probability == b.probability
            assert [r.points + 600 for r in a.rows] == [r.points for r in b.rows]


def test_whoever_could_ron_has_a_probability(game: Game) -> None:
    """No zero where the hidden truth says that a ron was possible."""
    model = shipped()
    checked = 0
    for hand, truth in zip(game.hands, truths_of(game), strict=True):
        rows = {int(e): i for i, e in enumerate(truth.discards.event)}
        for seat in range(4):
            for index, event, position in positions(hand.events, Seat(seat)):
                if not isinstance(event, Discard):
                    continue
                i = rows[index]
                for r in (1, 2, 3):
                    mask = int(truth.discards.ron[i, (seat + r) % 4])
                    held = [t for t in set(position.hand) if mask >> t.kind & 1]
                    if not held:
                        continue
                    reasons = model.ron_grid(position, r).reasons
                    assert all(reasons[t.kind] is None for t in held)
                    checked += len(held)
    assert checked > 50


def test_hidden_tiles_play_no_part(game: Game) -> None:
    """Dealing the hidden tiles anew leaves every answer bit-identical."""
    rng = np.random.default_rng(6)
    for hand in game.hands[:3]:
        seat = Seat(1)
        hidden = [
            (i, s, j)
            for i, e in enumerate(hand.events)
            if isinstance(e, Deal)
            for s in range(4)
            if s != seat
            for j in range(13)
        ]
        deal_index = next(i for i, e in enumerate(hand.events) if isinstance(e, Deal))
        deal = hand.events[deal_index]
        assert isinstance(deal, Deal)
        draws = [i for i, e in enumerate(hand.events) if isinstance(e, Draw) and e.seat != seat]
        pool = [deal.hands[s][j] for _, s, j in hidden]
        pool += [hand.events[i].tile for i in draws]  # type: ignore[union-attr]
        order = rng.permutation(len(pool))
        mixed = [pool[k] for k in order]
        hands = [list(h) for h in deal.hands]
        for (_, s, j), tile in zip(hidden, mixed, strict=False):
            hands[s][j] = tile
        events = list(hand.events)
        events[deal_index] = Deal(tuple(tuple(h) for h in hands))
        for i, tile in zip(draws, mixed[len(hidden) :], strict=True):
            events[i] = replace(events[i], tile=tile)  # type: ignore[type-var]
        before = list(positions(hand.events, seat))[::4]
        after = list(positions(tuple(events), seat))[::4]
        for (_, _, a), (_, _, b) in zip(before, after, strict=True):
            assert a == b
            assert assess(shipped(), a) == assess(shipped(), b)


def test_a_red_five_costs_a_han_more_than_a_plain_one(some: list[Position]) -> None:
    from haiyomi.tiles import Tile

    model = shipped()
    plain, red = Tile.parse("5p"), Tile.parse("0p")
    for position in some[:20]:
        answer = assess(model, position, (plain, red))
        for a, b in zip(answer.risks[plain], answer.risks[red], strict=True):
            assert a.probability == pytest.approx(b.probability)
            assert b.expected_loss >= a.expected_loss


def test_added_kans_can_be_robbed_without_another_yaku(some: list[Position]) -> None:
    model = shipped()
    position = next(p for p in some if any(v.open_melds for v in p.players[1:]))
    plain, robbed = assess(model, position), assess(model, position, chankan=True)
    total = [
        sum(r.probability for risks in a.risks.values() for r in risks) for a in (plain, robbed)
    ]
    assert total[1] > 0
    hans = [
        min(row.han for r in risks for row in r.rows)
        for risks in robbed.risks.values()
        if any(r.rows for r in risks)
    ]
    assert min(hans) >= 1


def test_model_files_are_refused_by_name(tmp_path: Path) -> None:
    good = Path(__import__("haiyomi.dealin").__file__).parent / "dealin" / "kurita_hoki.json"
    body = json.loads(good.read_text(encoding="utf-8"))
    cases = {
        "missing.json": None,
        "noise.json": "not json",
        "other.json": json.dumps({**body, "haiyomi_model": "something"}),
        "old.json": json.dumps({**body, "version": 0}),
        "changed.json": json.dumps({**body, "payload": {**body["payload"], "poor_wait": 0.9}}),
        "list.json": "[]",
    }
    for name, text in cases.items():
        path = tmp_path / name
        if text is not None:
            path.write_text(text, encoding="utf-8")
        with pytest.raises(ModelError, match=name if text is not None else "no model file"):
            KuritaHoki.load(path)
    with pytest.raises(ModelError, match="choose from"):
        load_model("akagi")
    with pytest.raises(ModelError, match="choose kurita-hoki"):
        load_model("kurita-hoki:nothing")


@pytest.mark.parametrize("literal", [False, True])
@pytest.mark.parametrize("base", [False, True])
@pytest.mark.parametrize("unit", [False, True])
def test_a_variant_is_parsed_from_its_name(literal: bool, base: bool, unit: bool) -> None:
    variant = Variant(literal, base, unit)
    assert Variant.parse(variant.name) == variant
    assert shipped(variant).name == variant.name


def test_wait_shapes_sum_to_one_where_asked() -> None:
    """(27): two-sided and the other shapes together, at any number of live suji."""
    for unit, total in ((True, 1.0), (False, 1.1)):
        tables = shipped(Variant(unit_shares=unit)).riichi
        sums = tables.two_sided + tables.rest.sum() * (1.0 - tables.two_sided)
        assert (sums == pytest.approx(1.0, abs=1e-9)) if unit else (sums > total).all()


def test_base_han_leave_out_red_fives_and_ippatsu(some: list[Position]) -> None:
    """The same risks, of fewer han: those of a riichi, and of a hand with melds."""
    every, base = shipped(), shipped(Variant(base_han=True))
    fewer = 0
    for position in some:
        for seat in (1, 2, 3):
            a, b = (model.ron_grid(position, seat).ron.sum(axis=2) for model in (every, base))
            assert a.sum(axis=1) == pytest.approx(b.sum(axis=1), rel=1e-6, abs=1e-9)
            han = np.arange(14)
            assert (b @ han <= a @ han + 1e-9).all()
            fewer += bool((b @ han < a @ han - 1e-4).any())
    assert fewer > 10


def test_zero_reason_names_the_rule(some: list[Position]) -> None:
    seen = set()
    for position in some:
        for player in position.players[1:]:
            for kind in range(34):
                seen.add(zero_reason(kind, player, position.unseen, None))
    assert {"river", "passed-riichi", "passed-turn", None} <= seen
