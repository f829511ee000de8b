"""The bundled demo record: a hanchan of the imitation's players at this package's table.

The first policy that was shipped played it, by ``COMMAND``; it was the first game of the seed that
shows all that ``tests/play/test_demo.py`` asks of a demo. Later policies play other games at the
same walls.
"""

from __future__ import annotations

from importlib import resources

from haiyomi.errors import HaiyomiError
from haiyomi.events import Game

NAME = "demo.mjlog"
SEED = 5
NUMBER = 155
COMMAND = (
    f"haiyomi play --seed {SEED} --first {NUMBER} "
    "--styles policy:pooled,policy:open-riichi,policy:closed,policy:even-damaten"
)
"""The command that played the demo, with the first policy."""


def demo_bytes() -> bytes:
    """The bytes of the bundled record, mjlog XML. Raises HaiyomiError if it is missing."""
    try:
        return (resources.files("haiyomi") / "data" / NAME).read_bytes()
    except OSError:
        raise HaiyomiError("this installation lacks its demo record: reinstall haiyomi") from None


def demo_game() -> Game:
    """The bundled record as a Game."""
    from haiyomi.logs.load import parse

    return parse(demo_bytes(), NAME)
