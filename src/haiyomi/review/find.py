"""A seat of a record by its number or its player's name, and hands by names such as ``E1``."""

from __future__ import annotations

from collections.abc import Sequence

from haiyomi.errors import HaiyomiError
from haiyomi.events import Hand
from haiyomi.game.rounds import parse_round, round_name
from haiyomi.review.columns import clean
from haiyomi.tiles import Seat


def one_of_both(seat: int | None, player: str | None) -> None:
    """Raise HaiyomiError where both a seat and a player are given: they may differ."""
    if seat is not None and player is not None:
        raise HaiyomiError("--seat and --player both choose the viewer: give one of them")


def find_seat(
    names: Sequence[str],
    seat: int | None,
    player: str | None,
    viewer: int | None,
    whom: str = "the player to review",
) -> Seat:
    """An absolute seat: by number, by name, or the one the record was saved from.

    A name counts if it is equal, or the only one that contains the text (case ignored).
    Raises HaiyomiError, listing the names, where none is given or found, or both are given;
    ``whom`` is what the error calls the seat.
    """
    one_of_both(seat, player)
    listed = ", ".join(f"{i} {clean(name) or '(no name)'}" for i, name in enumerate(names))
    if seat is not None:
        if not 0 <= seat <= 3:
            raise HaiyomiError(f"no seat {seat}: the seats are {listed}")
        return Seat(seat)
    if player is not None:
        found = [i for i, name in enumerate(names) if player and name == player] or [
            i for i, name in enumerate(names) if player and player.casefold() in name.casefold()
        ]
        if len(found) != 1:
            word = "more than one player" if found else "no player"
            raise HaiyomiError(f"{word} is named {player!r}: the seats are {listed}")
        return Seat(found[0])
    if viewer is not None and 0 <= viewer <= 3:
        return Seat(viewer)
    raise HaiyomiError(f"name {whom} with --seat or --player: the seats are {listed}")


def find_hands(hands: Sequence[Hand], name: str) -> tuple[int, ...]:
    """The 0-based hands that a name such as ``E1`` (every honba) or ``E1.1`` means.

    Raises HaiyomiError, listing the hands played, where there is none.
    """
    kyoku, honba = parse_round(name)
    found = tuple(
        i
        for i, hand in enumerate(hands)
        if hand.start.kyoku == kyoku and honba in (None, hand.start.honba)
    )
    if not found:
        played = ", ".join(hand_names(hands))
        raise HaiyomiError(f"hand {name} was not played: the record has {played}")
    return found


def find_one_hand(hands: Sequence[Hand], name: str) -> int:
    """The 0-based hand of a name; ``E3`` is the one without honba, if there is one. Raises
    HaiyomiError where there is none, and where more than one is meant."""
    found = find_hands(hands, name)
    plain = tuple(i for i in found if hands[i].start.honba == 0)
    found = plain if len(plain) == 1 else found
    if len(found) > 1:
        names = ", ".join(hand_names(hands)[i] for i in found)
        raise HaiyomiError(f"{name} was played more than once: name one of {names}")
    return found[0]


def hand_names(hands: Sequence[Hand]) -> list[str]:
    """``E1``, ``E1.1``, ... of each hand."""
    return [round_name(hand.start.kyoku, hand.start.honba) for hand in hands]
