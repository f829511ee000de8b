"""The interface of a player: it observes what its seat may see, and chooses among options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

from haiyomi.events import (
    AbortiveDraw,
    Ankan,
    Chi,
    Daiminkan,
    Discard,
    Event,
    Kakan,
    Pon,
    Riichi,
)
from haiyomi.tiles import Seat


@dataclass(frozen=True, slots=True)
class Claim:
    """A declared win: tsumo if ``target == seat``, else ron on ``target``'s tile."""

    seat: Seat
    target: Seat


@dataclass(frozen=True, slots=True)
class Pass:
    """No claim on another's tile."""

    seat: Seat


Choice: TypeAlias = (
    Discard | Riichi | Chi | Pon | Daiminkan | Ankan | Kakan | AbortiveDraw | Claim | Pass
)


@dataclass(frozen=True, slots=True)
class Options:
    """All legal choices of ``seat`` now, at least two.

    After a draw: discards, and riichi, kans, a win, nine terminals where they are allowed.
    After ``Riichi`` or a call: the discards it leaves. On another's tile: calls, a win, and
    ``Pass``.
    """

    seat: Seat
    choices: tuple[Choice, ...]


class Player(Protocol):
    """A player of one seat, who sees only that seat's information set."""

    def observe(self, event: Event) -> None:
        """Receive an event as ``visible_to(event, seat)`` gives it."""

    def act(self, options: Options) -> Choice:
        """One of ``options.choices``."""
