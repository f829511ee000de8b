"""The corrections of the forecast, compared with records: what is expected of the decisions that
each is made for, and what came.

The networks of options are off where the rules, the winning tiles or a risk decide. The forecast
corrects that by numbers that were measured once (``outcomes.corrections.dead_waits``, ``deposits``,
``kan_draws``, ``last_draws``, ``later_deal_ins``, ``open_yaku``, ``passes``, ``rare_wins``,
``steps_back``, ``tenpai_wins``, ``tenpai_worth``). After a new fit of a network this says whether
they still hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, TypeAlias

import numpy as np

from haiyomi.arrays import Bools, Floats, Ints
from haiyomi.evaluation.metrics import mean_estimate
from haiyomi.evaluation.networks_used import head_of
from haiyomi.evaluation.outcomes.correction_rows import CorrectionRows
from haiyomi.evaluation.report import Figure, Report, Scope
from haiyomi.outcomes.corrections.last_draws import EARLIER_DRAWS, READ_UNTIL, TURNS
from haiyomi.outcomes.corrections.passes import NEAR
from haiyomi.outcomes.corrections.steps_back import EARLY
from haiyomi.outcomes.corrections.tenpai_wins import EARLY as EARLY_DRAWS
from haiyomi.outcomes.corrections.tenpai_wins import LATE
from haiyomi.outcomes.joint import ABORTED, PAYER, TENPAI, WINNER
from haiyomi.outcomes.option import KANS
from haiyomi.seeds import generator

LABELS: Final = MappingProxyType({
    "OPEN_TENPAI": "open hands that are tenpai",
    "RIICHI_LATER": "deal-ins after riichi",
    "TURNS": "the last seven draws",
    "EARLIER": "eight to eleven draws left",
    "NOTEN_LATER": "tenpai kept to the draw",
    "READ_NOW": "who is tenpai at the draw",
    "steps_back": "steps back",
    "passes": "passes before tenpai",
    "ABORTS_DECLINED": "nine terminals declined",
    "open_yaku": "open hands without a yaku in sight",
    "FAR_FROM_YAKU": "open tenpai without a yaku",
    "dead_waits": "waits that are all seen",
    "FURITEN": "furiten",
    "SORTS": "tenpai against a riichi",
    "KAN_DRAWS": "the draw after a kan",
    "DORA_RONS": "waits on dora",
    "SILENT_DRAWS": "damaten by own draw",
    "NO_YAKU_DRAWS": "damaten without a yaku",
    "tenpai_worth": "worth of a tenpai hand",
    "RICHER_RIICHI": "payments after riichi",
    "RICHER_TENPAI": "payments from damaten",
    "RICHER_KAN": "payments after a kan",
    "DEPOSIT_LATER": "riichi declared later",
})  # fmt: skip
"""Of each correction, by its name in the code, words for tables."""
_OWN: Final = WINNER == 0
_DRAWS: Final = (WINNER >= 0) & (WINNER == PAYER)
_RONS: Final = (WINNER >= 0) & ~_DRAWS
_DEAL_INS: Final = (PAYER == 0) & (WINNER > 0)
_OTHERS: Final = _RONS & ~_OWN & ~_DEAL_INS
_PAYMENTS: Final = (WINNER > 0) & ((PAYER == WINNER) | (PAYER == 0))
_PAYS_NOTHING: Final = (WINNER > 0) & (PAYER > 0)
_TENPAI: Final = TENPAI[:, 0] == 1
_NOTEN: Final = TENPAI[:, 0] == 0
_OPPONENTS_TENPAI: Final = np.where(TENPAI[:, 0] < 0, -1, TENPAI[:, 1:].sum(axis=1))
"""(33,) how many opponents are tenpai at an exhaustive draw, -1 where the hand ends otherwise."""
_WINS: Final = (("ron", _RONS & _OWN), ("own draw", _DRAWS & _OWN))


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """``what`` of the n decisions that a correction is made for: ``expected`` and ``came`` (m,) of
    the m ``rows`` of them."""

    correction: str
    of: str
    what: str
    rows: Ints
    expected: Floats
    came: Floats


_Case: TypeAlias = tuple[str, str, Bools, str, Bools]
"""A correction, the decisions it is made for in words and which of n they are; what of them is
counted in words, and in which joint endings: (33,) or (n, 33)."""


def lines_of(rows: CorrectionRows) -> list[Line]:
    """What is expected of the decisions of each correction, and what came; lines without any are
    left out."""
    out = []
    cases = (*_risky(rows), *_open(rows), *_late(rows), *_tenpai(rows))
    for correction, of, which, what, ends in cases:
        i = np.flatnonzero(which)
        counted = np.broadcast_to(ends, rows.p.shape)[i]
        came = counted[np.arange(len(i)), rows.ending[i]].astype(np.float64)
        out.append(Line(correction, of, what, i, (rows.p[i] * counted).sum(axis=1), came))
    for correction, of, which, what, ends in _points(rows):
        i = np.flatnonzero(which & ends[rows.ending])
        sign = 1 if correction == "tenpai_worth" else -1  # the others are points paid
        expected = rows.change[i, rows.ending[i]]
        out.append(Line(correction, of, what, i, sign * expected, sign * rows.changed[i]))
    i = np.flatnonzero(_declined(rows) & _PAYS_NOTHING[rows.ending])
    out.append(Line("DEPOSIT_LATER", "riichi declined, another wins", "pays a deposit", i,
                    rows.deposit[i], rows.paid[i].astype(np.float64)))  # fmt: skip
    return [line for line in out if len(line.rows)]


def _throws(r: CorrectionRows) -> Bools:
    return r.turn & np.isin(r.act, ("discard", "riichi"))


def _declined(r: CorrectionRows) -> Bools:
    out: Bools = r.riichi_offered & (r.act == "discard") & r.tenpai
    return out


def _risky(r: CorrectionRows) -> Iterator[_Case]:
    for least, most in ((0.0, 0.1), (0.1, 1.0)):
        of = "riichi against riichi, tiles of " + ("less than 10%" if most < 1 else "10% and more")
        which = (r.act == "riichi") & r.threat & (r.usual_now >= least) & (r.usual_now < most)
        yield "RIICHI_LATER", of, which, "deals in later", _DEAL_INS


def _open(r: CorrectionRows) -> Iterator[_Case]:
    tenpai = r.tenpai & r.opened & r.turn
    yield "OPEN_TENPAI", "open tenpai hands", tenpai, "deals in later", _DEAL_INS
    for of, which in (
        (f"more than {EARLY_DRAWS} draws left", r.left > EARLY_DRAWS),
        (f"just after a call, fewer than {LATE} draws left", r.called & (r.left < LATE)),
    ):
        yield "OPEN_TENPAI", f"open tenpai hands, {of}", tenpai & which, "wins", _OWN
    for name, more in (("open_yaku", r.yaku_more), ("FAR_FROM_YAKU", r.yakuless)):
        yield name, "a yaku takes a tile more", more == 1, "wins", _OWN
        yield name, "a yaku takes two tiles more", more > 1, "wins", _OWN


def _late(r: CorrectionRows) -> Iterator[_Case]:
    # The draw of each seat, counted from 1, where nobody calls after the discard.
    idle = (np.where(PAYER < 1, 4, PAYER) > r.left[:, None]) & (PAYER >= 0)
    last = _throws(r) & (r.left > 0) & (r.left < 4)
    yield "TURNS", "one to three draws left", last, "a seat out of turn pays or draws", idle
    for correction, of, least, most in (
        ("TURNS", "one to three draws left", 1, 3),
        ("TURNS", "four to seven draws left", 4, len(TURNS)),
        ("EARLIER", "eight to eleven draws left", *EARLIER_DRAWS),
    ):
        around = _throws(r) & (r.left >= least) & (r.left <= most)
        for what, ends in (
            ("wins", _OWN),
            ("deals in later", _DEAL_INS),
            ("sees a ron of two others", _OTHERS),
            ("sees another's own draw", _DRAWS & ~_OWN),
        ):
            yield correction, of, around, what, ends
    stays = last & (r.shanten == 0) & (r.act == "discard")
    yield "NOTEN_LATER", "the last discard keeps tenpai", stays, "noten at a draw", _NOTEN
    for name, least, most in (
        ("no draws left", 0, 0),
        ("one to three draws left", 1, 3),
        ("four to seven draws left", 4, 7),
        (f"eight to {READ_UNTIL} draws left", 8, READ_UNTIL),
    ):
        near = _throws(r) & (r.left >= least) & (r.left <= most)
        for what, ends in (
            ("no opponent is tenpai at a draw", _OPPONENTS_TENPAI == 0),
            ("two and more are tenpai at a draw", _OPPONENTS_TENPAI > 1),
        ):
            yield "READ_NOW", name, near, what, ends
    for name, least, most in (
        ("fewer than 8 draws left", 0, 8),
        ("8 to 19 draws left", 8, 20),
        ("20 to 34 draws left", 20, 35),
        (f"35 to {EARLY - 1} draws left", 35, EARLY),
    ):
        back = r.steps_back & (r.left >= least) & (r.left < most)
        for what, ends in (
            ("wins", _OWN),
            ("tenpai at a draw", _TENPAI),
            ("deals in later", _DEAL_INS),
        ):
            yield "steps_back", f"steps back, {name}", back, what, ends
    yield from _passes(r)
    aborted = np.arange(len(WINNER)) == ABORTED
    yield "ABORTS_DECLINED", "nine terminals declined", r.nine_offered, "an abort", aborted


def _passes(r: CorrectionRows) -> Iterator[_Case]:
    passed = (r.act == "pass") & (r.held > 0) & (r.left > 0)
    drawn = TENPAI[:, 0] >= 0
    for name, least, most in (
        ("one to three draws left", 1, 3),
        ("four to seven draws left", 4, 7),
        (f"eight to {NEAR - 1} draws left", 8, NEAR - 1),
    ):
        near = passed & (r.left >= least) & (r.left <= most)
        yield "passes", name, near, "an exhaustive draw", drawn
        for part, which in (
            ("a fifth and more call", r.calls >= 0.2),
            ("fewer than a fifth call", r.calls < 0.2),
        ):
            yield "passes", f"{name}, {part}", near & which, "tenpai at a draw", _TENPAI


def _tenpai(r: CorrectionRows) -> Iterator[_Case]:
    yield "FURITEN", "in furiten", r.furiten, "wins", _OWN
    yield "dead_waits", "silent, all winning tiles seen", r.dead, "wins", _OWN
    waits = r.tenpai & ~r.furiten & (r.dora > 0.5)
    for name, which in (
        ("riichi", r.declares),
        ("silent", ~r.opened & ~r.declares),
        ("open", r.opened),
    ):
        yield "DORA_RONS", f"waits on dora, {name}", waits & which, "wins by ron", _RONS & _OWN
    silent = ~r.opened & ~r.declares
    for name, which in (("open", r.opened), ("damaten", silent)):
        for part, some in (("no tile", r.safe == 0), ("half of the tiles and more", r.safe >= 0.5)):
            facing = r.tenpai & ~r.furiten & r.facing & which & some
            yield "SORTS", f"{name}, {part} safe from riichi", facing, "wins", _OWN
    yield ("SILENT_DRAWS", "silent, a yaku on all tiles", r.silent_yaku, "wins by own draw",
           _DRAWS & _OWN)  # fmt: skip
    for what, ends in (("wins", _OWN), ("wins by own draw", _DRAWS & _OWN)):
        yield "KAN_DRAWS", "after an own kan, tenpai without riichi", r.silent_kan, what, ends
    for what, ends in _WINS:
        yield "NO_YAKU_DRAWS", "silent, no yaku", r.no_yaku, f"wins by {what}", ends


def _points(r: CorrectionRows) -> Iterator[_Case]:
    """What is counted is the change of the own score in those endings."""
    riichi = r.riichi_offered & (r.act == "riichi")
    able = r.tenpai & ~r.furiten
    for name, which in (
        ("riichi declared", riichi),
        ("riichi before", able & r.declares & ~r.riichi_offered),
        ("riichi declined, a yaku on all tiles", r.riichi_offered & r.silent_yaku),
        ("riichi declined, no yaku", r.riichi_offered & r.no_yaku),
        ("open", able & r.opened),
    ):
        for what, ends in _WINS:
            yield "tenpai_worth", name, which, f"points of a win by {what}", ends
    later = "points of a later deal-in"
    yield "RICHER_RIICHI", "riichi declared", riichi, later, _DEAL_INS
    yield "RICHER_TENPAI", "riichi declined", _declined(r), later, _DEAL_INS
    kan = np.isin(r.act, KANS)
    yield "RICHER_KAN", "after an own kan", kan, "points paid to another's win", _PAYMENTS


def correction_results(found: Sequence[CorrectionRows], what: str) -> dict[str, Any]:
    """The results JSON: of each line what is expected, and what came with its 95% interval by
    bootstrap of games."""
    rows = CorrectionRows.join(found)
    game = np.repeat(np.arange(len(found)), [len(part) for part in found])
    lines = []
    for line in lines_of(rows):
        came = mean_estimate(line.came, game[line.rows], generator(1))
        lines.append({
            "correction": line.correction,
            "decisions": line.of,
            "what": line.what,
            "n": len(line.rows),
            "expected": float(line.expected.mean()),
            "came": came.to_json(),
        })  # fmt: skip
    return {
        **head_of("haiyomi-corrections", what, len(found)),
        "lines": lines,
    }


def reports(results: dict[str, Any]) -> list[Report]:
    """The table of results JSON."""
    rows = []
    for line in results["lines"]:
        unit = ",.0f" if "points" in line["what"] else ".2%"
        rows.append((
            LABELS[line["correction"]], line["decisions"], line["what"], Figure(line["n"]),
            Figure(line["expected"], unit), Figure.of(line["came"], unit),
        ))  # fmt: skip
    columns = ("correction", "decisions", "what", "n", "expected", "came")
    return [Report("Corrections of the forecast", columns, tuple(rows), Scope.of(results))]
