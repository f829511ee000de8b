"""Rows and results of a deal-in evaluation, against a second, slower count."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from haiyomi.dealin.grid import GridOpponents
from haiyomi.dealin.kurita_hoki import shipped
from haiyomi.dealin.network_model import shipped as posterior
from haiyomi.evaluation.opponents.dealin_experiment import Answered, results_json, write_rows
from haiyomi.evaluation.opponents.dealin_rows import BLOCK, DealinRows, game_rows
from haiyomi.evaluation.opponents.dealin_tables import reports, table3
from haiyomi.events import Discard, Game, Win
from haiyomi.game.position import Position
from haiyomi.game.position_fold import positions
from haiyomi.play.demo import demo_game
from haiyomi.tiles import Seat


@pytest.fixture(scope="module")
def game() -> Game:
    return demo_game()


@pytest.fixture(scope="module")
def rows(game: Game) -> DealinRows:
    return DealinRows.concat([game_rows(shipped(), "one", game), game_rows(shipped(), "two", game)])


class _Noting:
    """A model that notes about how many positions it is asked at a time."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def read(
        self, positions: Sequence[Position], *, chances_only: bool = False
    ) -> Sequence[GridOpponents]:
        self.asked.append(len(positions))
        return posterior().read(positions)


def test_decisions_are_asked_about_together_with_the_bits_of_single_ones(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = replace(game, hands=game.hands[:2])
    model = _Noting()
    together = game_rows(model, "one", part)
    assert max(model.asked) == BLOCK
    assert len(model.asked) == -(-sum(model.asked) // BLOCK)
    monkeypatch.setattr("haiyomi.evaluation.opponents.dealin_rows.BLOCK", 1)
    single = game_rows(model, "one", part)
    for name, columns in single.tables.items():
        for column, values in columns.items():
            assert together.tables[name][column].tobytes() == values.tobytes(), (name, column)


def test_rows_are_those_of_the_design(game: Game, rows: DealinRows) -> None:
    tile = rows.tables["tile"]
    wanted = 0
    for number, hand in enumerate(game.hands):
        order = {
            i: n
            for n, i in enumerate(i for i, e in enumerate(hand.events) if isinstance(e, Discard))
        }
        for seat in range(4):
            for index, event, position in positions(hand.events, Seat(seat)):
                if not isinstance(event, Discard):
                    continue
                own = position.players[0]
                forced = own.riichi_index is not None and own.riichi_index < len(own.river)
                here = (
                    (tile["hand"] == number)
                    & (tile["decision"] == order[index])
                    & (tile["game"] == 0)
                )
                if forced:
                    assert not here.any()
                    continue
                kinds = {t.kind for t in position.hand}
                assert here.sum() == 3 * len(kinds)
                assert set(tile["tile"][here].tolist()) == kinds
                wanted += 3 * len(kinds)
    assert (tile["game"] == 0).sum() == wanted
    assert (tile["game"] == 1).sum() == wanted
    assert rows.games == ("one", "two")


def test_wins_of_the_record_are_labels_and_deal_ins(game: Game, rows: DealinRows) -> None:
    rons = [e for h in game.hands for e in h.events if isinstance(e, Win) and not e.tsumo]
    robbed = 0
    deal_ins = rows.tables["dealin"]
    assert (deal_ins["game"] == 0).sum() == len(rons) - robbed
    for i in np.flatnonzero(deal_ins["game"] == 0):
        win = next(
            e
            for e in game.hands[deal_ins["hand"][i]].events
            if isinstance(e, Win) and e.seat == deal_ins["opponent"][i]
        )
        assert win.target == deal_ins["seat"][i]
        assert win.points == deal_ins["points"][i]
        assert win.yaku is not None
        luck = {2: "ippatsu", 53: "ura dora", 54: "red five"}
        assert sum(han for yaku, han in win.yaku if yaku in luck) == deal_ins["bonus"][i]
        assert deal_ins["probability"][i] > 0
        shares = [deal_ins[f"p{k}"][i] for k in (1, 2, 3, 4)]
        assert sum(shares) == pytest.approx(1.0, abs=1e-5)
        assert deal_ins["predicted_class"][i] == 1 + int(np.argmax(shares))
    nodes = rows.tables["node"]
    assert nodes["label"][nodes["game"] == 0].sum() == len({(w.target, w.tile) for w in rons})


def test_table_3_without_bonus_han_has_fewer_han(rows: DealinRows) -> None:
    columns = rows.tables["dealin"]
    assert (columns["bonus"] > 0).any()
    every, base = table3(columns), table3(columns, base_han=True)
    assert every["deal_ins"] == base["deal_ins"]
    means = [sum((i + 1) * sum(row) for i, row in enumerate(t["shares"])) for t in (every, base)]
    assert means[1] < means[0]
    for part in base["by_class"].values():
        assert sum(part["actual"]) == pytest.approx(1.0)
        assert sum(part["predicted"]) == pytest.approx(1.0)


def test_results_print_and_round_trip_as_json(rows: DealinRows, tmp_path: Path) -> None:
    result = Answered(rows, (), 10, 1.0)
    results = results_json(result, "kurita-hoki", "made games")
    assert json.loads(json.dumps(results)) == results
    made = list(reports(results))
    assert len(made) >= 7
    for report in made:
        assert report.title in report.text()
        assert report.markdown().count("|") > 10
    write_rows(tmp_path / "rows.parquet", rows)
    import pyarrow.parquet as pq

    table = pq.read_table(tmp_path / "rows.parquet")
    assert table.column_names == [
        "game", "hand", "decision", "seat", "opponent", "tile", "probability", "label", "points",
        "class",
    ]  # fmt: skip
    assert table.num_rows == len(rows.tables["tile"]["label"])
    assert set(table["label"].to_pylist()) == {0, 1}
