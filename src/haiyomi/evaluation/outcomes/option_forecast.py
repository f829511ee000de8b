"""The outcomes of the options that players chose, as forecasts of records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

import numpy as np

from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import outcomes_of
from haiyomi.arrays import Floats
from haiyomi.corpus import Corpus, Skipped
from haiyomi.engines.shards import Jobs
from haiyomi.evaluation.outcomes.given_up import GivenUp, Row, row_of
from haiyomi.evaluation.outcomes.option_placement import Placed, placed_of
from haiyomi.evaluation.outcomes.outcome_forecast import Forecasts
from haiyomi.events import Discard, Game, Riichi
from haiyomi.game.decision_labels import Labels
from haiyomi.game.packed_games import decode_games, pack_games
from haiyomi.outcomes.answer import Outcome
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.later_models import load_later
from haiyomi.outcomes.option import Option, option_of
from haiyomi.play.decision import RecordedDecision, decisions
from haiyomi.storage.resume import Progress
from haiyomi.training.outcome_rows import NO_OUTCOMES, OutcomeRows
from haiyomi.training.packed_corpus import LEVELS

_BLOCK: Final = 64
_GAMES_A_PIECE: Final = 4
NO_NAMES: Final[Mapping[str, str]] = MappingProxyType({})


class _OfGame(NamedTuple):
    """What was asked of one game, and what was forecast of it."""

    known: OutcomeRows
    p: Floats
    points: Floats
    later: Floats
    given: list[Row]
    levels: list[str]
    placed: Placed | None


def option_forecasts(
    sources: Sequence[Path],
    model: Path,
    share: float,
    seed: int,
    jobs: Jobs = 1,
    progress: Progress | None = None,
    named: Mapping[str, str] = NO_NAMES,
) -> tuple[OutcomeRows, Forecasts, list[Skipped]]:
    """A share of the decisions of records whose choice is known, what the networks of ``model``
    (``later_models.load_later``) forecast of it, and the records left out. The players of ``named``
    (player by name) are no part of their tables' level, and have one of their own. Raises
    DatasetError where a source cannot be read, ModelError."""
    load_later(model)
    name_of = {player: name for name, player in named.items()}
    of_game = partial(_of_game, model=model, share=share, seed=seed, name_of=name_of)
    corpus = Corpus(list(sources)).distinct()
    found, skipped = corpus.map_rows(of_game, _GAMES_A_PIECE, jobs, progress)
    for number, each in enumerate(found):
        each.known.labels["game"] = number
    rows = [row for each in found for row in each.given]
    levels = [level for each in found for level in each.levels]
    placed = [each.placed for each in found if each.placed is not None]
    none = np.zeros((0, len(Ending)))
    forecasts = Forecasts(
        np.concatenate([none, *(each.p for each in found)]),
        np.concatenate([none, *(each.points for each in found)]),
        np.concatenate([none[:, 0], *(each.later for each in found)]),
        GivenUp.of(rows, levels),
        Placed.join(placed) if placed else None,
    )
    return OutcomeRows.join([NO_OUTCOMES, *(each.known for each in found)]), forecasts, skipped


@cache
def _models(model: Path) -> Models:
    return Models(later=load_later(model))


def _of_game(
    name: str, game: Game, model: Path, share: float, seed: int, name_of: Mapping[str, str]
) -> _OfGame:
    models = _models(model)
    rows, ends = decode_games(pack_games([(name, game)]), fraction=share, seed=seed)
    drawn = chosen_rows(game, ends)
    found: list[Outcome] = []
    given: list[Row] = []
    for first in range(0, len(drawn), _BLOCK):
        block = drawn[first : first + _BLOCK]
        answers = outcomes_of(models, [d for _, d, _ in block], "points")
        for (i, d, option), outcomes in zip(block, answers, strict=True):
            chosen = next(o for o in outcomes if o.option == option)
            left = rows["efficiency"][i, :, 0].tolist()
            threat = any(player.riichi for player in d.position.players[1:])
            found.append(chosen)
            given.append(row_of(outcomes, chosen, left, threat))
    level = _level(game)
    at_seat = [name_of.get(player, level) for player in game.header.names]
    at = [(d.hand, d.seat) for _, d, _ in drawn]
    kept = [i for i, _, _ in drawn]
    endings = [outcome.endings for outcome in found]
    return _OfGame(
        OutcomeRows(rows[kept], ends[kept].copy()),
        np.array([each.probabilities for each in endings], np.float64).reshape(-1, len(Ending)),
        np.array([each.means for each in endings], np.float64).reshape(-1, len(Ending)),
        np.array([outcome.deal_in - outcome.deal_in_now for outcome in found], np.float64),
        given,
        [at_seat[seat] for _, seat in at],
        placed_of(game, at, found, models.placement) if found else None,
    )


def _level(game: Game) -> str:
    """The level of a record's table; empty where it names none."""
    kind = dict(game.header.extra).get("type", "")
    return LEVELS[int(kind) & 0xA0] if kind.isdecimal() else ""


def chosen_rows(game: Game, labels: Labels) -> list[tuple[int, RecordedDecision, Option]]:
    """The decisions of a game whose choice is known and of which there are LABELS: the row there,
    the decision, and the option that the player took."""
    places = zip(*(labels[key].tolist() for key in ("hand", "event", "seat")), strict=True)
    at = {place: i for i, place in enumerate(places)}
    return [
        (i, d, option)
        for d in decisions(game)
        if (i := at.get((d.hand, d.event, d.seat))) is not None
        and (option := chosen_option(d)) is not None
    ]


def chosen_option(decision: RecordedDecision) -> Option | None:
    """The option that the player took; None where it is not known, and for the discard of a riichi,
    which is part of the declaration's option."""
    choice = decision.chosen
    if choice is None:
        return None
    if not isinstance(choice, Riichi):
        option = option_of(decision, [choice])
        return None if option.act == "riichi" else option
    thrown = next((e for e in decision.followed if isinstance(e, Discard)), None)
    return None if thrown is None else Option("riichi", (thrown.tile,))
