"""The name of a hand (kyoku): ``E1`` is East 1, the first; ``S3.2`` South 3 with two honba.

A *honba* counts the repeats of a dealership; each is worth 300 points to the winner.
"""

from __future__ import annotations

import re

from haiyomi.errors import PositionError
from haiyomi.tiles import Kind

WINDS = "ESWN"
_JAPANESE = dict(zip("東南西北", WINDS, strict=True))
_FULL_WIDTH = {ord("０") + i: str(i) for i in range(10)}
_NAME = re.compile(r"([ESWN])([1-4])(?:[.\-](\d{1,3}))?")
_LONG = {"EAST": "E", "SOUTH": "S", "WEST": "W", "NORTH": "N"}


def round_name(kyoku: int, honba: int = 0) -> str:
    """``E1`` ... ``N4`` of a kyoku, with honba ``E1.2``; after North 4 the names begin again."""
    return f"{WINDS[kyoku // 4 % 4]}{kyoku % 4 + 1}" + (f".{honba}" if honba else "")


def round_wind(kyoku: int) -> Kind:
    """The kind 27-30 of the wind of a kyoku's round; after North comes East again."""
    return Kind(27 + kyoku // 4 % 4)


def parse_round(text: str) -> tuple[int, int | None]:
    """(kyoku, honba or None) of ``E1``, ``S3.1``, ``east 1``, ``東1``, ``東1局2本場``.

    Inverse of ``round_name``. Raises PositionError.
    """
    name = text.strip().upper().translate(_FULL_WIDTH)
    for word, wind in (*_LONG.items(), *_JAPANESE.items()):
        name = name.replace(word, wind)
    name = name.replace("本場", "").replace("局", ".").replace(" ", "").rstrip(".")
    match = _NAME.fullmatch(name)
    if match is None:
        raise PositionError(
            f"no hand is named {text!r}: expected a wind and 1 to 4, such as E1, S3.1 (one "
            "honba) or 東1"
        )
    wind, number, honba = match.groups()
    return WINDS.index(wind) * 4 + int(number) - 1, None if honba is None else int(honba)


def parse_wind(text: str) -> int:
    """0-3 for East South West North, of ``E``, ``east`` or ``東``. Raises PositionError."""
    name = text.strip().upper()
    name = _LONG.get(name, _JAPANESE.get(name, name))
    if len(name) != 1 or name not in WINDS:
        raise PositionError(f"no wind is named {text!r}: expected E, S, W or N")
    return WINDS.index(name)
