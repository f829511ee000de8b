"""haiyomi (牌読み, reading the tiles): reads riichi-mahjong records and answers.

The names in ``__all__`` are the public API; the manual's page "Python API" describes each with an
example. They load on first use (PEP 562), so that ``import haiyomi`` costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

_LAZY: dict[str, str] = {
    "HaiyomiError": "haiyomi.errors",
    "ModelError": "haiyomi.errors",
    "PositionError": "haiyomi.errors",
    "RecordError": "haiyomi.errors",
    "TileError": "haiyomi.errors",
    "Tile": "haiyomi.tiles",
    "Tiles": "haiyomi.tiles",
    "format_tiles": "haiyomi.tiles",
    "parse_tiles": "haiyomi.tiles",
    "Ruleset": "haiyomi.rules",
    "Game": "haiyomi.events",
    "Position": "haiyomi.game.position",
    "labelled": "haiyomi.game.labelled",
    "Decision": "haiyomi.play.decision",
    "decisions": "haiyomi.play.decision",
    "Tables": "haiyomi.play.tables",
    "Corpus": "haiyomi.corpus.walk",
    "read": "haiyomi.corpus.one",
    "write": "haiyomi.logs.load",
    "Analysis": "haiyomi.analysis.value",
    "Analyzer": "haiyomi.analysis.analyzer",
    "Models": "haiyomi.analysis.models",
    "read_hands": "haiyomi.analysis.hidden_hands",
    "forecast": "haiyomi.analysis.table_forecast",
    "WinQuestion": "haiyomi.winning.question",
    "win_table": "haiyomi.winning.table",
    "Bot": "haiyomi.styles.bot",
    "ImprovedBot": "haiyomi.outcomes.improved_bot",
    "simulate": "haiyomi.styles.seating",
    "play_on": "haiyomi.playouts.answer",
    "run_tournament": "haiyomi.evaluation.tournaments.run",
    "style_of": "haiyomi.styles.answer",
    "Review": "haiyomi.review.decisions",
    "review_game": "haiyomi.review.reviewer",
    "verdicts": "haiyomi.review.verdicts",
}

if TYPE_CHECKING:
    from haiyomi.analysis.analyzer import Analyzer as Analyzer
    from haiyomi.analysis.hidden_hands import read_hands as read_hands
    from haiyomi.analysis.models import Models as Models
    from haiyomi.analysis.table_forecast import forecast as forecast
    from haiyomi.analysis.value import Analysis as Analysis
    from haiyomi.corpus.one import read as read
    from haiyomi.corpus.walk import Corpus as Corpus
    from haiyomi.errors import HaiyomiError as HaiyomiError
    from haiyomi.errors import ModelError as ModelError
    from haiyomi.errors import PositionError as PositionError
    from haiyomi.errors import RecordError as RecordError
    from haiyomi.errors import TileError as TileError
    from haiyomi.evaluation.tournaments.run import run_tournament as run_tournament
    from haiyomi.events import Game as Game
    from haiyomi.game.labelled import labelled as labelled
    from haiyomi.game.position import Position as Position
    from haiyomi.logs.load import write as write
    from haiyomi.outcomes.improved_bot import ImprovedBot as ImprovedBot
    from haiyomi.play.decision import Decision as Decision
    from haiyomi.play.decision import decisions as decisions
    from haiyomi.play.tables import Tables as Tables
    from haiyomi.playouts.answer import play_on as play_on
    from haiyomi.review.decisions import Review as Review
    from haiyomi.review.reviewer import review_game as review_game
    from haiyomi.review.verdicts import verdicts as verdicts
    from haiyomi.rules import Ruleset as Ruleset
    from haiyomi.styles.answer import style_of as style_of
    from haiyomi.styles.bot import Bot as Bot
    from haiyomi.styles.seating import simulate as simulate
    from haiyomi.tiles import Tile as Tile
    from haiyomi.tiles import Tiles as Tiles
    from haiyomi.tiles import format_tiles as format_tiles
    from haiyomi.tiles import parse_tiles as parse_tiles
    from haiyomi.winning.question import WinQuestion as WinQuestion
    from haiyomi.winning.table import win_table as win_table

__all__ = ["__version__", *_LAZY]

if not TYPE_CHECKING:  # otherwise a type checker accepts any name

    def __getattr__(name: str) -> object:
        if name in _LAZY:
            return getattr(import_module(_LAZY[name]), name)
        raise AttributeError(f"module 'haiyomi' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
