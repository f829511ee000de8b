"""The outcomes of the options that players chose, as forecasts of records."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np

from haiyomi.analysis.models import Models
from haiyomi.analysis.outcomes import outcomes_of
from haiyomi.corpus import Corpus, Skipped
from haiyomi.evaluation.outcomes.given_up import GivenUp, Row, row_of
from haiyomi.evaluation.outcomes.option_placement import Placed, placed_of
from haiyomi.evaluation.outcomes.outcome_forecast import Forecasts
from haiyomi.events import Discard, Game, Riichi
from haiyomi.game.decision_labels import Labels
from haiyomi.game.packed_games import decode_games, pack_games
from haiyomi.outcomes.answer import Outcome
from haiyomi.outcomes.ending import Ending
from haiyomi.outcomes.option import Option, option_of
from haiyomi.play.decision import RecordedDecision, decisions
from haiyomi.storage.resume import Progress
from haiyomi.training.outcome_rows import NO_OUTCOMES, OutcomeRows
from haiyomi.training.packed_corpus import LEVELS

_BLOCK: Final = 64
NO_NAMES: Final[Mapping[str, str]] = MappingProxyType({})


def option_forecasts(
    sources: Sequence[Path],
    models: Models,
    share: float,
    seed: int,
    progress: Progress | None = None,
    named: Mapping[str, str] = NO_NAMES,
) -> tuple[OutcomeRows, Forecasts, list[Skipped]]:
    """A share of the decisions of records whose choice is known, what was forecast of it, and the
    records left out. The players of ``named`` (player by name) are no part of their tables' level,
    and have one of their own. Raises DatasetError where a source cannot be read."""
    name_of = {player: name for name, player in named.items()}
    known = [NO_OUTCOMES]
    found: list[Outcome] = []
    given: list[Row] = []
    levels: list[str] = []
    placed: list[Placed] = []
    corpus = Corpus(list(sources)).distinct()
    for number, (name, game) in enumerate(corpus):
        if progress is not None:
            progress(number, len(corpus))
        rows, ends = decode_games(pack_games([(name, game)]), fraction=share, seed=seed)
        chosen_here = chosen_rows(game, ends)
        kept = [i for i, _, _ in chosen_here]
        known.append(OutcomeRows(rows[kept], ends[kept].copy()))
        known[-1].labels["game"] = number
        for first in range(0, len(chosen_here), _BLOCK):
            block = chosen_here[first : first + _BLOCK]
            answers = outcomes_of(models, [d for _, d, _ in block], "points")
            for (i, d, option), outcomes in zip(block, answers, strict=True):
                chosen = next(o for o in outcomes if o.option == option)
                left = rows["efficiency"][i, :, 0].tolist()
                threat = any(player.riichi for player in d.position.players[1:])
                found.append(chosen)
                given.append(row_of(outcomes, chosen, left, threat))
        level = _level(game)
        at_seat = [name_of.get(player, level) for player in game.header.names]
        levels += [at_seat[d.seat] for _, d, _ in chosen_here]
        if chosen_here:
            at_seats = [(d.hand, d.seat) for _, d, _ in chosen_here]
            mine = found[-len(chosen_here) :]
            placed.append(placed_of(game, at_seats, mine, models.placement))
    columns = _columns(found, GivenUp.of(given, levels), Placed.join(placed) if placed else None)
    return OutcomeRows.join(known), columns, list(corpus.skipped)


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


def _columns(found: Sequence[Outcome], given: GivenUp, placed: Placed | None) -> Forecasts:
    endings = [outcome.endings for outcome in found]
    p = np.array([each.probabilities for each in endings], np.float64).reshape(-1, len(Ending))
    points = np.array([each.means for each in endings], np.float64).reshape(-1, len(Ending))
    later = np.array([outcome.deal_in - outcome.deal_in_now for outcome in found])
    return Forecasts(p, points, later, given, placed)
