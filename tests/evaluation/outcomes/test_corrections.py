"""The corrections of the forecast held against records: which decisions count, and the figures."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from apps.in_process import haiyomi

from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import outcomes_of
from haiyomi.evaluation.outcomes.correction_rows import CorrectionRows, rows_of_game
from haiyomi.evaluation.outcomes.corrections import (
    LABELS,
    Line,
    correction_results,
    lines_of,
    reports,
)
from haiyomi.evaluation.outcomes.option_forecast import chosen_option
from haiyomi.events import Chi, Discard, Game, Pon, Win
from haiyomi.logs.load import write
from haiyomi.play.decision import RecordedDecision, decisions

ENDS_OR_CALLS = ("chi", "pon", "tsumo", "ron", "nine terminals")


@pytest.fixture(scope="module")
def rows(game: Game) -> CorrectionRows:
    return CorrectionRows.join(rows_of_game("game", game))


@pytest.fixture
def changed(rows: CorrectionRows) -> CorrectionRows:
    """Decisions of all kinds: the facts of the rows by turns."""
    n = np.arange(len(rows))
    acts = np.array(["discard", "riichi", "ankan", "pass"])
    tenpai = n % 2 == 0
    return replace(
        rows,
        act=acts[n // 2 % 4],
        turn=n // 2 % 4 < 3,
        now=n % 7 / 40,
        usual_now=n % 5 / 20,
        threat=n % 2 == 0,
        left=np.where(n % 13 == 0, 50, n % 11),
        riichi_offered=n % 3 > 0,
        nine_offered=n % 5 == 0,
        silent_kan=n % 8 == 5,
        called=n % 4 == 2,
        held=n % 3,
        calls=n % 5 / 8,
        tenpai=tenpai,
        furiten=tenpai & (n % 9 == 0),
        steps_back=n % 6 == 5,
        opened=tenpai & (n % 10 == 2),
        declares=tenpai & (n % 10 == 4),
        no_yaku=tenpai & (n % 10 == 6),
        silent_yaku=tenpai & (n % 10 == 8),
        dora=n % 4 / 3,
        facing=tenpai & (n % 3 == 0),
        safe=(n % 4 == 0) * (n % 3 == 0) * 1.0,
        yakuless=n % 4,
        dead=n % 7 == 3,
    )


def counted(game: Game) -> list[RecordedDecision]:
    """The decisions that count, from the events alone."""
    out = []
    for d in decisions(game):
        option = chosen_option(d)
        if option is None or option.act in ENDS_OR_CALLS:
            continue
        own = [e for e in d.followed if isinstance(e, Discard) and e.seat == d.seat]
        lost = any(isinstance(e, Win) and e.target == d.seat != e.seat for e in d.endings)
        if not (lost and d.offer is None and len(own) == 1):
            out.append(d)
    return out


def test_rows_are_the_forecast_of_what_was_chosen(game: Game, rows: CorrectionRows) -> None:
    known = counted(game)
    assert len(rows) == len(known) > 300
    assert rows.p.sum(axis=1) == pytest.approx(1)
    compared = 0
    for first in range(0, len(known), 64):
        some = known[first : first + 64]
        for i, (d, outcomes) in enumerate(
            zip(some, outcomes_of(Models(), some, "points"), strict=True), first
        ):
            outcome = next(o for o in outcomes if o.option == chosen_option(d))
            if any(isinstance(choice, Chi | Pon) for choice in d.choices):
                continue  # what the reading says after the call decides draws too
            compared += 1
            assert rows.act[i] == outcome.option.act
            # Three winners abort the hand.
            assert 0 <= rows.now[i] - outcome.deal_in_now + 1e-12 < 1e-3
            passed = 1 - rows.now[i]
            assert passed * rows.p[i, :4].sum() == pytest.approx(outcome.win)
            won = passed * (rows.p[i, :4] * rows.change[i, :4]).sum()
            shares = {each.ending: each for each in outcome.endings}
            means = sum(s.probability * s.points for e, s in shares.items() if e.wins)
            assert won == pytest.approx(means)
    assert compared > 300


def test_what_came_is_in_the_record(game: Game, rows: CorrectionRows) -> None:
    for i, d in enumerate(counted(game)):
        wins = [e for e in d.endings if isinstance(e, Win)]
        assert (rows.ending[i] < 16) == bool(wins)
        assert (rows.ending[i] < 4) == any(e.seat == d.seat for e in wins)


def test_a_forecast_of_what_came_is_right_in_every_line(
    rows: CorrectionRows, changed: CorrectionRows
) -> None:
    known = replace(
        changed,
        p=np.eye(33)[rows.ending],
        change=np.repeat(rows.changed[:, None], 33, axis=1),
        deposit=rows.paid.astype(float),
    )
    lines = lines_of(known)
    assert {line.correction for line in lines} == set(LABELS)
    for line in lines:
        assert line.expected == pytest.approx(line.came)


def test_lines_are_of_the_decisions_that_they_name(changed: CorrectionRows) -> None:
    """By rules of their own: a joint ending is 4 w + p, 16 + the tenpai seats, or 32."""
    r = changed
    by = {(line.correction, line.of, line.what): line for line in lines_of(r)}
    own = [i for i in range(len(r)) if r.turn[i] and r.act[i] in ("discard", "riichi")]

    def check(line: Line, decisions: list[int], came: Callable[[int], float]) -> None:
        assert line.rows.tolist() == decisions
        assert line.came.tolist() == [came(int(i)) for i in decisions]

    check(
        by["TURNS", "four to seven draws left", "deals in later"],
        [i for i in own if 4 <= r.left[i] <= 7],
        lambda i: r.ending[i] in (4, 8, 12),
    )
    check(
        by["TURNS", "one to three draws left", "a seat out of turn pays or draws"],
        [i for i in own if 1 <= r.left[i] <= 3],
        lambda i: r.ending[i] < 16 and not 1 <= r.ending[i] % 4 <= r.left[i],
    )
    check(
        by["NOTEN_LATER", "the last discard keeps tenpai", "noten at a draw"],
        [i for i in own if 1 <= r.left[i] <= 3 and r.shanten[i] == 0 and r.act[i] == "discard"],
        lambda i: r.ending[i] in range(16, 32, 2),
    )
    check(
        by["steps_back", "steps back, 8 to 19 draws left", "tenpai at a draw"],
        [i for i in range(len(r)) if r.steps_back[i] and 8 <= r.left[i] <= 19],
        lambda i: r.ending[i] in range(17, 32, 2),
    )
    check(
        by["passes", "eight to 23 draws left, a fifth and more call", "tenpai at a draw"],
        [
            i
            for i in range(len(r))
            if r.act[i] == "pass" and r.held[i] and 8 <= r.left[i] < 24 and r.calls[i] >= 0.2
        ],
        lambda i: r.ending[i] in range(17, 32, 2),
    )
    check(
        by["OPEN_TENPAI", "open tenpai hands, just after a call, fewer than 25 draws left", "wins"],
        [i for i in range(len(r)) if r.opened[i] and r.turn[i] and r.called[i] and r.left[i] < 25],
        lambda i: r.ending[i] < 4,
    )
    paid = by["RICHER_KAN", "after an own kan", "points paid to another's win"]
    kans = [i for i in range(len(r)) if r.act[i] == "ankan" and r.ending[i] in _PAID]
    assert paid.rows.tolist() == kans
    assert paid.came.tolist() == [-r.changed[i] for i in kans]


_PAID = (4, 5, 8, 10, 12, 15)
"""Joint endings in which the seat pays another: its own tile, or the winner's own draw."""


