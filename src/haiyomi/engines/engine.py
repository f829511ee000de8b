"""Where shards run: the values of a command's ``--engine`` and ``--jobs``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal, Protocol, Self, TypeVar

from haiyomi.errors import HaiyomiError

S = TypeVar("S")
R = TypeVar("R")

LOSSES: Final = 3
"""When workers are lost so many times in a row before a shard is finished, the work ends."""


class Runner(Protocol):
    """What each engine's module offers: ``shards.map_shards`` on it."""

    def done(
        self, function: Callable[[S], R], shards: Sequence[S], engine: Engine
    ) -> Iterator[tuple[int, R]]: ...


@dataclass(frozen=True, slots=True)
class Engine:
    """Where shards run. ``jobs`` at once, None for all processors there are. ``address`` of a
    Ray cluster: ``ray://HOST:PORT`` from outside of it, ``auto`` or ``HOST:PORT`` from one of
    its machines; None starts one on this machine for as long as the work lasts. Raises
    HaiyomiError for ``jobs`` below 1.
    """

    kind: Literal["processes", "ray"] = "processes"
    jobs: int | None = None
    address: str | None = None

    def __post_init__(self) -> None:
        if self.jobs is not None and self.jobs < 1:
            raise HaiyomiError(f"{self.jobs} processes: expected 1 or more")

    @classmethod
    def parse(cls, text: str, jobs: int | None = None) -> Self:
        """``processes``, ``ray``, ``ray://HOST:PORT``, ``ray:auto`` or ``ray:HOST:PORT``.

        Raises HaiyomiError.
        """
        if text == "processes":
            return cls("processes", jobs)
        if text == "ray":
            return cls("ray", jobs)
        head, colon, rest = text.partition(":")
        if head == "ray" and colon and rest.strip("/"):
            return cls("ray", jobs, text if rest.startswith("//") else rest)
        raise HaiyomiError(
            f"no engine {text!r}: expected processes, ray, ray://HOST:PORT, ray:auto or "
            "ray:HOST:PORT"
        )

    def __str__(self) -> str:
        if self.address is None:
            return self.kind
        return self.address if "//" in self.address else f"ray:{self.address}"
