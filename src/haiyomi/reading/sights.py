"""The records of ``game.sights``, by the name that the models of hidden hands know them by."""

from haiyomi.game.sights import (
    CALLED,
    DECLARES,
    FACING,
    MELD_KINDS,
    NONE,
    PLAYER,
    RED,
    RIVER,
    SIGHT,
    TSUMOGIRI,
    Sights,
    pack,
    pack_player,
    sights_of,
    unpack,
)

__all__ = [
    "CALLED",
    "DECLARES",
    "FACING",
    "MELD_KINDS",
    "NONE",
    "PLAYER",
    "RED",
    "RIVER",
    "SIGHT",
    "TSUMOGIRI",
    "Sights",
    "pack",
    "pack_player",
    "sights_of",
    "unpack",
]
