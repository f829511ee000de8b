"""A review, or one assessment, as lines of text no wider than 100 columns.

The table of a decision has one column a tile of the hand. Everything is made of ``Line``
values (see ``columns``); the caller prints them plain or in colour.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from haiyomi.dealin.answer import TileRisk
from haiyomi.events import AbortiveDraw, Event, ExhaustiveDraw, Win
from haiyomi.game.position import Position
from haiyomi.review.assessment import (
    Assessment,
    Choice,
    Decision,
    HandReview,
    Outcome,
    Revealed,
    Review,
)
from haiyomi.review.columns import WIDTH, Line, Span, clean, fit, right, risk_style, width, wrap
from haiyomi.review.wait_lines import WORTH_NAMING, NameWaits
from haiyomi.review.win_columns import win_rows
from haiyomi.review.words import Words
from haiyomi.tiles import TILES, Tile, dora_of

LABEL = 15
CELL = 6
WORTH_LISTING = 0.01
"""Risk from which a discard may stand in the closing list."""
WORTH_A_ROW = 0.005
"""The opponents' rows are left out of a review's table where no tile has this risk."""
RULE: Line = (("-" * WIDTH, "dim"),)


def percent(probability: float) -> str:
    """``0%`` exactly nil, ``<.1%``, ``7.8%``, ``100%``: at most five columns."""
    if probability <= 0.0:
        return "0%"
    if probability < 0.0005:
        return "<.1%"
    return "100%" if probability >= 0.9995 else f"{100 * probability:.1f}%"


class TextReport:
    """Makes the lines. ``names`` by absolute seat; an empty name is shown as its wind only.
    ``waits`` names the waits behind the risk of a discard."""

    def __init__(
        self,
        words: Words,
        names: Sequence[str] = ("", "", "", ""),
        waits: NameWaits | None = None,
    ) -> None:
        self.words = words
        self.waits = waits
        self.names = without_common_word(tuple(clean(name) for name in names))

    # -- the whole review --------------------------------------------------------------

    def review(self, review: Review) -> Iterator[Line]:
        """The legend, every hand, the closing list."""
        yield from self.legend()
        if any(d.revealed is not None for _, d in review.decisions):
            yield ((self.words.truth_legend, "dim"),)
        for hand in review.hands:
            yield ()
            yield from self.hand(review, hand)
        yield ()
        yield from self.closing(review)

    def legend(self) -> Iterator[Line]:
        for text in self.words.legend:
            yield ((text, "dim"),)

    def hand(self, review: Review, hand: HandReview) -> Iterator[Line]:
        """The header of one hand, its decisions, how it ended."""
        yield RULE
        yield from self._head_lines(
            hand.kyoku, hand.honba, hand.sticks, (hand.indicator,), hand.scores, review.seat
        )
        yield RULE
        for decision in hand.decisions:
            yield from self.decision(decision)
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
                said = [w.winds[wind], self._name(seat, cut), mark.strip()]
                said.append(w.points.format(n=scores[seat]))
                style = "bold" if seat == viewer else ""
                players.append(((" ".join(s for s in said if s), style),))
            lines = wrap(players, (), gap="  ")
            if len(lines) == 1:
                break
        yield from lines

    def _dora(self, indicators: Sequence[Tile]) -> Line:
        w = self.words
        tiles = " ".join(w.tile(TILES[dora_of(tile.kind)]) for tile in indicators)
        return ((f"{w.dora} ", "dim"), (tiles, "bold"))

    def decision(self, decision: Decision) -> Iterator[Line]:
        """The table of one decision and what was done; one line after one's own riichi."""
        if decision.forced:
            yield from wrap(self._done(decision), self._turn(decision))
            return
        yield from self.table(decision.assessment, decision)
        done = self._done(decision)
        yield from wrap(done[1:], (("  -> ", "bold"), *done[0]))
        yield from self._waits(decision)
        yield ()

    def _waits(self, decision: Decision) -> Iterator[Line]:
        """What the tile discarded would have been won on, by each opponent it risked."""
        position = decision.assessment.position
        for risk in decision.chosen.risks if self.waits is not None else ():
            if risk.probability < WORTH_NAMING or decision.action != "discard":
                continue
            assert self.waits is not None
            named = self.waits(position, risk.opponent, int(risk.tile.kind))
            if named:
                first = f"     {self._player(position, risk.opponent, 12)} "
                first += f"{percent(risk.probability)}:"
                yield from wrap([((part, "dim"),) for part in named.split(", ")], ((first, ""),))

    def table(self, assessment: Assessment, decision: Decision | None = None) -> Iterator[Line]:
        """One column a tile: risk, loss, and the risk against each opponent."""
        w, position = self.words, assessment.position
        revealed = decision.revealed if decision else None
        tiles, marked = _columns(position, decision)
        choices = [assessment[tile] for tile in tiles]
        top: list[Line] = [(((w.left.format(n=position.draws_left)), "dim"),)]
        if position.drawn is not None:
            top.append(((w.drew.format(tile=w.tile(position.drawn)), ""),))
        elif position.to_act and position.players[0].melds:
            top.append(((w.called, ""),))
        if decision is not None and len(position.indicators) > 1:
            top.append(self._dora(position.indicators))
        top.extend(((self._meld(m.kind, m.tiles), ""),) for m in position.players[0].melds)
        first = self._turn(decision) if decision else ()
        if revealed is not None:
            top.extend(self._truth(revealed, position))
        yield from wrap(top, first)
        drawn = position.drawn is not None
        yield self._row(
            (fit(self._shape(assessment), LABEL), "dim"),
            [self._head(c, i == marked, revealed) for i, c in enumerate(choices)],
            drawn,
        )
        yield self._row(
            (fit(w.total, LABEL), "bold"),
            [(percent(c.any), risk_style(c.any) if c.any else "zero") for c in choices],
            drawn,
        )
        yield self._row(
            (fit(w.loss, LABEL), ""),
            [(f"{c.expected_loss:.0f}", "") if c.allowed else (w.swap, "dim") for c in choices],
            drawn,
        )
        for label, texts in win_rows(assessment, tiles, w):
            yield self._row((fit(label, LABEL), ""), [(text, "") for text in texts], drawn)
        if decision is not None and max(c.any for c in choices) < WORTH_A_ROW:
            return
        for r in (1, 2, 3):
            player = position.players[r]
            label = self._label(position, r, assessment.tenpai[r - 1])
            threat = player.riichi or player.open_melds > 0
            yield self._row(
                (label, "" if threat else "dim"),
                [self._risk(c.risks[r - 1], threat) for c in choices],
                drawn,
            )

    def assessment(self, assessment: Assessment) -> Iterator[Line]:
        """The table of one position and its safest tile."""
        position = assessment.position
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
        yield from self.table(assessment)
        w, best = self.words, assessment.safest
        said = w.safer.format(tile=w.tile(best.tile), risk=percent(best.any))
        items = [self._why(best, position), *self._forward(assessment, None)]
        yield from wrap(items, (("  " + said, "bold"),))

    def closing(self, review: Review, count: int = 10) -> Iterator[Line]:
        """The most dangerous discards and the totals."""
        w = self.words
        decisions = list(review.decisions)
        if not decisions:
            yield ((w.no_hands, ""),)
            return
        ranked = list(review.most_dangerous(len(decisions)))
        # A tile that dealt in is listed however safe it looked.
        worst = [
            (h, d)
            for i, (h, d) in enumerate(ranked)
            if d.outcome.kind == "dealt-in" or (i < count and d.chosen.any >= WORTH_LISTING)
        ]
        yield RULE
        yield ((w.closing, "title"),)
        yield RULE
        if not worst:
            yield ((w.none_dangerous, ""),)
        else:
            widths = (11, 5, 5, 7, 9, 18, 12)
            cells = [
                fit(t, n) if i in (0, 5, 6) else right(t, n)
                for i, (t, n) in enumerate(zip(w.columns, widths, strict=False))
            ]
            yield ((f"{' '.join(cells[:5])}  {cells[5]} {cells[6]} {w.columns[7]}", "dim"),)
        for hand, decision in worst:
            yield self._closing_row(hand, decision)
        yield ()
        expected = sum(d.chosen.expected_loss for _, d in decisions)
        least = sum(
            (d.chosen if d.forced else d.assessment.safest).expected_loss for _, d in decisions
        )
        dealt = [d for _, d in decisions if d.outcome.kind == "dealt-in"]
        summary = w.summary.format(
            decisions=len(decisions),
            expected=w.points.format(n=round(expected)),
            least=w.points.format(n=round(least)),
            times=len(dealt),
            points=w.points.format(n=sum(d.outcome.points for d in dealt)),
        )
        for line in summary.splitlines():
            for sentence in _sentences(line):
                yield ((sentence, "bold"),)

    def _closing_row(self, hand: HandReview, decision: Decision) -> Line:
        w, chosen = self.words, decision.chosen
        position = decision.assessment.position
        best = decision.assessment.safest
        share = max(range(3), key=lambda i: chosen.shares[i])
        to = f"{self._player(position, share + 1, 10)} {100 * chosen.shares[share]:.0f}%"
        if best.tile == chosen.tile:
            safer: Span = (fit("=", 12), "dim")
        else:
            safer = (fit(f"{w.tile(best.tile)} {percent(best.any)}", 12), "good")
        came, style = self._outcome(decision.outcome, position, short=True)
        return (
            (
                fit(w.short_hand(hand.kyoku, hand.honba), 11)
                + " "
                + right(str(decision.turn), 5)
                + " ",
                "",
            ),
            (right(w.tile(decision.tile), 5) + " ", "bold"),
            (right(percent(chosen.any), 7), risk_style(chosen.any)),
            (" " + right(w.points.format(n=round(chosen.expected_loss)), 9) + "  ", ""),
            (fit(to, 18) + " ", ""),
            safer,
            (" ", ""),
            (fit(came, WIDTH - 74).rstrip(), style),
        )

    # -- pieces ------------------------------------------------------------------------

    def _shape(self, assessment: Assessment) -> str:
        n = assessment.shanten
        if n is None:
            return ""
        return self.words.shanten.format(n=n) if n > 0 else self.words.is_tenpai

    def _turn(self, decision: Decision) -> Line:
        style = "dim" if decision.forced else "bold"
        return ((self.words.turn.format(n=decision.turn), style),)

    def _done(self, decision: Decision) -> list[Line]:
        w, chosen, position = self.words, decision.chosen, decision.assessment.position
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
        cost = w.chose.format(risk=percent(chosen.any), loss=f"{chosen.expected_loss:.0f}")
        came, style = self._outcome(decision.outcome, position)
        rows = max(c.any for c in decision.assessment.choices) >= WORTH_A_ROW
        if chosen.any > 0 and (decision.forced or not rows):
            share = max(range(3), key=lambda i: chosen.shares[i])
            player = self._player(position, share + 1, 0)
            cost += w.to.format(player=player, share=f"{100 * chosen.shares[share]:.0f}%")
        items: list[Line] = [((done, "dim" if decision.forced else "bold"),)]
        if decision.forced:
            items = [((w.forced.format(tile=w.tile(decision.tile)), "dim"),)]
        items.append(((cost, risk_style(chosen.any) if chosen.any else "zero"),))
        items.append(((came, style),))
        if not decision.forced:
            best = decision.assessment.safest
            if best.tile == decision.tile:
                items.append(((w.chose_safest, "good"),))
            else:
                items.append(self._advice(w.safer, best))
                items.extend(self._forward(decision.assessment, decision.tile))
        return items

    def _advice(self, template: str, choice: Choice) -> Line:
        tile = self.words.tile(choice.tile)
        return ((template.format(tile=tile, risk=percent(choice.any)), "good"),)

    def _forward(self, assessment: Assessment, chosen: Tile | None) -> list[Line]:
        """The safest tile that keeps the hand going, where that is another one again."""
        best = assessment.forward
        if best.shanten is None or best.tile in (chosen, assessment.safest.tile):
            return []
        return [self._advice(self.words.forward, best)]

    def _outcome(self, outcome: Outcome, position: Position, short: bool = False) -> Span:
        w, room = self.words, 0 if short else 16
        if outcome.kind == "dealt-in":
            said = [
                w.dealt_in.format(
                    player=self._player(position, won.by, room),
                    points=w.points.format(n=won.points),
                    worth=w.worth.format(han=won.han, fu=won.fu)
                    if won.han is not None and won.fu and not short
                    else "",
                )
                for won in outcome.wins
            ]
            return w.and_.join(said), "bad"
        if outcome.kind == "called":
            assert outcome.caller is not None
            assert outcome.call is not None
            player = self._player(position, outcome.caller, room)
            return w.called_by.format(player=player, call=w.calls[outcome.call]), ""
        return (w.aborted, "bad") if outcome.kind == "aborted" else (w.passed, "dim")

    def _why(self, choice: Choice, position: Position) -> Line:
        w = self.words
        said = [
            f"{self._player(position, risk.opponent, 12)} "
            + (w.zero[risk.reason] if risk.reason else percent(risk.probability))
            for risk in choice.risks
        ]
        return ((w.and_.join(said), "dim"),)

    def _row(self, label: Span, cells: Sequence[Span], drawn: bool) -> Line:
        spans: list[Span] = [label]
        for i, (text, style) in enumerate(cells):
            gap = " " if drawn and i == len(cells) - 1 else ""
            spans.append((gap + right(text, CELL), style))
        return tuple(spans)

    def _head(self, choice: Choice, marked: bool, revealed: Revealed | None) -> Span:
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
        return fit(self._player(position, relative, room), room) + " " + state

    def _truth(self, revealed: Revealed, position: Position) -> Iterator[Line]:
        w = self.words
        for r, kinds in enumerate(revealed.waits, 1):
            if kinds:
                tiles = " ".join(w.tile(TILES[kind]) for kind in kinds)
                yield ((f"! {self._player(position, r, 12)} {w.waits} {tiles}", "bad"),)

    def _player(self, position: Position, relative: int, columns: int) -> str:
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
            said = (w.tsumo if event.tsumo else w.ron).format(
                winner=player(event.seat), loser=player(event.target), points=points
            )
        elif isinstance(event, ExhaustiveDraw):
            tenpai = [s for s in range(4) if event.tenpai and event.tenpai[s]]
            said = w.exhaustive.format(players=players(tenpai))
            if event.nagashi:
                said += "  " + w.nagashi.format(players=players(event.nagashi))
        else:
            assert isinstance(event, AbortiveDraw)
            said = w.draws[event.reason]
        return ((said, "title"),)


