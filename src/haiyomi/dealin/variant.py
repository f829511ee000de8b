"""The named variants of the model of Kurita and Hoki."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from haiyomi.errors import ModelError

NAME: Final = "kurita-hoki"
LITERAL: Final = "kurita-hoki-literal"
BASE_HAN: Final = "base-han"
UNIT_SHARES: Final = "unit-shares"
OPTIONS: Final = (BASE_HAN, UNIT_SHARES)


@dataclass(frozen=True, slots=True)
class Variant:
    """How the equations are read.

    ``literal``: every equation to the letter, without the five corrections. ``base_han``: han
    leave out ura dora, ippatsu and red fives. ``unit_shares``: the shapes of (28) are counted
    among hands without a two-sided wait, so that all shapes sum to one as (27) wants.
    """

    literal: bool = False
    base_han: bool = False
    unit_shares: bool = False

    @property
    def name(self) -> str:
        """As ``parse`` reads it: ``kurita-hoki-literal:base-han,unit-shares``."""
        chosen = [
            option
            for option, on in zip(OPTIONS, (self.base_han, self.unit_shares), strict=True)
            if on
        ]
        return (LITERAL if self.literal else NAME) + (f":{','.join(chosen)}" if chosen else "")

    @classmethod
    def parse(cls, name: str) -> Variant:
        """The variant of a name. Raises ModelError."""
        model, _, options = name.partition(":")
        chosen = options.split(",") if options else []
        unknown = sorted(set(chosen) - set(OPTIONS))
        if model not in (NAME, LITERAL) or unknown:
            raise ModelError(
                f"no model {name!r}: choose {NAME} or {LITERAL}, with :{' or :'.join(OPTIONS)}"
            )
        return cls(model == LITERAL, BASE_HAN in chosen, UNIT_SHARES in chosen)
