"""``Analyzer``: positions in, Analyses out.

It keeps nothing between two calls but the models, so no answer depends on earlier
calls or on the other positions of a batch.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any, Final

from haiyomi.analysis.models import Models
from haiyomi.analysis.value import (
    DETAILS,
    PARTS,
    PAYOFF,
    Analysis,
    DealInRisks,
    Detail,
    OwnWin,
    Part,
    TileWaits,
    check_samples,
    known_names,
)
from haiyomi.analysis.waits import FROM_OPPONENT, FROM_RISK, waits_at, waits_of
from haiyomi.errors import ArgumentError, check_type
from haiyomi.game.position import Position
from haiyomi.reading.models import is_published
from haiyomi.rules import TENHOU, Ruleset
from haiyomi.seeds import check_core_seed
from haiyomi.tiles import N_KINDS, TILES, Tile, parse_tiles

if TYPE_CHECKING:
    from haiyomi.analysis.deal_in import Known
    from haiyomi.outcomes.answer import Outcome
    from haiyomi.play.decision import Decision
    from haiyomi.reading.answer import HandReading

BLOCK: Final = 64
"""The most positions that the models look at together: what they work out stays in memory."""
PIECE: Final = 32
"""The most positions whose tenpai hands are in memory together: half a megabyte an opponent. Memory
that a process touches for the first time takes longer than larger pieces save."""


class Analyzer:
    """Answers for positions with some models, by default those that the package ships.

    ``parts`` says what to compute, all by default, and ``details`` which of ``DETAILS``, all by
    default; fewer take less time. For ``hidden_hands``, ``samples`` hands are drawn of each
    opponent, by ``seed``; of the paper's CRF at least one, its roulette hand. ``waits`` are those
    of tiles whose risk is at least ``waits_from``.
    ``payoff`` says what ``outcomes`` take each place to be worth, as ``haiyomi value --payoff``
    does.
    Raises ArgumentError for a part or a detail that does not exist, for ``samples`` below 0 and for
    a ``seed`` or ``waits_from`` that is no number, HaiyomiError for the payoff.
    """

    def __init__(
        self,
        models: Models | None = None,
        parts: Iterable[Part] = PARTS,
        samples: int = 0,
        seed: int = 0,
        *,
        details: Iterable[Detail] = DETAILS,
        waits_from: float = FROM_RISK,
        payoff: str = PAYOFF,
    ) -> None:
        check_samples(samples)
        check_core_seed(seed)
        check_type(waits_from, "Analyzer(waits_from=...)", Real)
        if payoff != PAYOFF:
            from haiyomi.outcomes.payoff import Payoff

            Payoff.parse(payoff, TENHOU)  # what is wrong with a payoff is so under any rules
        if models is not None:
            check_type(models, "Analyzer", Models)
        self.models: Models = models or Models()
        self.parts: frozenset[Part] = known_names("part", parts, PARTS)
        self.details: frozenset[Detail] = known_names("detail", details, DETAILS)
        self.samples = samples
        self.seed = seed
        self.waits_from = waits_from
        self.payoff = payoff

    def analyze(
        self,
        positions: Sequence[Position | Decision],
        discarded: Sequence[Tile | None] | None = None,
    ) -> list[Analysis]:
        """The analysis of each position, in order. A batch takes less time. A decision of an own
        turn stands for its position: then its choices need not be found again.

        ``discarded``: the tile of each position that has ``waits`` without the detail
        ``all_waits``; None where no tile has. Raises ModelError where a model cannot be loaded,
        ArgumentError for what is no list of these, and where ``discarded`` has another length
        than ``positions``.
        """
        _check_list("analyze", "position", positions)
        if others := [each for each in positions if not isinstance(each, Position)]:
            from haiyomi.play.decision import Decision

            for each in others:
                check_type(each, "analyze", Position, Decision)
                if each.offer is not None:
                    raise ArgumentError(
                        "analyze takes decisions of the own turn: analyze_offers and outcomes take "
                        "those on another's tile"
                    )
        if discarded is None:
            discarded = [None] * len(positions)
        if len(discarded) != len(positions):
            raise ArgumentError(f"{len(discarded)} discarded tiles for {len(positions)} positions")
        given = [None if isinstance(each, Position) else each for each in positions]
        seen = [each if isinstance(each, Position) else each.position for each in positions]
        found: dict[int, Analysis] = {}
        for numbers in _by_rules(seen):
            for first in range(0, len(numbers), BLOCK):
                block = numbers[first : first + BLOCK]
                analyses = self._block(
                    [seen[i] for i in block],
                    [given[i] for i in block],
                    [discarded[i] for i in block],
                )
                found |= zip(block, analyses, strict=True)
        return [found[i] for i in range(len(positions))]

    def risks(
        self, position: Position, tiles: Iterable[Tile] | str = TILES[:N_KINDS]
    ) -> DealInRisks:
        """The risk of discarding each of some tiles, by default of the 34 kinds (fives not red),
        in their order; also as text, such as ``123m5p``. They need not be in the hand, so
        ``allowed`` is True and ``shanten`` None for all. Raises TileError for the text,
        ArgumentError for what is no Position or no tile."""
        from haiyomi.analysis.deal_in import risks_at

        check_type(position, "risks", Position)
        check_type(tiles, "risks", str, Iterable)
        wanted = tuple(parse_tiles(tiles) if isinstance(tiles, str) else tiles)
        for tile in wanted:
            check_type(tile, "risks", Tile)
        (found,) = self.models.deal_in.read([position])
        return risks_at(found, wanted)

    def waits(self, position: Position, tile: Tile | str) -> tuple[DealInRisks, TileWaits]:
        """The risk of one tile, which need not be in the hand, and the waits it is made of for
        each opponent that can win on it; also as text, such as ``5p``. Raises TileError for the
        text, ArgumentError for what is no Position or no tile."""
        check_type(position, "waits", Position)
        check_type(tile, "waits", Tile, str)
        named = Tile.parse(tile) if isinstance(tile, str) else tile
        return waits_at(self.models.deal_in, position, named)

    def outcomes(self, decisions: Sequence[Decision]) -> list[tuple[Outcome, ...]]:
        """What will come of every option of decisions, in the own turn or on another's tile, best
        first. Raises ArgumentError for what is no list of Decisions; of positions, ``analyze``
        gives the outcomes."""
        from haiyomi.analysis.outcomes import outcomes_of

        _check_decisions("outcomes", decisions)
        found: dict[int, tuple[Outcome, ...]] = {}
        for numbers in _by_rules([decision.position for decision in decisions]):
            same = [decisions[i] for i in numbers]
            found |= zip(numbers, outcomes_of(self.models, same, self.payoff), strict=True)
        return [found[i] for i in range(len(decisions))]

    def point_value(self, rules: Ruleset) -> float | None:
        """What a point is worth under the payoff at the start of a game; None where ``outcomes``
        are not wanted or have no placement."""
        if "outcomes" not in self.parts:
            return None
        from haiyomi.analysis.outcomes import point_value

        return point_value(self.models, rules, self.payoff)

    def analyze_offers(self, decisions: Sequence[Decision]) -> list[Analysis]:
        """The analysis of decisions on another's tile: their ``outcomes`` and ``styles``, where
        these parts are wanted. Raises ArgumentError for what is no list of these."""
        _check_decisions("analyze_offers", decisions)
        if any(decision.offer is None for decision in decisions):
            raise ArgumentError("analyze_offers takes decisions on another's tile")
        found: dict[int, Analysis] = {}
        for numbers in _by_rules([decision.position for decision in decisions]):
            parts = self._of_options([decisions[i] for i in numbers], [None] * len(numbers))
            for n, i in enumerate(numbers):
                each = {part: values[n] for part, values in parts.items()}
                found[i] = Analysis(decisions[i].position, **each)
        return [found[i] for i in range(len(decisions))]

    def _block(
        self,
        positions: Sequence[Position],
        decisions: Sequence[Decision | None],
        discarded: Sequence[Tile | None],
    ) -> list[Analysis]:
        """The analyses of positions under one rule set; ``decisions`` where they are at hand."""
        found: dict[Part, Sequence[Any]] = {}
        known: list[Known] | None = None
        if self.parts & {"deal_in", "waits", "outcomes"}:
            known, waits = [], []
            for first in range(0, len(positions), PIECE):
                piece = slice(first, first + PIECE)
                some, their_waits = self._risks(positions[piece], discarded[piece])
                known += some
                waits += their_waits
            found["deal_in"] = [each.risks for each in known]
            if "waits" in self.parts:
                found["waits"] = waits
        if "own_wins" in self.parts:
            from haiyomi.winning.own import own_values_of

            tenpai, points = (name in self.details for name in ("own_tenpai", "own_points"))
            owns = own_values_of(positions, tenpai, points)
            found["own_wins"] = [
                tuple(OwnWin(o.tile, o.win, o.tenpai, o.points) for o in each if o.followed)
                for each in owns
            ]
        if "hidden_hands" in self.parts:
            found["hidden_hands"] = self._hidden_hands(positions, known)
        if self.parts & {"outcomes", "styles"}:
            found |= self._of_turns(positions, decisions, known)
        return [
            Analysis(position, **{part: values[i] for part, values in found.items()})
            for i, position in enumerate(positions)
        ]

    def _risks(
        self, positions: Sequence[Position], discarded: Sequence[Tile | None]
    ) -> tuple[list[Known], list[tuple[TileWaits, ...]]]:
        """What the deal-in model says of each position, and its waits if these are wanted."""
        from haiyomi.analysis.deal_in import Known, risks_of

        model = self.models.deal_in
        opponents = model.read(positions)
        wanted = "waits" in self.parts
        answers = [each.deal_in(None, FROM_OPPONENT if wanted else math.inf) for each in opponents]
        risks = risks_of(model, opponents, answers)
        waits: list[tuple[TileWaits, ...]] = []
        if wanted:
            tiles = None if "all_waits" in self.details else discarded
            waits = waits_of(answers, risks, self.waits_from, tiles)
        return list(map(Known, (each.seen for each in opponents), risks)), waits

    def _of_turns(
        self,
        positions: Sequence[Position],
        given: Sequence[Decision | None],
        seen: Sequence[Known] | None,
    ) -> dict[Part, Sequence[Any]]:
        """``_of_options`` of positions; empty where the viewer has no choice."""
        from haiyomi.play.stated_decision import decision_at

        decided = {
            i: decision or decision_at(position)
            for i, (position, decision) in enumerate(zip(positions, given, strict=True))
            if position.to_act
        }
        free = [i for i, decision in decided.items() if len(decision.choices) > 1]
        known = [None if seen is None else seen[i] for i in free]
        found = self._of_options([decided[i] for i in free], known)
        by_position = {part: dict(zip(free, values, strict=True)) for part, values in found.items()}
        return {
            part: [values.get(i, ()) for i in range(len(positions))]
            for part, values in by_position.items()
        }

    def _of_options(
        self,
        decisions: Sequence[Decision],
        known: Sequence[Known | None],
    ) -> dict[Part, Sequence[Any]]:
        """The parts about the options of decisions under one rule set, of which ``known`` is what
        the deal-in model says."""
        found: dict[Part, Sequence[Any]] = {}
        if not self.parts & {"outcomes", "styles"}:
            return found
        from haiyomi.analysis.outcomes import (
            AskedDecisions,
            asked_of,
            block_of,
            forecasts_of,
            pooled_trunk,
        )

        if "outcomes" in self.parts:
            asked = asked_of(self.models, decisions, known)
        else:
            asked = AskedDecisions(block_of(decisions, known), list(known), [])
        # The pooled policy answers for both parts, and is asked once.
        both = self.parts >= {"outcomes", "styles"} and len(decisions)
        trunk = pooled_trunk(self.models, asked.block) if both else None
        if "styles" in self.parts:
            from haiyomi.analysis.styles import styles_of

            pooled = None if trunk is None else trunk.views.first(asked.n)
            block = asked.block.first(asked.n)
            found["styles"] = styles_of(self.models.policy, block, self.models.forgets, pooled)
        if "outcomes" in self.parts:
            found["outcomes"] = forecasts_of(self.models, asked, self.payoff, trunk)
        return found

    def _hidden_hands(
        self, positions: Sequence[Position], known: Sequence[Known] | None
    ) -> list[tuple[HandReading, ...]]:
        """Of each position; none where only one tile can be discarded, unless the detail
        ``forced_hands`` is wanted."""
        from haiyomi.analysis.hidden_hands import hidden_hands_of

        model = self.models.hidden_hands
        forced = "forced_hands" in self.details
        read = [i for i, p in enumerate(positions) if forced or len(p.discards) > 1]
        hands = hidden_hands_of(
            self.models,
            [positions[i] for i in read],
            None if known is None else [known[i] for i in read],
            # The hand that the paper's CRF names is one drawn by its roulette.
            max(self.samples, int(is_published(model.name))),
            self.seed,
            "likeliest_hands" in self.details,
        )
        by_position = dict(zip(read, hands, strict=True))
        return [by_position.get(i, ()) for i in range(len(positions))]


def _by_rules(positions: Sequence[Position]) -> Iterable[list[int]]:
    """The numbers of the positions under each rule set: a model answers for one at a time."""
    found: dict[Ruleset, list[int]] = {}
    for i, position in enumerate(positions):
        found.setdefault(position.rules, []).append(i)
    return found.values()


def _check_decisions(call: str, decisions: Sequence[Decision]) -> None:
    """Raise ArgumentError for what is no list of decisions."""
    from haiyomi.play.decision import Decision

    _check_list(call, "decision", decisions)
    for decision in decisions:
        check_type(decision, call, Decision)


def _check_list(call: str, of: str, given: object) -> None:
    """Raise ArgumentError for what is no list."""
    if not hasattr(given, "__len__"):
        raise ArgumentError(f"{call} takes a list, such as [{of}], not a {type(given).__name__}")
