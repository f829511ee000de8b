"""Classes of players: how style vectors are scaled, the centres, and the nearest class.

Distances are measured between scaled vectors (*places*): the statistics themselves (``raw``,
probably as published), in standard deviations between players (``standardised``), or those
shrunk by the reliability of each statistic (``reliable``): n / (n + n0) after n occasions, with
n0 estimated from the split-half correlation of players' games. A statistic never observed then
counts nothing; a ``reliable`` place is the best linear predictor of the player's long-run one.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cache
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

from haiyomi.errors import ModelError
from haiyomi.storage.model_file import read_model, write_model
from haiyomi.styles.statistics import NAMES, RATES

if TYPE_CHECKING:
    from haiyomi.arrays import Floats, Ints

NAME: Final = "style-classes"
VERSION: Final = 1
SHIPPED: Final = Path(__file__).with_name("classes.json")
Scaling: TypeAlias = Literal["raw", "standardised", "reliable"]
SCALINGS: Final[tuple[Scaling, ...]] = get_args(Scaling)
Row: TypeAlias = tuple[float, ...]
NEVER: Final = 1e9
"""n0 of a statistic with no split-half correlation."""


@dataclass(frozen=True, slots=True, eq=False)
class Scaler:
    """``mean`` and ``scale`` (19,) of the statistics over players; ``prior`` (19,) n0, the
    occasions at which half of a statistic's spread is the player's own."""

    scaling: Scaling
    mean: Row
    scale: Row
    prior: Row

    def place(self, values: Floats, occasions: Floats) -> Floats:
        """(..., 19) places of some vectors (..., 19); a missing statistic (nan) is the mean."""
        import numpy as np

        away = np.where(np.isnan(values), 0.0, values - self.mean)
        if self.scaling == "raw":
            return away
        away = away / self.scale
        return away if self.scaling == "standardised" else away * self.trust(occasions)

    def trust(self, occasions: Floats) -> Floats:
        """(..., 19) n / (n + n0), 0 to 1."""
        out: Floats = occasions / (occasions + self.prior)
        return out


@dataclass(frozen=True, slots=True)
class StyleClass:
    """One class as it is shipped: its name, and means over its players, never one player's.

    ``statistics`` by name, in their own units; ``rates`` riichi, call, win and deal-in rate a
    hand; ``players`` and ``games`` how many it was made of.
    """

    name: str
    players: int
    games: int
    statistics: tuple[float, ...]
    rates: tuple[float, ...]


@dataclass(frozen=True, slots=True, eq=False)
class StyleClasses:
    """A fitted classification: the scaler, ``centres`` (k, 19) as places, and the classes.

    ``axes`` (2, 19) are the first two principal components of the players' places, drawn from
    ``origin`` (19,), only for charts. ``curve``: (games, how often that many games of a player
    give the same class as the player's other games), ascending; empty where not measured.
    """

    scaler: Scaler
    centres: tuple[Row, ...]
    classes: tuple[StyleClass, ...]
    manifest: dict[str, Any]
    origin: Row
    axes: tuple[Row, ...]
    curve: tuple[tuple[int, float], ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The classes' names, in order of size."""
        return tuple(c.name for c in self.classes)

    def index(self, name: str) -> int:
        """The number of a class. Raises ModelError for an unknown name."""
        if name not in self.names:
            raise ModelError(f"no style class {name!r}: there are {', '.join(self.names)}")
        return self.names.index(name)

    def place(self, values: Floats, occasions: Floats) -> Floats:
        """(..., 19) places of style vectors (see ``Scaler.place``)."""
        return self.scaler.place(values, occasions)

    def distances(self, places: Floats) -> Floats:
        """(..., k) distances of places to the centres."""
        import numpy as np

        out: Floats = np.sqrt(((places[..., None, :] - self.centres) ** 2).sum(axis=-1))
        return out

    def assign(self, values: Floats, occasions: Floats) -> Ints:
        """(...) the number of the nearest class of each style vector (..., 19)."""
        found: Ints = self.distances(self.place(values, occasions)).argmin(axis=-1)
        return found

    def drawn(self, places: Floats) -> Floats:
        """(..., 2) coordinates of places in a chart."""
        import numpy as np

        out: Floats = (places - self.origin) @ np.transpose(self.axes)
        return out

    def agreement_after(self, games: int) -> float | None:
        """The agreement that ``curve`` has for so many games: its last point at or below them."""
        known = [share for n, share in self.curve if n <= games]
        return known[-1] if known else None

    def save(self, path: Path) -> None:
        """Write the model file."""
        payload = {
            "statistics": list(NAMES),
            "rates": [f.__name__ for f in RATES],
            "scaling": self.scaler.scaling,
            "mean": self.scaler.mean,
            "scale": self.scaler.scale,
            "prior": self.scaler.prior,
            "centres": self.centres,
            "origin": self.origin,
            "axes": self.axes,
            "curve": [[n, share] for n, share in self.curve],
            "classes": [asdict(c) for c in self.classes],
        }
        write_model(path, NAME, VERSION, payload, self.manifest)

    @classmethod
    def load(cls, path: Path | str = SHIPPED) -> StyleClasses:
        """Read a model file, by default the shipped one. Raises ModelError."""
        path = Path(path)
        payload, manifest = read_model(path, NAME, VERSION)
        try:
            if tuple(payload["statistics"]) != NAMES or payload["scaling"] not in SCALINGS:
                raise ModelError(f"{path.name}: other statistics or scaling than this haiyomi's")
            scaler = Scaler(
                payload["scaling"],
                *(_row(payload[key], len(NAMES)) for key in ("mean", "scale", "prior")),
            )
            classes = tuple(
                StyleClass(
                    str(c["name"]),
                    int(c["players"]),
                    int(c["games"]),
                    _row(c["statistics"], len(NAMES)),
                    _row(c["rates"], len(RATES)),
                )
                for c in payload["classes"]
            )
            centres = _rows(payload["centres"], len(classes), len(NAMES))
            origin = _row(payload["origin"], len(NAMES))
            axes = _rows(payload["axes"], 2, len(NAMES))
            curve = tuple((int(n), float(share)) for n, share in payload["curve"])
        except (KeyError, TypeError, ValueError) as error:
            raise ModelError(f"{path.name}: the style classes cannot be read ({error})") from None
        if not classes or min(scaler.scale) <= 0 or min(scaler.prior) <= 0:
            raise ModelError(f"{path.name}: no class, or a scale that is not above 0")
        return cls(scaler, centres, classes, manifest, origin, axes, curve)


def _row(value: Any, length: int) -> Row:
    found = _as_row(value)
    if len(found) != length:
        raise ValueError(f"expected {(length,)} finite numbers")
    return found


def _rows(value: Any, count: int, length: int) -> tuple[Row, ...]:
    found = tuple(map(_as_row, value)) if isinstance(value, list) else ()
    if not found or len(found) != count or any(len(row) != length for row in found):
        raise ValueError(f"expected {(count, length)} finite numbers")
    return found


def _as_row(value: Any) -> Row:
    """The numbers of a list; none for what is not a list of finite numbers."""
    good = isinstance(value, list) and all(type(v) in (int, float) and isfinite(v) for v in value)
    return tuple(map(float, value)) if good else ()


@cache
def shipped_classes() -> StyleClasses:
    """The shipped classes, read once."""
    return StyleClasses.load(SHIPPED)


_CALLS, _FIRST, _IMMEDIATE = (
    NAMES.index(n) for n in ("calls", "first_riichi_rate", "immediate_riichi_rate")
)
APART: Final = 0.3
"""A class is named for a statistic from this many standard deviations between players."""


def class_names(centres: Floats) -> tuple[str, ...]:
    """Names of classes from their mean statistics (k, 19) in standard deviations from the mean.

    By calls a hand ``closed``, ``even`` or ``open``; by the two riichi rates ``riichi`` or
    ``damaten`` (tenpai kept silent) behind it, or nothing. Equal names are numbered.
    """
    names: list[str] = []
    for centre in centres:
        calls, riichi = centre[_CALLS], (centre[_FIRST] + centre[_IMMEDIATE]) / 2
        name = "open" if calls > APART else "closed" if calls < -APART else "even"
        name += "-riichi" if riichi > APART else "-damaten" if riichi < -APART else ""
        again = sum(n == name or n.startswith(f"{name}.") for n in names)
        names.append(name if not again else f"{name}.{again + 1}")
    return tuple(names)
