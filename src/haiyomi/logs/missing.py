"""What each format has no place for, in one table, and its removal by name.

``without(game, format)`` is the game as it comes back from a round trip through ``format``.
Names, ids and provenance that play no part in equality (``Header.extra``, ``Hand.copies``,
``Game.absences``) are listed too: they are lost although no comparison would show it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from haiyomi.events import Event, ExhaustiveDraw, Game, Win

FORMATS = ("mjlog", "tenhou6", "mjai")
MANGAN = {False: 8000, True: 12000}
"""The least worth of a limit hand, by whether its winner is dealer."""


def _copies(game: Game) -> Game:
    return replace(game, hands=tuple(replace(h, copies=None) for h in game.hands))


def _absences(game: Game) -> Game:
    return replace(game, absences=())


def _extra(game: Game) -> Game:
    return replace(game, header=replace(game.header, extra=()))


def _rules(game: Game, **changes: object) -> Game:
    return replace(game, header=replace(game.header, rules=game.header.rules.but(**changes)))


def _each(change: Callable[[Event, int], Event]) -> Callable[[Game], Game]:
    """A change of each event, given the dealer of its hand."""

    def apply(game: Game) -> Game:
        hands = (
            replace(h, events=tuple(change(e, h.start.dealer) for e in h.events))
            for h in game.hands
        )
        return replace(game, hands=tuple(hands))

    return apply


def _limit_fu(event: Event, dealer: int) -> Event:
    if isinstance(event, Win) and (event.points or 0) >= MANGAN[event.seat == dealer]:
        return replace(event, fu=None)
    return event


def _nagashi_tenpai(event: Event, dealer: int) -> Event:
    if isinstance(event, ExhaustiveDraw) and event.nagashi:
        return replace(event, tenpai=None)
    return event


def _pao(event: Event, dealer: int) -> Event:
    return replace(event, pao=None) if isinstance(event, Win) else event


MISSING: dict[str, dict[str, Callable[[Game], Game]]] = {
    "mjlog": {},
    "tenhou6": {
        "copy numbers (Hand.copies)": _copies,
        "disconnects (Game.absences)": _absences,
        "dice, mjlog's dan and rate (Header.extra)": _extra,
        "fu of a hand of mangan or more (Win.fu)": _each(_limit_fu),
        "who was tenpai beside a nagashi mangan (ExhaustiveDraw.tenpai)": _each(_nagashi_tenpai),
    },
    "mjai": {
        "copy numbers (Hand.copies)": _copies,
        "disconnects (Game.absences)": _absences,
        "dan, rate, dice, lobby, title ... (Header.extra)": _extra,
        "whether all simples count open (Ruleset.kuitan)": lambda g: _rules(g, kuitan=True),
        "the fast clock (Ruleset.fast)": lambda g: _rules(g, fast=False),
        "who is liable for a limit hand (Win.pao)": _each(_pao),
    },
}
"""Format -> what it has no place for -> the function that drops that from a game."""


def without(game: Game, format: str) -> Game:
    """The game without all that ``format`` ("mjlog", "tenhou6", "mjai") has no place for."""
    for drop in MISSING[format].values():
        game = drop(game)
    return game
