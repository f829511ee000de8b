"""haiyomi (牌読み, reading the tiles): reads riichi-mahjong records and answers.

The names below load on first use (PEP 562), so that ``import haiyomi`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_LAZY: dict[str, str] = {
    "HaiyomiError": "haiyomi.errors",
    "Tile": "haiyomi.tiles",
    "parse_tiles": "haiyomi.tiles",
    "format_tiles": "haiyomi.tiles",
    "Ruleset": "haiyomi.rules",
    "Game": "haiyomi.events",
    "Analysis": "haiyomi.analysis.value",
    "Analyzer": "haiyomi.analysis.analyzer",
    "Models": "haiyomi.analysis.models",
    "Review": "haiyomi.review.decisions",
    "review_game": "haiyomi.review.reviewer",
    "read_hands": "haiyomi.analysis.hidden_hands",
    "Position": "haiyomi.game.position",
}

if TYPE_CHECKING:
    from haiyomi.analysis.analyzer import Analyzer as Analyzer
    from haiyomi.analysis.hidden_hands import read_hands as read_hands
    from haiyomi.analysis.models import Models as Models
    from haiyomi.analysis.value import Analysis as Analysis
    from haiyomi.errors import HaiyomiError as HaiyomiError
    from haiyomi.events import Game as Game
    from haiyomi.game.position import Position as Position
    from haiyomi.review.decisions import Review as Review
    from haiyomi.review.reviewer import review_game as review_game
    from haiyomi.rules import Ruleset as Ruleset
    from haiyomi.tiles import Tile as Tile
    from haiyomi.tiles import format_tiles as format_tiles
    from haiyomi.tiles import parse_tiles as parse_tiles

__all__ = ["__version__", *_LAZY]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'haiyomi' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