def without_common_word(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names without the first words that all four share: they tell nobody apart."""
    while all(" " in name for name in names):
        first, *others = (name.split(" ", 1)[0] for name in names)
        if any(other != first for other in others):
            break
        names = tuple(name.split(" ", 1)[1] for name in names)
    return names


def _columns(position: Position, decision: Decision | None) -> tuple[list[Tile], int]:
    """The hand's tiles as shown, the drawn one last, and the column that was discarded."""
    tiles = list(position.hand)
    if position.drawn is not None:
        tiles.remove(position.drawn)
        tiles.append(position.drawn)
    if decision is None:
        return tiles, -1
    last = len(tiles) - 1
    if decision.tsumogiri or (decision.action == "kakan" and decision.tile == position.drawn):
        return tiles, last
    return tiles, tiles.index(decision.tile)


def _sentences(text: str, columns: int = WIDTH) -> list[str]:
    """The text broken so that no line is too wide."""
    lines, current = [], ""
    for char in text:
        if width(current + char) > columns:
            cut = max(current.rfind(" "), current.rfind("、") + 1, current.rfind("。") + 1)
            cut = cut if cut > columns // 3 else len(current)
            lines.append(current[:cut].rstrip())
            current = current[cut:].lstrip()
        current += char
    return [*lines, current] if current else lines
