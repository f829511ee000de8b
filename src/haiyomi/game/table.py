"""The table with all four hands visible: replays hands and checks everything.

A hand is checked by the core in one call (``kernels.replay``); this module carries
scores, deposits, honba and dealer over between the hands and checks when the game ends.
"""

from __future__ import annotations

from haiyomi.errors import IllegalError, MismatchError, RecordError
from haiyomi.events import FourScores, Game, Hand, Start, final_scores
from haiyomi.game.game_end import game_over, may_go_on
from haiyomi.kernels.replay import HandEnd, replay
from haiyomi.rules import TENHOU, Ruleset


class Table:
    """A fold over the hands of one game, by one set of rules.

    ``play`` checks the next hand and returns how it ended; ``scores``, ``sticks`` and
    ``over`` say where the game stands. ``whole``: the game must begin with East 1; without
    it the first hand may be any (a fragment).
    """

    def __init__(self, rules: Ruleset = TENHOU, whole: bool = False) -> None:
        self.rules = rules
        self.whole = whole
        self.hands = 0
        self.end: HandEnd | None = None

    @property
    def scores(self) -> FourScores:
        """Points by absolute seat, riichi deposits on the table not counted."""
        points = self.rules.start_points
        return (points, points, points, points) if self.end is None else self.end.scores

    @property
    def sticks(self) -> int:
        """Riichi deposits on the table."""
        return 0 if self.end is None else self.end.sticks

    @property
    def over(self) -> bool:
        """Whether the rules end the game here."""
        return self.end is not None and game_over(self.end, self.rules)

    def play(self, hand: Hand) -> HandEnd:
        """Check the next hand whole.

        Raises IllegalError, MismatchError or TruncatedError with the hand's number in the
        game, the event's number in the hand and the value.
        """
        try:
            if hand.events and isinstance(hand.events[0], Start):
                self._check_start(hand.events[0])
            self.end = replay(hand, self.rules)[0]
        except RecordError as error:
            error.hand = self.hands
            raise
        self.hands += 1
        return self.end

    def _check_start(self, start: Start) -> None:
        end = self.end
        if end is None:
            if not self.whole:
                return
            kyoku = honba = 0
        else:
            if self.whole and self.over and not may_go_on(end, self.rules):
                raise IllegalError("the game is over before this hand", event=0, value=start)
            kyoku, honba = end.next_kyoku, end.next_honba
        for what, due, stated in (
            ("kyoku", kyoku, start.kyoku),
            ("honba", honba, start.honba),
            ("the number of riichi deposits", self.sticks, start.sticks),
        ):
            if due != stated:
                raise MismatchError(f"{what} should be {due}", event=0, value=stated)
        for seat, (due, stated) in enumerate(zip(self.scores, start.scores, strict=True)):
            if due != stated:
                raise MismatchError(f"seat {seat} should have {due} points", event=0, value=stated)

    def finish(self, final: FourScores | None) -> FourScores:
        """The final scores, deposits left on the table given to the first place.

        ``final`` are the record's (None: it has none, and the game may be unfinished).
        Raises MismatchError where they differ, IllegalError if the game is not over.
        """
        due = final_scores(self.scores, self.sticks)
        if final is None:
            return due
        last = max(self.hands - 1, 0)
        if not self.over:
            raise IllegalError("the record ends, but the game is not over", hand=last)
        for seat, (points, stated) in enumerate(zip(due, final, strict=True)):
            if points != stated:
                raise MismatchError(
                    f"seat {seat} should end with {points} points", hand=last, value=stated
                )
        return due


def check_game(game: Game) -> tuple[HandEnd, ...]:
    """Check every hand of a game, what carries over between them, and its end.

    Raises IllegalError, MismatchError or TruncatedError. A game whose header has no final
    scores is a fragment: it may begin and stop anywhere.
    """
    table = Table(game.header.rules, whole=game.header.final is not None)
    ends = tuple(table.play(hand) for hand in game.hands)
    table.finish(game.header.final)
    return ends
