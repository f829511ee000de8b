"""The corrections of the forecast, compared with records: what is expected of the decisions that
each is made for, and what came.

The networks of options are off where the rules, the winning tiles or a risk decide. The forecast
corrects that by numbers that were measured once (``outcomes.forecast``, ``last_draws``,
``steps_back``, ``tenpai_wins``, ``tenpai_worth``). After a new fit of a network this says whether
they still hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import block_of, forecast_of, known_of
from haiyomi.corpus import Corpus, Skipped
from haiyomi.corpus.walk import rows_of
from haiyomi.evaluation.metrics import by_game, ratio_estimate
from haiyomi.evaluation.networks_used import shipped_networks
from haiyomi.evaluation.outcomes.option_forecast import chosen_option
from haiyomi.evaluation.report import Figure, Report, Scope
from haiyomi.events import Game
from haiyomi.game.packed_games import decode_games, pack_games
from haiyomi.outcomes.ends import PAYER, TENPAI, WINNER
from haiyomi.outcomes.joint import ABORTED
from haiyomi.outcomes.last_draws import LAST_GO_AROUND
from haiyomi.outcomes.steps_back import EARLY, is_step_back
from haiyomi.outcomes.tenpai_wins import TenpaiOptions
from haiyomi.play.decision import RecordedDecision, decisions
from haiyomi.seeds import generator
from haiyomi.shards import Jobs
from haiyomi.storage.resume import Progress
from haiyomi.training.targets import state_targets

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
GAMES_A_PIECE: Final = 4
_BLOCK: Final = 64
_OWN: Final = WINNER == 0
_DRAWS: Final = (WINNER >= 0) & (WINNER == PAYER)
_RONS: Final = (WINNER >= 0) & ~_DRAWS
_DEAL_INS: Final = (PAYER == 0) & (WINNER > 0)
_TENPAI: Final = TENPAI[:, 0] == 1
_NOTEN: Final = TENPAI[:, 0] == 0
_LEFT_OUT: Final = ("chi", "pon", "tsumo", "ron", "nine terminals")
_KANS: Final = ("ankan", "kakan", "daiminkan")


@dataclass(frozen=True, slots=True, eq=False)
class CorrectionRows:
    """n decisions after which nobody won at once, and what was forecast of the option chosen.

    ``p`` (n, 33) P of each joint ending and ``change`` (n, 33) the mean change of the own score
    then; ``deposit`` (n,) P that the seat pays one where another wins without its tile. What came:
    ``ending`` (n,) of JOINT, ``changed`` (n,) the own score, ``paid`` (n,) whether it did pay.
    The decision: ``turn`` (n,) the own one; ``act`` (n,) the option's; ``now`` (n,) P that
    somebody wins on its tile; ``shanten`` (n,) after it, and whether it ``steps_back`` (n,);
    ``left`` (n,) draws; ``riichi_offered`` and ``nine_offered`` (n,); ``tenpai`` (n,) whether the
    hand is left so, the rest as ``TenpaiOptions`` has it.
    """

    p: Floats
    change: Floats
    deposit: Floats
    ending: NDArray[np.int64]
    changed: Floats
    paid: Bools
    turn: Bools
    act: NDArray[np.str_]
    now: Floats
    shanten: NDArray[np.int64]
    steps_back: Bools
    left: NDArray[np.int64]
    riichi_offered: Bools
    nine_offered: Bools
    tenpai: Bools
    furiten: Bools
    opened: Bools
    declares: Bools
    no_yaku: Bools
    silent_yaku: Bools
    dora: Floats

    def __len__(self) -> int:
        return len(self.ending)

    @classmethod
    def join(cls, parts: Sequence[CorrectionRows]) -> CorrectionRows:
        """All rows of some, at least one."""
        columns = (np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(cls))
        return cls(*columns)


def correction_rows(
    sources: Sequence[Path], games: int | None, jobs: Jobs, progress: Progress | None = None
) -> tuple[list[CorrectionRows], list[Skipped]]:
    """The rows of each record, of at most ``games`` of each source, and the records left out.
    Raises DatasetError where a source cannot be read."""
    corpus = Corpus(list(sources)).distinct()
    chosen = corpus if games is None else corpus.first(games)
    found: list[CorrectionRows] = []
    skipped = list(corpus.skipped)
    for some, left in chosen.map_pieces(_of_piece, GAMES_A_PIECE, jobs, progress):
        found += [CorrectionRows.join(blocks) for blocks in some if blocks]
        skipped += left
    return found, skipped


def _of_piece(piece: Corpus) -> tuple[list[list[CorrectionRows]], tuple[Skipped, ...]]:
    return rows_of(piece, partial(rows_of_game, models=Models()))


def rows_of_game(name: str, game: Game, models: Models) -> list[CorrectionRows]:
    """The rows of a game, in blocks of decisions; calls, which are worth what their discards are,
    and claims that end the hand are left out."""
    records, labels = decode_games(pack_games([(name, game)]))
    came = state_targets(records, labels)
    places = zip(*(labels[key].tolist() for key in ("hand", "event", "seat")), strict=True)
    at = {place: i for i, place in enumerate(places)}
    known = []
    for decision in decisions(game):
        i = at.get((decision.hand, decision.event, decision.seat))
        option = chosen_option(decision)
        if i is None or option is None or option.act in _LEFT_OUT or labels["ronned"][i]:
            continue
        known.append((decision, i))
    out = []
    for first in range(0, len(known), _BLOCK):
        some, which = zip(*known[first : first + _BLOCK], strict=True)
        row = np.array(which)
        ends = came["ending"][row], labels["deltas"][row, 0], came["deposit"][row, 0]
        out.append(_rows(models, some, *ends))
    return out


def _rows(
    models: Models,
    known: Sequence[RecordedDecision],
    ending: NDArray[np.int64],
    changed: NDArray[np.int32],
    paid: Bools,
) -> CorrectionRows:
    risks = known_of(models, known)
    block = block_of(known, risks)
    forecast = forecast_of(models, block, risks)
    options = [chosen_option(decision) for decision in known]
    chosen = zip(block.begins.tolist(), block.options, options, strict=True)
    at = np.array([begin + named.index(o) for begin, named, o in chosen if o is not None])
    p = forecast.later.mean(axis=1)[:, at].T
    change = (forecast.later * forecast.changes()).mean(axis=1)[:, at].T
    tenpai = TenpaiOptions.of(block)
    place, found = np.searchsorted(tenpai.some, at), np.isin(at, tenpai.some)

    def of_tenpai(column: NDArray[Any]) -> NDArray[Any]:
        out = np.zeros(len(at), column.dtype)
        out[found] = column[place[found]]
        return out

    def offered(*acts: Any) -> Bools:
        return np.bincount(block.row, block.does(*acts), len(known)) > 0

    return CorrectionRows(
        p,
        np.divide(change, p, out=np.zeros_like(p), where=p > 0),
        forecast.deposit[0].mean(axis=0)[at],
        ending,
        changed.astype(np.float64),
        paid,
        np.array([decision.offer is None for decision in known]),
        np.array([block.flat[i].act for i in at.tolist()]),
        1 - forecast.once.nobody[at],
        block.shanten[at],
        is_step_back(block)[at],
        np.array([decision.position.draws_left for decision in known]),
        offered("riichi"),
        offered("nine terminals"),
        found,
        of_tenpai(tenpai.furiten),
        of_tenpai(tenpai.opened),
        of_tenpai(tenpai.declare),
        of_tenpai(tenpai.no_yaku),
        of_tenpai(tenpai.silent_yaku),
        of_tenpai(tenpai.shares[0]),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """``what`` of the n decisions that a correction is made for: ``expected`` and ``came`` (m,) of
    the m ``rows`` of them."""

    correction: str
    of: str
    what: str
    rows: NDArray[np.int64]
    expected: Floats
    came: Floats


def lines_of(rows: CorrectionRows) -> list[Line]:
    """What is expected of the decisions of each correction, and what came; lines without any are
    left out."""
    out: list[Line] = []

    def often(correction: str, of: str, what: str, which: Bools, ends: Bools) -> None:
        """``ends`` (33,) or (n, 33): the joint endings that count."""
        i = np.flatnonzero(which)
        counted = np.broadcast_to(ends, rows.p.shape)[i]
        came = counted[np.arange(len(i)), rows.ending[i]]
        out.append(
            Line(
                correction, of, what, i, (rows.p[i] * counted).sum(axis=1), came.astype(np.float64)
            )
        )

    def much(correction: str, of: str, what: str, which: Bools, ends: Bools, sign: int = 1) -> None:
        """Of the hands that ended by one of ``ends``: the change of the own score, times a sign."""
        i = np.flatnonzero(which & ends[rows.ending])
        expected = rows.change[i, rows.ending[i]]
        out.append(Line(correction, of, what, i, sign * expected, sign * rows.changed[i]))

    throws = rows.turn & np.isin(rows.act, ("discard", "riichi"))
    for name, far in (("left tenpai", 0), ("one away", 1), ("two and more away", 2)):
        shanten = np.minimum(rows.shanten, 2) == far
        for least, most in ((0.02, 0.05), (0.05, 0.1), (0.1, 1.0)):
            risky = throws & shanten & (rows.now >= least) & (rows.now < most)
            of = f"{name}, a tile of {least:.0%} " + (f"to {most:.0%}" if most < 1 else "and more")
            often("LATER_DEAL_INS", of, "deals in later", risky, _DEAL_INS)
    # The draw of each seat, counted from 1, where nobody calls after the discard.
    idle = (np.where(PAYER < 1, 4, PAYER) > rows.left[:, None]) & (PAYER >= 0)
    last = throws & (rows.left > 0) & (rows.left < 4)
    often("OUT_OF_TURN", "one to three draws left", "a seat out of turn pays or draws", last, idle)
    first, latest = LAST_GO_AROUND
    around = throws & (rows.left >= first) & (rows.left <= latest)
    often("LAST_RONS", "four to seven draws left", "wins by ron", around, _RONS & _OWN)
    often("LAST_RONS", "four to seven draws left", "deals in later", around, _DEAL_INS)
    others = _RONS & ~_OWN & ~_DEAL_INS
    often("LAST_RONS", "four to seven draws left", "sees a ron of two others", around, others)
    stays = last & (rows.shanten == 0) & (rows.act == "discard")
    often("NOTEN_LATER", "the last discard keeps tenpai", "noten at a draw", stays, _NOTEN)
    for name, which in (
        ("fewer than 8 draws left", rows.left < 8),
        ("8 to 19 draws left", (rows.left >= 8) & (rows.left < 20)),
        ("20 to 34 draws left", (rows.left >= 20) & (rows.left < 35)),
        (f"35 to {EARLY - 1} draws left", (rows.left >= 35) & (rows.left < EARLY)),
    ):
        of, back = f"steps back, {name}", rows.steps_back & which
        often("steps_back", of, "wins", back, _OWN)
        often("steps_back", of, "tenpai at a draw", back, _TENPAI)
        often("steps_back", of, "deals in later", back, _DEAL_INS)
    nine = rows.nine_offered
    aborted = np.arange(len(WINNER)) == ABORTED
    often("ABORTS_DECLINED", "nine terminals declined", "an abort", nine, aborted)
    silent = rows.tenpai & ~rows.furiten & ~rows.opened & ~rows.declares
    declares = rows.tenpai & ~rows.furiten & rows.declares
    opened = rows.tenpai & ~rows.furiten & rows.opened
    often("FURITEN", "in furiten", "wins", rows.furiten, _OWN)
    for name, which in (("riichi", declares), ("silent", silent), ("open", opened)):
        waits = which & (rows.dora > 0.5)
        often("DORA_RONS", f"waits on dora, {name}", "wins by ron", waits, _RONS & _OWN)
    often("SILENT_DRAWS", "silent, a yaku on all tiles", "wins by own draw", rows.silent_yaku,
          _DRAWS & _OWN)  # fmt: skip
    often("NO_YAKU_DRAWS", "silent, no yaku", "wins by ron", rows.no_yaku, _RONS & _OWN)
    often("NO_YAKU_DRAWS", "silent, no yaku", "wins by own draw", rows.no_yaku, _DRAWS & _OWN)
    riichi = rows.riichi_offered
    for name, which in (
        ("riichi declared", riichi & (rows.act == "riichi")),
        ("riichi before", declares & ~riichi),
        ("riichi declined, a yaku on all tiles", riichi & rows.silent_yaku),
        ("riichi declined, no yaku", riichi & rows.no_yaku),
        ("open", opened),
    ):
        for what, ends in (("ron", _RONS & _OWN), ("own draw", _DRAWS & _OWN)):
            much("tenpai_worth", name, f"points of a win by {what}", which, ends)
    for name, which in (
        ("RICHER_RIICHI", riichi & (rows.act == "riichi")),
        ("RICHER_TENPAI", riichi & (rows.act == "discard") & rows.tenpai),
    ):
        much(name, _OFFERED[name], "points of a later deal-in", which, _DEAL_INS, -1)
    kan = np.isin(rows.act, _KANS)
    theirs = (WINNER > 0) & ((PAYER == WINNER) | (PAYER == 0))
    much("RICHER_KAN", "after an own kan", "points paid to another's win", kan, theirs, -1)
    declined = riichi & (rows.act == "discard") & rows.tenpai
    i = np.flatnonzero(declined & ((WINNER > 0) & (PAYER > 0))[rows.ending])
    out.append(Line("DEPOSIT_LATER", "riichi declined, another wins", "pays a deposit", i,
                    rows.deposit[i], rows.paid[i].astype(np.float64)))  # fmt: skip
    return [line for line in out if len(line.rows)]


_OFFERED: Final = {"RICHER_RIICHI": "riichi declared", "RICHER_TENPAI": "riichi declined"}


def correction_results(found: Sequence[CorrectionRows], what: str) -> dict[str, Any]:
    """The results JSON: of each line what is expected, and what came with its 95% interval by
    bootstrap of games."""
    rows = CorrectionRows.join(found)
    game = np.repeat(np.arange(len(found)), [len(part) for part in found])
    lines = []
    for line in lines_of(rows):
        one = np.ones(len(line.rows))
        came = ratio_estimate(line.came, one, game[line.rows], generator(1))
        lines.append({
            "correction": line.correction,
            "decisions": line.of,
            "what": line.what,
            "n": len(one),
            "expected": float(line.expected.mean()),
            "came": came.to_json(),
        })  # fmt: skip
    return {
        "schema": "haiyomi-corrections",
        "version": 1,
        "records": what,
        "networks": shipped_networks(),
        "games": len(found),
        "interval": by_game(len(found)),
        "lines": lines,
    }


def reports(results: dict[str, Any]) -> list[Report]:
    """The table of results JSON."""
    rows = []
    for line in results["lines"]:
        unit = ",.0f" if "points" in line["what"] else ".2%"
        rows.append((
            line["correction"], line["decisions"], line["what"], Figure(line["n"]),
            Figure(line["expected"], unit), Figure.of(line["came"], unit),
        ))  # fmt: skip
    columns = ("correction", "decisions", "what", "n", "expected", "came")
    return [Report("Corrections of the forecast", columns, tuple(rows), Scope.of(results))]
