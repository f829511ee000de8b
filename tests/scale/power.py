"""Simulated power cuts: what a disk keeps of a folder, and work that goes on from that.

A ``Disk`` watches a folder while work runs in this process. It knows what was brought to the disk
(fsync) and what was not. Cut at a random moment, a file that was not synced since it was written
is empty, ends at some block, has zeros in its place, or is whole; and each new, renamed or
removed name in a folder that was not synced since either came about or did not. No file system is
promised to lose less.
"""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from scale.campaign import Campaign, contents

BLOCK = 512


@dataclass(slots=True, eq=False)
class File:
    """What it holds now, and what the disk is known to hold; ``seen`` tells of a change."""

    now: bytes = b""
    synced: bytes | None = None
    seen: tuple[int, int] | None = None

    def after_cut(self, dice: random.Random) -> bytes:
        if self.now == self.synced:
            return self.now
        at = BLOCK * dice.randrange(len(self.now) // BLOCK + 1)
        left = [b"", self.now[:at], self.now[:at] + bytes(len(self.now) - at), self.now]
        return dice.choice(left if self.synced is None else [*left, self.synced])


@dataclass(slots=True, eq=False)
class Folder:
    """Its names now, those that the disk is known to have, and the changes since: a name that
    went, one that came and what it names."""

    now: dict[str, Node] = field(default_factory=dict)
    synced: dict[str, Node] = field(default_factory=dict)
    changes: list[tuple[str | None, str | None, Node]] = field(default_factory=list)

    def change(self, gone: str | None, come: str | None, node: Node) -> None:
        self.changes.append((gone, come, node))
        _apply(self.now, gone, come, node)

    def after_cut(self, dice: random.Random) -> dict[str, Any]:
        names = dict(self.synced)
        for change in self.changes:
            if dice.random() < 0.5:
                _apply(names, *change)
        return {name: node.after_cut(dice) for name, node in names.items()}


Node: TypeAlias = File | Folder


def _apply(names: dict[str, Node], gone: str | None, come: str | None, node: Node) -> None:
    if gone is not None:
        names.pop(gone, None)
    if come is not None:
        names[come] = node


class Disk:
    """A folder, what the disk has of it, and one state that a power cut may leave.

    Of the moments of a run (before each sync, rename or removal) each is as likely as the others
    to be that of the cut.
    """

    def __init__(self, place: Path, dice: random.Random) -> None:
        self.place = place.resolve()
        self.dice = dice
        self.root = Folder()
        self.moments = 0
        self.left: dict[str, Any] = {}
        self._look(self.root, self.place)
        self._settle(self.root)

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Watch what this process does within the block."""
        real = {name: getattr(os, name) for name in self._watching}
        try:
            for name, function in real.items():
                setattr(os, name, self._watch(name, function))
            yield
        finally:
            for name, function in real.items():
                setattr(os, name, function)
        self._moment()

    def _watch(self, name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*given: Any, **more: Any) -> Any:
            self._moment()
            result = function(*given, **more)
            of_two = name in ("rename", "replace")
            paths = [self._within(path, more) for path in given[: 1 + of_two]]
            if paths[0] is not None:
                self._watching[name](self, *paths)
            return result

        return watched

    def _within(self, path: Any, more: dict[str, Any]) -> Path | None:
        """The place of a path (or an open file) below the folder that is watched."""
        if isinstance(path, int):
            path = Path(f"/proc/self/fd/{path}").readlink()
        if more.get("dir_fd") is not None:
            path = Path(f"/proc/self/fd/{more['dir_fd']}").readlink() / path
        whole = Path.cwd() / path
        return whole.relative_to(self.place) if whole.is_relative_to(self.place) else None

    def _moment(self) -> None:
        """See what was written; perhaps the power is cut here."""
        self._look(self.root, self.place)
        self.moments += 1
        if self.dice.random() * self.moments < 1:
            self.left = self.root.after_cut(self.dice)

    def _look(self, folder: Folder, place: Path) -> None:
        for entry in os.scandir(place):
            node = folder.now.get(entry.name)
            if node is None:
                node = Folder() if entry.is_dir() else File()
                folder.change(None, entry.name, node)
            if isinstance(node, Folder):
                self._look(node, Path(entry.path))
                continue
            stat = entry.stat()
            if node.seen != (stat.st_size, stat.st_mtime_ns):
                node.seen = stat.st_size, stat.st_mtime_ns
                node.now = Path(entry.path).read_bytes()

    def _settle(self, folder: Folder) -> None:
        """What was there before is on the disk."""
        self._sync_node(folder)
        for node in folder.now.values():
            if isinstance(node, Folder):
                self._settle(node)
            else:
                self._sync_node(node)

    def _sync_node(self, node: Node) -> None:
        if isinstance(node, File):
            node.synced = node.now
        else:
            node.synced, node.changes = dict(node.now), []

    def _node(self, path: Path) -> Node:
        node: Node = self.root
        for name in path.parts:
            assert isinstance(node, Folder)
            node = node.now[name]
        return node

    def _folder(self, path: Path) -> Folder:
        found = self._node(path.parent)
        assert isinstance(found, Folder)
        return found

    def _synced(self, path: Path, *_: Any) -> None:
        self._look(self.root, self.place)
        self._sync_node(self._node(path))

    def _made(self, path: Path, *_: Any) -> None:
        self._folder(path).change(None, path.name, Folder())

    def _renamed(self, path: Path, to: Path) -> None:
        assert path.parent == to.parent
        self._folder(path).change(path.name, to.name, self._node(path))

    def _removed(self, path: Path, *_: Any) -> None:
        self._folder(path).change(path.name, None, File())

    _watching: dict[str, Callable[..., None]] = {  # noqa: RUF012
        "fsync": _synced,
        "mkdir": _made,
        "rename": _renamed,
        "replace": _renamed,
        "unlink": _removed,
        "remove": _removed,
        "rmdir": _removed,
    }


def put(place: Path, names: dict[str, Any]) -> None:
    """Make a folder of what a cut left."""
    place.mkdir()
    for name, what in names.items():
        if isinstance(what, dict):
            put(place / name, what)
        else:
            (place / name).write_bytes(what)


class PowerCutter:
    """One kind of work in this process: ``work(out)`` does it, or what is left of it."""

    def __init__(self, name: str, work: Callable[[Path], object], seed: int, place: Path) -> None:
        place.mkdir()
        self.work, self.out = work, place / "disk" / "out"
        self.dice = random.Random(f"{seed} {name}")
        self.campaign = Campaign(name, "power cuts")
        work(place / "whole")
        self.expected = contents(place / "whole")
        self.left: dict[str, Any] = {}

    def round(self) -> None:
        """Go on from what the last cut left and compare; this run is cut in turn."""
        while not self.left:
            self._run({})
        equal = self._run(self.left)
        self.campaign.stops += 1
        self.campaign.rounds += 1
        self.campaign.losses += not equal
        if not equal or self.dice.random() < 0.2:
            self.left = {}

    def _run(self, left: dict[str, Any]) -> bool:
        """Work on what is left, watched; whether it ends as if nothing had disturbed it."""
        place = self.out.parent
        shutil.rmtree(place, ignore_errors=True)
        put(place, left)
        disk = Disk(place, self.dice)
        try:
            with disk.watched():
                self.work(self.out)
            equal = contents(self.out) == self.expected
        except Exception as error:
            print(f"{self.campaign.work}: {type(error).__name__}: {error}")
            equal = False
        self.left = disk.left
        return equal
