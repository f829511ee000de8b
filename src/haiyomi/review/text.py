"""A review, or one analysis, as lines of text no wider than 100 columns.

The table of a decision has one column a tile of the hand. Everything is made of ``Line``
values (see ``columns``); the caller prints them plain or in colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from haiyomi.analysis.value import Analysis, DealInRisks, DiscardRisk
from haiyomi.dealin.answer import TileRisk
from haiyomi.events import AbortiveDraw, Event, ExhaustiveDraw, Win
from haiyomi.game.position import Position
from haiyomi.review.catalogue import flat
from haiyomi.review.columns import (
    WIDTH,
    Line,
    Span,
    break_text,
    clean,
    fit,
    percent,
    right,
    risk_style,
    width,
    without_common_word,
    wrap,
)
from haiyomi.review.confirmed_text import explained
from haiyomi.review.decision_lines import option_lines, river_lines, style_lines
from haiyomi.review.decisions import (
    Aftermath,
    Beside,
    HandReview,
    Revealed,
    Review,
    ReviewedDecision,
)
from haiyomi.review.discard_table import (
    beside_rows,
    hand_columns,
    win_rows,
)
from haiyomi.review.needs_lines import needs_said
from haiyomi.review.score import Judged, counts
from haiyomi.review.sentences import option_name, verdict_said
from haiyomi.review.verdicts import Verdict
from haiyomi.review.wait_lines import WORTH_NAMING, waits_named
from haiyomi.review.words import Words
from haiyomi.tiles import TILES, Tile, dora_of

LABEL = 15
CELL = 6
WORTH_A_ROW = 0.005
"""The opponents' rows are left out of a review's table where no tile has this risk."""
RULE: Line = (("-" * WIDTH, "dim"),)


class TextReport:
    """Makes the lines. ``names`` by absolute seat; an empty name is shown as its wind only."""

    def __init__(
        self,
        words: Words,
        names: Sequence[str] = ("", "", "", ""),
    ) -> None:
        self.words = words
        self.names = without_common_word(tuple(clean(name) for name in names))

    # -- the whole review --------------------------------------------------------------

    def review(self, review: Review, judged: Sequence[Judged]) -> Iterator[Line]:
        """The legend and every hand, with what was judged of its decisions; ``closing_lines`` has
        what follows."""
        yield from self.legend()
        if any(d.revealed is not None for _, d in review.discards):
            yield ((self.words.truth_legend, "dim"),)
        if any(d.confirmed is not None for _, d in review.decisions):
            for text in flat(self.words.language, "confirm")["note"].splitlines():
                yield ((text, "dim"),)
        for hand in review.hands:
            yield ()
            found = {d.event: verdict for h, d, verdict in judged if h.index == hand.index}
            yield from self.hand(review, hand, found)

    def legend(self) -> Iterator[Line]:
        for text in self.words.legend.splitlines():
            yield ((text, "dim"),)

    def hand(
        self, review: Review, hand: HandReview, judged: Mapping[int, Verdict]
    ) -> Iterator[Line]:
        """The header of one hand, its decisions with their verdicts by event, how it ended."""
        yield RULE
        yield from self._head_lines(
            hand.kyoku, hand.honba, hand.sticks, (hand.indicator,), hand.scores, review.seat
        )
        for text in needs_said(hand.needs, hand.kyoku % 4, self.words):
            for part in break_text(text, WIDTH):
                yield ((part, "dim"),)
        yield RULE
        turns = {decision.event: decision.turn for decision in hand.decisions}
        for decision in hand.decisions:
            verdict = judged.get(decision.event)
            begun = None
            if verdict is not None and verdict.severity is not None and verdict.plan is not None:
                begun = turns[verdict.plan]
            if decision.gives:
                yield from self.decision(decision, verdict, begun)
            elif verdict is not None and counts(decision, verdict):
                yield from self.other(decision, verdict, begun)
        for event in hand.endings:
            yield from wrap([self._ending(event, hand.kyoku)], ())

    def _head_lines(
        self,
        kyoku: int,
        honba: int,
        sticks: int,
        indicators: Sequence[Tile],
        scores: Sequence[int],
        viewer: int,
    ) -> Iterator[Line]:
        """Which hand it is, the dora; the players from East on with their scores."""
        w = self.words
        head: list[Line] = [self._dora(indicators)]
        if sticks:
            head.append(((w.sticks.format(n=sticks), "dim"),))
        yield from wrap(head, ((w.hand(kyoku, honba), "title"),))
        # Whole names if they fit on a line, else cut so that all four do.
        for room in (20, 14):
            players: list[Line] = []
            for wind in range(4):
                seat = (kyoku + wind) % 4
                mark = f" ({w.you})" if seat == viewer else ""
                cut = room if room > 14 else room - width(mark) - width(w.winds[wind])
                parts = [w.winds[wind], self._name(seat, cut), mark.strip()]
                parts.append(w.points.format(n=scores[seat]))
                style = "bold" if seat == viewer else ""
                players.append(((" ".join(s for s in parts if s), style),))
            lines = wrap(players, (), gap="  ")
            if len(lines) == 1:
                break
        yield from lines

    def _dora(self, indicators: Sequence[Tile]) -> Line:
        w = self.words
        tiles = " ".join(w.tile(TILES[dora_of(tile.kind)]) for tile in indicators)
        return ((f"{w.dora} ", "dim"), (tiles, "bold"))

    def decision(
        self,
        decision: ReviewedDecision,
        verdict: Verdict | None = None,
        begun: int | None = None,
    ) -> Iterator[Line]:
        """The table of one discard and what was done; one line after one's own riichi. ``begun``:
        the turn of the mistake whose plan this one went on with."""
        if decision.forced:
            yield from wrap(self._done(decision), self._turn(decision))
            return
        yield from self.table(decision.analysis, decision)
        # Those without a column.
        others = [o for o in decision.options if o.option.act not in ("discard", "riichi")]
        yield from option_lines(decision, others, self.words)
        done = self._done(decision)
        yield from wrap(done[1:], (("  -> ", "bold"), *done[0]))
        yield from self._waits(decision)
        yield from style_lines(decision, verdict, self.words)
        yield from self._verdict(decision, verdict, begun)
        yield ()

    def other(
        self, decision: ReviewedDecision, verdict: Verdict, begun: int | None = None
    ) -> Iterator[Line]:
        """A decision that gave no tile: the hand, its options, best first, and what was done."""
        w, position, offer = self.words, decision.position, decision.offer
        top = self._above(position, True)
        if offer is not None:
            seat = (offer.seat - position.seat) % 4
            player = self.player(position, seat, 12)
            top.append(((w.offered.format(tile=w.tile(offer.tile), player=player), ""),))
        done = option_name(decision.done, w, decision.claimed)
        yield from wrap([*top, ((done, "bold"),)], self._turn(decision))
        hand = [(w.tile(tile), self._tile_style(tile)) for tile in hand_columns(position)]
        yield self._row((" " * LABEL, ""), hand, position.drawn is not None)
        listed = [o for i, o in enumerate(decision.options) if i < 4 or o is verdict.taken]
        yield from option_lines(decision, listed, w)
        yield from style_lines(decision, verdict, self.words)
        yield from self._verdict(decision, verdict, begun)
        yield ()

    def _verdict(
        self, decision: ReviewedDecision, verdict: Verdict | None, begun: int | None
    ) -> Iterator[Line]:
        """What a mistake gave up, and why; what playing on says of a decision."""
        if verdict is None:
            return
        if begun is not None:
            cost = self.words.points.format(n=round(verdict.cost))
            yield (("     " + self.words.same_plan.format(cost=cost, n=begun), "dim"),)
            return
        if verdict.severity is not None:
            for seat, player in enumerate(decision.position.players):
                name = self.player(decision.position, seat, 12)
                # The own melds stand above the hand.
                shown = player.melds if seat else ()
                melds = [self._meld(meld.kind, meld.tiles) for meld in shown]
                yield from river_lines(player, name, melds, self.words)
            said = verdict_said(verdict, self.words, decision.claimed)
            for part in break_text(said, WIDTH - 5):
                yield (("     ", ""), (part, "bad"))
        for text in explained(decision, verdict, self.words):
            for part in break_text(text, WIDTH - 5):
                yield (("     " + part, ""),)

    def _waits(self, decision: ReviewedDecision) -> Iterator[Line]:
        """What the tile discarded would have been won on, by each opponent it risked."""
        position = decision.position
        found = next((w for w in decision.analysis.waits or () if w.tile == decision.tile), None)
        if found is None or decision.action != "discard":
            return
        for risk, shares in zip(decision.chosen.by_opponent, found.by_opponent, strict=True):
            if risk.probability >= WORTH_NAMING and shares:
                first = f"     {self.player(position, risk.opponent, 12)} "
                first += f"{percent(risk.probability)}:"
                parts = waits_named(shares, self.words)
                yield from wrap([((part, "dim"),) for part in parts], ((first, ""),))

    def table(self, analysis: Analysis, decision: ReviewedDecision | None = None) -> Iterator[Line]:
        """One column a tile: risk, loss, what may be won, and the risk against each opponent."""
        w, position = self.words, analysis.position
        revealed = decision.revealed if decision else None
        tiles = hand_columns(position)
        marked = -1 if decision is None else _column(tiles, decision)
        by_tile = {c.tile: c for c in (decision.choices if decision else analysis.risks.choices)}
        choices = [by_tile[tile] for tile in tiles]
        top = self._above(position, decision is not None)
        first = self._turn(decision) if decision else ()
        if revealed is not None:
            top.extend(self._truth(revealed, position))
        yield from wrap(top, first)
        drawn = position.drawn is not None
        yield self._row(
            (fit(self._shape(analysis.risks), LABEL), "dim"),
            [self._head(c, i == marked, revealed) for i, c in enumerate(choices)],
            drawn,
        )
        yield self._row(
            (fit(w.total, LABEL), "bold"),
            [(percent(c.risk), risk_style(c.risk) if c.risk else "zero") for c in choices],
            drawn,
        )
        yield self._row(
            (fit(w.loss, LABEL), ""),
            [(f"{c.expected_loss:.0f}", "") if c.allowed else (w.swap, "dim") for c in choices],
            drawn,
        )
        rate = None if decision is None else decision.rate
        rows = [*win_rows(analysis, tiles, rate, w)]
        if decision is not None and decision.beside is not None:
            rows += beside_rows(decision.beside, tiles)
        for label, texts in rows:
            yield self._row((fit(label, LABEL), ""), [(text, "") for text in texts], drawn)
        if decision is not None and max(c.risk for c in choices) < WORTH_A_ROW:
            return
        for r in (1, 2, 3):
            player = position.players[r]
            label = self._label(position, r, analysis.risks.tenpai[r - 1])
            threat = player.riichi or player.open_melds > 0
            yield self._row(
                (label, "" if threat else "dim"),
                [self._risk(c.by_opponent[r - 1], threat) for c in choices],
                drawn,
            )

    def _above(self, position: Position, reviewed: bool) -> list[Line]:
        """What stands above the hand: the draws left, the tile drawn, the own melds; in a review
        more than one dora too."""
        w, melds = self.words, position.players[0].melds
        top: list[Line] = [(((w.left.format(n=position.draws_left)), "dim"),)]
        if position.drawn is not None:
            top.append(((w.drew.format(tile=w.tile(position.drawn)), ""),))
        elif position.to_act and melds:
            top.append(((w.called, ""),))
        if reviewed and len(position.indicators) > 1:
            top.append(self._dora(position.indicators))
        return [*top, *(((self._meld(m.kind, m.tiles), ""),) for m in melds)]

    def position(self, analysis: Analysis) -> Iterator[Line]:
        """The table of one position and its safest tile."""
        position, risks = analysis.position, analysis.risks
        scores = [position.players[(seat - position.seat) % 4].score for seat in range(4)]
        yield RULE
        yield from self._head_lines(
            position.kyoku,
            position.honba,
            position.sticks,
            position.indicators,
            scores,
            position.seat,
        )
        yield RULE
        yield from self.table(analysis)
        w, best = self.words, risks.safest
        text = w.safer.format(tile=w.tile(best.tile), risk=percent(best.risk))
        items = [self._why(best, position), *self._forward(risks, None)]
        yield from wrap(items, (("  " + text, "bold"),))

    # -- pieces ------------------------------------------------------------------------

    def _shape(self, risks: DealInRisks) -> str:
        n = risks.shanten
        if n is None:
            return ""
        return self.words.shanten.format(n=n) if n > 0 else self.words.is_tenpai

    def _turn(self, decision: ReviewedDecision) -> Line:
        style = "dim" if decision.forced else "bold"
        return ((self.words.turn.format(n=decision.turn), style),)

    def _done(self, decision: ReviewedDecision) -> list[Line]:
        w, chosen, position = self.words, decision.chosen, decision.position
        action = (
            "kakan"
            if decision.action == "kakan"
            else "riichi"
            if decision.riichi
            else "tsumogiri"
            if decision.tsumogiri
            else "tedashi"
        )
        done = w.actions[action].format(tile=w.tile(decision.tile))
        cost = w.chose.format(risk=percent(chosen.risk), loss=f"{chosen.expected_loss:.0f}")
        came, style = self.outcome(decision.outcome, position)
        rows = max(c.risk for c in decision.choices) >= WORTH_A_ROW
        if chosen.risk >= WORTH_A_ROW and decision.forced:
            share = max(range(3), key=lambda i: chosen.shares[i])
            player = self.player(position, share + 1, 0)
            cost += w.to.format(player=player, share=f"{100 * chosen.shares[share]:.0f}%")
        items: list[Line] = [((done, "dim" if decision.forced else "bold"),)]
        if decision.forced:
            items = [((w.forced.format(tile=w.tile(decision.tile)), "dim"),)]
        items.append(((cost, risk_style(chosen.risk) if chosen.risk else "zero"),))
        items.append(((came, style),))
        if not decision.forced and rows:
            best = decision.analysis.risks.safest
            if best.tile == decision.tile:
                items.append(((w.chose_safest, "good"),))
            else:
                items.append(self._advice(w.safer, best))
                items.extend(self._forward(decision.analysis.risks, decision.tile))
        if decision.beside is not None:
            items.append(self._choice_beside(decision.beside))
        return items

    def _choice_beside(self, beside: Beside) -> Line:
        w, best = self.words, beside.options[0]
        choice = w.options[best.action] if best.tile is None else w.tile(best.tile)
        text = w.beside.format(name=beside.name, choice=choice, share=percent(best.share))
        return ((text, ""),)

    def _advice(self, template: str, choice: DiscardRisk) -> Line:
        tile = self.words.tile(choice.tile)
        return ((template.format(tile=tile, risk=percent(choice.risk)), "good"),)

    def _forward(self, risks: DealInRisks, chosen: Tile | None) -> list[Line]:
        """The safest tile that keeps the hand going, where that is another one again."""
        best = risks.forward
        if best.shanten is None or best.tile in (chosen, risks.safest.tile):
            return []
        return [self._advice(self.words.forward, best)]

    def outcome(self, outcome: Aftermath, position: Position, short: bool = False) -> Span:
        w, room = self.words, 0 if short else 16
        if outcome.kind == "dealt-in":
            parts = [
                w.dealt_in.format(
                    player=self.player(position, won.by, room),
                    points=w.points.format(n=won.points),
                    worth=w.worth.format(han=won.han, fu=won.fu)
                    if won.han is not None and won.fu and not short
                    else "",
                )
                for won in outcome.wins
            ]
            return w.and_.join(parts), "bad"
        if outcome.kind == "called":
            assert outcome.caller is not None
            assert outcome.call is not None
            player = self.player(position, outcome.caller, room)
            return w.called_by.format(player=player, call=w.calls[outcome.call]), ""
        return (w.aborted, "bad") if outcome.kind == "aborted" else (w.passed, "dim")

    def _why(self, choice: DiscardRisk, position: Position) -> Line:
        w = self.words
        parts = [
            f"{self.player(position, risk.opponent, 12)} "
            + (w.zero[risk.reason] if risk.reason else percent(risk.probability))
            for risk in choice.by_opponent
        ]
        return ((w.and_.join(parts), "dim"),)

    def _row(self, label: Span, cells: Sequence[Span], drawn: bool) -> Line:
        spans: list[Span] = [label]
        for i, (text, style) in enumerate(cells):
            gap = " " if drawn and i == len(cells) - 1 else ""
            spans.append((gap + right(text, CELL), style))
        return tuple(spans)

    def _head(self, choice: DiscardRisk, marked: bool, revealed: Revealed | None) -> Span:
        name = self.words.tile(choice.tile)
        wins = revealed is not None and any(choice.tile.kind in kinds for kinds in revealed.ron)
        text = f"[{name}]" if marked else name
        if wins:
            return "!" + text, "bad"
        return text, "bold" if marked else self._tile_style(choice.tile, choice.allowed)

    def _risk(self, risk: TileRisk, threat: bool) -> Span:
        if risk.probability <= 0 and risk.reason is not None:
            return self.words.zero[risk.reason], "zero"
        return percent(risk.probability), risk_style(risk.probability) if threat else "dim"

    def _label(self, position: Position, relative: int, tenpai: float) -> str:
        riichi = position.players[relative].riichi
        state = self.words.riichi if riichi else f"{100 * tenpai:.0f}%"
        room = LABEL - 1 - width(state)
        return fit(self.player(position, relative, room), room) + " " + state

    def _truth(self, revealed: Revealed, position: Position) -> Iterator[Line]:
        w = self.words
        for r, kinds in enumerate(revealed.waits, 1):
            if kinds:
                tiles = " ".join(w.tile(TILES[kind]) for kind in kinds)
                yield ((f"! {self.player(position, r, 12)} {w.waits} {tiles}", "bad"),)

    def player(self, position: Position, relative: int, columns: int) -> str:
        wind = self.words.winds[(relative - position.dealer) % 4]
        if columns <= 4:
            return wind
        name = self._name(position.absolute(relative), columns - width(wind) - 1)
        return f"{wind} {name}" if name else wind

    def _name(self, absolute: int, columns: int) -> str:
        name = self.names[absolute]
        return fit(name, columns).rstrip() if width(name) > columns else name

    def _tile_style(self, tile: Tile, allowed: bool = True) -> str:
        return "dim" if not allowed else "red-five" if tile.red else ""

    def _meld(self, kind: str, tiles: Sequence[Tile]) -> str:
        shown = "".join(self.words.tile(t) for t in tiles)
        if tiles[0].kind < 27:
            shown = "".join(str(t)[0] for t in tiles) + str(tiles[0])[1]
        return f"{self.words.melds[kind]} {shown}"

    def _ending(self, event: Event, kyoku: int) -> Line:
        w = self.words

        def player(seat: int) -> str:
            wind = w.winds[(seat - kyoku) % 4]
            name = self._name(seat, 16)
            return f"{wind} {name}" if name else wind

        def players(seats: Sequence[int]) -> str:
            return w.and_.join(player(s) for s in seats) or w.all_noten

        if isinstance(event, Win):
            points = w.points.format(n=-sum(min(d, 0) for d in event.deltas))
            text = (w.tsumo if event.tsumo else w.ron).format(
                winner=player(event.seat), loser=player(event.target), points=points
            )
        elif isinstance(event, ExhaustiveDraw):
            tenpai = [s for s in range(4) if event.tenpai and event.tenpai[s]]
            text = w.exhaustive.format(players=players(tenpai))
            if event.nagashi:
                text += "  " + w.nagashi.format(players=players(event.nagashi))
        else:
            assert isinstance(event, AbortiveDraw)
            text = w.draws[event.reason]
        return ((text, "title"),)


def _column(tiles: Sequence[Tile], decision: ReviewedDecision) -> int:
    """The column of the tile that was given."""
    added = (decision.action, decision.tile) == ("kakan", decision.position.drawn)
    return len(tiles) - 1 if decision.tsumogiri or added else tiles.index(decision.tile)