def test_seats_out_of_turn(rows: CorrectionRows) -> None:
    """With two draws left after an own discard the players to the right and across draw."""
    some = replace(
        rows,
        left=np.full(len(rows), 2),
        turn=np.ones(len(rows), np.bool_),
        act=np.full(len(rows), "discard"),
        p=np.full((len(rows), 33), 1 / 33),
    )
    (line,) = (each for each in lines_of(some) if "out of turn" in each.what)
    # Of the sixteen wins those that the left player or the seat itself pays or draws.
    assert line.expected == pytest.approx(8 / 33)


def test_results_have_intervals_and_a_table(rows: CorrectionRows) -> None:
    results = correction_results([rows, rows], "games")
    assert results["games"] == 2
    for line in results["lines"]:
        assert line["n"] > 0
        assert line["n"] % 2 == 0
    (report,) = reports(results)
    assert LABELS["OPEN_TENPAI"] in report.text()


def test_the_command(game: Game, tmp_path: Path) -> None:
    record = tmp_path / "game.mjlog"
    record.write_text(write(game, "mjlog"), encoding="utf-8")
    out = tmp_path / "corrections.json"
    ran = haiyomi("evaluate", "corrections", str(record), "--results", str(out), "--jobs", "1")
    assert ran.returncode == 0, ran.stderr
    assert "expected" in ran.stdout
    assert "fewer than 6 games have no interval" in ran.stdout
    assert "[" not in ran.stdout
    assert json.loads(out.read_text(encoding="utf-8"))["schema"] == "haiyomi-corrections"
    empty = tmp_path / "empty"
    empty.mkdir()
    ran = haiyomi("evaluate", "corrections", str(empty), "--jobs", "1")
    assert ran.returncode != 0
    assert ran.stderr.count("\n") == 1
