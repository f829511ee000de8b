"""What the corrected forecast says of the options that players chose, and what came."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import block_of, forecast_of, known_of
from haiyomi.arrays import Bools, Floats, Ints, Ints32
from haiyomi.evaluation.outcomes.option_forecast import chosen_rows
from haiyomi.events import Game
from haiyomi.game.decision_record import just_called
from haiyomi.game.packed_games import decode_games, pack_games
from haiyomi.outcomes.corrections.dead_waits import dead_waits
from haiyomi.outcomes.corrections.kan_draws import silent_kans
from haiyomi.outcomes.corrections.open_yaku import yaku_more, yakuless_tenpai
from haiyomi.outcomes.corrections.passes import call_share, held_shanten
from haiyomi.outcomes.corrections.steps_back import is_step_back
from haiyomi.outcomes.corrections.tenpai_wins import TenpaiOptions
from haiyomi.outcomes.option import ENDS_HAND, Option
from haiyomi.play.decision import RecordedDecision
from haiyomi.rows import Rows
from haiyomi.training.targets import state_targets

_BLOCK: Final = 64
_LEFT_OUT: Final = ("chi", "pon", *ENDS_HAND)


@dataclass(frozen=True, slots=True, eq=False)
class CorrectionRows(Rows):
    """n decisions after which nobody won at once, and what was forecast of the option chosen.

    ``p`` (n, 33) P of each joint ending and ``change`` (n, 33) the mean change of the own score
    then; ``deposit`` (n,) P that the seat pays one where another wins without its tile. What came:
    ``ending`` (n,) of JOINT, ``changed`` (n,) the own score, ``paid`` (n,) whether it did pay.
    The decision: ``turn`` (n,) the own one; ``act`` (n,) the option's; ``now`` (n,) P that
    somebody wins on its tile, and ``usual_now`` (n,) that over the options as players choose them;
    ``threat`` (n,) whether an opponent is in riichi; ``shanten`` (n,) after it, and whether it
    ``steps_back`` (n,); ``left`` (n,) draws; ``riichi_offered`` and ``nine_offered`` (n,);
    ``silent_kan`` (n,) whether it is an own kan that leaves the hand tenpai without riichi;
    ``called`` (n,) whether the seat has just called; on another's tile the shanten of the hand as
    it is, ``held`` (n,), and the share of the players that ``calls`` (n,);
    ``tenpai`` (n,) whether another option leaves it so, the rest as ``TenpaiOptions`` has it;
    ``yaku_more`` and ``yakuless`` (n,) as in ``open_yaku``, ``dead`` (n,) as in ``dead_waits``.
    """

    p: Floats
    change: Floats
    deposit: Floats
    ending: Ints
    changed: Floats
    paid: Bools
    turn: Bools
    act: NDArray[np.str_]
    now: Floats
    usual_now: Floats
    threat: Bools
    shanten: Ints
    steps_back: Bools
    left: Ints
    riichi_offered: Bools
    nine_offered: Bools
    silent_kan: Bools
    called: Bools
    held: Ints
    calls: Floats
    tenpai: Bools
    furiten: Bools
    opened: Bools
    declares: Bools
    no_yaku: Bools
    silent_yaku: Bools
    dora: Floats
    facing: Bools
    safe: Floats
    yaku_more: Ints
    yakuless: Ints
    dead: Bools


def rows_of_game(name: str, game: Game) -> list[CorrectionRows]:
    """The rows of a game, in blocks of decisions; calls, which are worth what their discards are,
    and claims that end the hand are left out."""
    records, labels = decode_games(pack_games([(name, game)]))
    came = state_targets(records, labels)
    known = [
        (i, decision, option)
        for i, decision, option in chosen_rows(game, labels)
        if option.act not in _LEFT_OUT and not labels["ronned"][i]
    ]
    out = []
    for first in range(0, len(known), _BLOCK):
        which, some, options = zip(*known[first : first + _BLOCK], strict=True)
        row = np.array(which)
        ends = came["ending"][row], labels["deltas"][row, 0], came["deposit"][row, 0]
        out.append(_rows(some, options, *ends))
    return out


def _rows(
    known: Sequence[RecordedDecision],
    options: Sequence[Option],
    ending: Ints,
    changed: Ints32,
    paid: Bools,
) -> CorrectionRows:
    models = Models()
    risks = known_of(models, known)
    block = block_of(known, risks)
    forecast = forecast_of(models, block, risks)
    assert forecast.shares is not None
    risk = 1 - forecast.once.nobody
    chosen = zip(block.begins.tolist(), block.options, options, strict=True)
    at = np.array([begin + named.index(option) for begin, named, option in chosen])
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
        risk[at],
        np.bincount(block.row, forecast.shares * risk, len(known)).astype(np.float64),
        np.array([any(p.riichi for p in d.position.players[1:]) for d in known]),
        block.shanten[at],
        is_step_back(block)[at],
        np.array([decision.position.draws_left for decision in known]),
        offered("riichi"),
        offered("nine terminals"),
        np.isin(at, silent_kans(block)),
        just_called(block.records),
        held_shanten(block),
        call_share(block, forecast.shares),
        found,
        of_tenpai(tenpai.furiten),
        of_tenpai(tenpai.opened),
        of_tenpai(tenpai.declare),
        of_tenpai(tenpai.no_yaku),
        of_tenpai(tenpai.silent_yaku),
        of_tenpai(tenpai.shares[0]),
        of_tenpai(tenpai.facing),
        of_tenpai(tenpai.safe),
        yaku_more(block)[at],
        yakuless_tenpai(block)[at],
        np.isin(at, dead_waits(block)),
    )
