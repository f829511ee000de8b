"""A player that takes each of its legal choices with the same probability."""

from __future__ import annotations

from numpy.random import Generator

from haiyomi.events import Event
from haiyomi.play.player import Choice, Options


class RandomPlayer:
    """Plays one seat by chance alone."""

    def __init__(self, rng: Generator) -> None:
        self.rng = rng

    def observe(self, event: Event) -> None:
        """Ignore an event."""

    def act(self, options: Options) -> Choice:
        """Any of the choices."""
        return options.choices[int(self.rng.integers(len(options.choices)))]
