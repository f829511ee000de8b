"""What a player is: told what its seat may see, asked where it has a choice."""

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
    """A win declared: by tsumo where ``target == seat``, else on ``target``'s tile."""

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
    """Everything that ``seat`` may do now, at least two ``choices``.

    After a draw: discards, and riichi, kans, a win, nine terminals where they are allowed.
    After ``Riichi`` or a call: the discards it leaves. On another's tile: calls, a win, and
    ``Pass``.
    """

    seat: Seat
    choices: tuple[Choice, ...]


class Player(Protocol):
    """Somebody who plays one seat, from the information set of that seat alone."""

    def observe(self, event: Event) -> None:
        """Take note of an event as ``visible_to(event, seat)`` gives it."""

    def act(self, options: Options) -> Choice:
        """One of ``options.choices``."""
