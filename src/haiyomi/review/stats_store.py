"""One game's figures as a JSON value that gives them back whole, for the server's library."""

from __future__ import annotations

from dataclasses import asdict

from haiyomi.json_types import KnownJson
from haiyomi.review.career import Career
from haiyomi.review.stats import THREATS, Costly, GameStats, GivenUpSums, Tally


def game_to_json(game: GameStats) -> KnownJson:
    """What ``game_from_json`` takes."""
    return {
        "game": game.game,
        "name": game.name,
        "seat": game.seat,
        "hands": game.hands,
        "by_threat": {threat: asdict(tally) for threat, tally in game.by_threat.items()},
        "costly": [asdict(c) for c in game.costly],
        "career": None if game.career is None else asdict(game.career),
        "given_up": asdict(game.given_up),
    }


def game_from_json(value: KnownJson) -> GameStats:
    """The figures of a value that ``game_to_json`` made."""
    tallies, career, given = value["by_threat"], value["career"], value["given_up"]
    categories = {name: tuple(pair) for name, pair in given["by_category"].items()}
    return GameStats(
        value["game"],
        value["name"],
        value["seat"],
        value["hands"],
        {threat: Tally(**tallies[threat]) for threat in THREATS if threat in tallies},
        tuple(Costly(**c) for c in value["costly"]),
        None if career is None else Career(**career),
        GivenUpSums(**given | {"by_category": categories}),
    )
