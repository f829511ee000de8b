"""One game's figures as a JSON value that gives them back whole, for the server's library."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from haiyomi.review.career import Career
from haiyomi.review.stats import THREATS, Costly, GameStats, Tally
from haiyomi.tiles import Tile

Json = dict[str, Any]


def game_to_json(game: GameStats) -> Json:
    """What ``game_from_json`` takes."""
    return {
        "game": game.game,
        "name": game.name,
        "seat": game.seat,
        "hands": game.hands,
        "by_threat": {threat: asdict(tally) for threat, tally in game.by_threat.items()},
        "costly": [
            {**asdict(c), "tile": str(c.tile), "better": str(c.better)} for c in game.costly
        ],
        "career": None if game.career is None else asdict(game.career),
    }


def game_from_json(value: Json) -> GameStats:
    """The figures of a value that ``game_to_json`` made."""
    costly = [
        Costly(**{**c, "tile": Tile.parse(c["tile"]), "better": Tile.parse(c["better"])})
        for c in value["costly"]
    ]
    tallies, career = value["by_threat"], value["career"]
    return GameStats(
        value["game"],
        value["name"],
        value["seat"],
        value["hands"],
        {threat: Tally(**tallies[threat]) for threat in THREATS if threat in tallies},
        tuple(costly),
        None if career is None else Career(**career),
    )
