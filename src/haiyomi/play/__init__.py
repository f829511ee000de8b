"""Play: seeded walls, players who choose in turn, whole games, many tables at once.

The core plays (``kernels.tables``). ``hand`` plays one hand and ``match`` a game with any four
``player``s; ``tables`` is the environment for research, ``pettingzoo_env`` one table as PettingZoo
has it. ``mjai_program`` is a player whose choices another program makes.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

_LAZY = {"Tables": "haiyomi.play.tables", "MahjongEnv": "haiyomi.play.pettingzoo_env"}

if TYPE_CHECKING:
    from haiyomi.play.pettingzoo_env import MahjongEnv as MahjongEnv
    from haiyomi.play.tables import Tables as Tables

__all__ = ["MahjongEnv", "Tables"]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        return getattr(import_module(_LAZY[name]), name)
    raise AttributeError(f"module 'haiyomi.play' has no attribute {name!r}")
