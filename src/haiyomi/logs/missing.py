"""What each format has no place for, in one table, and its removal by name.

``without(game, format)`` is the game as it comes back from a round trip through ``format``.
Names, ids and provenance that play no part in equality (``Header.extra``, ``Hand.copies``,
``Game.absences``) are listed too: they are lost although no comparison would show it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from haiyomi.errors import RulesError
from haiyomi.events import Event, ExhaustiveDraw, Game, Header, Win
from haiyomi.logs.load import Format
from haiyomi.rules import MAHJONG_SOUL, TENHOU, Ruleset

MANGAN = {False: 8000, True: 12000}
"""The least worth of a limit hand, by whether its winner is dealer."""


def _copies(game: Game) -> Game:
    return replace(game, hands=tuple(replace(h, copies=None) for h in game.hands))


def _absences(game: Game) -> Game:
    return replace(game, absences=())


def _extra(game: Game) -> Game:
    return replace(game, header=replace(game.header, extra=()))


def _rules(game: Game, rules: Ruleset) -> Game:
    return replace(game, header=replace(game.header, rules=rules))


def _tenhou_rules(game: Game) -> Game:
    return _rules(game, _named(TENHOU, game.header.rules))


def _named_rules(game: Game) -> Game:
    rules = game.header.rules
    return _rules(game, _named(MAHJONG_SOUL if rules.name == MAHJONG_SOUL.name else TENHOU, rules))


def _named(base: Ruleset, rules: Ruleset) -> Ruleset:
    """A named rule set with the options that the formats tell."""
    return base.but(
        rounds=1 if rules.rounds == 1 else 2,
        red_fives=rules.red_fives,
        kuitan=rules.kuitan,
        fast=rules.fast,
    )


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


def _nagashi_tenpai(event: Event, _dealer: int) -> Event:
    if isinstance(event, ExhaustiveDraw) and event.nagashi:
        return replace(event, tenpai=None)
    return event


def _untold_tenpai(event: Event, _dealer: int) -> Event:
    if isinstance(event, ExhaustiveDraw) and event.tenpai is None:
        return replace(event, tenpai=(False, False, False, False))
    return event


def _pao(event: Event, _dealer: int) -> Event:
    return replace(event, pao=None) if isinstance(event, Win) else event


MISSING: dict[Format, dict[str, Callable[[Game], Game]]] = {
    "mjlog": {
        "rules other than Tenhou's (Header.rules)": _tenhou_rules,
        "that nobody knows who was tenpai: noten (ExhaustiveDraw.tenpai)": _each(_untold_tenpai),
    },
    "tenhou6": {
        "rules other than Tenhou's and Mahjong Soul's (Header.rules)": _named_rules,
        "copy numbers (Hand.copies)": _copies,
        "disconnects (Game.absences)": _absences,
        "dice, mjlog's dan and rate (Header.extra)": _extra,
        "fu of a hand of mangan or more (Win.fu)": _each(_limit_fu),
        "who was tenpai beside a nagashi mangan (ExhaustiveDraw.tenpai)": _each(_nagashi_tenpai),
    },
    "mjai": {
        "rules other than Tenhou's (Header.rules)": _tenhou_rules,
        "copy numbers (Hand.copies)": _copies,
        "disconnects (Game.absences)": _absences,
        "dan, rate, dice, lobby, title ... (Header.extra)": _extra,
        "the fast clock (Ruleset.fast)": lambda g: _rules(g, g.header.rules.but(fast=False)),
        "who is liable for a limit hand (Win.pao)": _each(_pao),
    },
}
"""Format -> what it has no place for -> the function that drops that from a game."""


def without(game: Game, format: Format) -> Game:
    """The game without all that ``format`` has no place for."""
    for drop in MISSING[format].values():
        game = drop(game)
    return game


def dropped(game: Game, format: Format) -> tuple[str, ...]:
    """What a game loses in ``format``: the keys of ``MISSING`` without which it is another."""
    return tuple(what for what, drop in MISSING[format].items() if drop(game) != game)


def format_for(rules: Ruleset, wanted: Format | None = None) -> Format:
    """The format to write games of some rules in: the one that is wanted, else mjlog, or tenhou6
    where that has no place for the rules. Raises RulesError where the wanted one has none."""
    to = wanted or "mjlog"
    if without(Game(Header(rules=rules), ()), to).header.rules == rules:
        return to
    if wanted is not None:
        raise RulesError(f"{to} has no place for rules {rules.name}: write --to tenhou6")
    return "tenhou6"
