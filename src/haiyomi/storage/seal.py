"""Seals: JSON files that state the size and SHA-256 of other files, and a checksum of their own.

A shard is done when its seal is there; whether it is still sound, ``check_seal`` says.

::

    {"records": ..., "files": {"riichi.parquet": [<bytes>, "<sha256>"]}, "sha256": "<of the rest>"}
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeAlias

from haiyomi.errors import DamageError
from haiyomi.storage.json_file import file_bytes

Facts: TypeAlias = dict[str, Any]
"""The facts that a seal states about its shard, as JSON."""


def write_seal(seal: Path, files: Iterable[Path], facts: Facts) -> None:
    """Write a seal over finished files, within ``whole_folder`` or ``whole_file``; ``facts`` have
    neither ``files`` nor ``sha256``."""
    sizes = {
        os.path.relpath(file, seal.parent).replace(os.sep, "/"): [file.stat().st_size, digest(file)]
        for file in files
    }
    seal.write_bytes(_bytes(facts | {"files": sizes}))


def read_seal(seal: Path) -> Facts:
    """The facts of a seal. Raises DamageError if it is damaged, OSError if it cannot be read."""
    try:
        data = file_bytes(seal)
        facts: Facts = json.loads(data)
        del facts["sha256"]
        sound = _bytes(facts) == data
    except (ValueError, TypeError, KeyError, RecursionError):
        sound = False
    if not sound:
        raise DamageError(seal, "its checksum does not match")
    return facts


def check_seal(seal: Path) -> Facts:
    """The facts of a seal, if its files are as it states. Raises DamageError with the first that is
    not, OSError if the seal cannot be read."""
    facts = read_seal(seal)
    for name, (size, sha256) in facts["files"].items():
        check_file(seal.parent / name, size, sha256)
    return facts


def is_sound(seal: Path) -> bool:
    """Whether a seal is there and its files are as it states."""
    try:
        check_seal(seal)
    except (DamageError, OSError):
        return False
    return True


def check_file(file: Path, size: int, sha256: str) -> None:
    """Raise DamageError if a file is gone, or of another size or other contents."""
    try:
        found = file.stat().st_size
        if found != size:
            raise DamageError(file, f"{found} bytes, where {size} were written")
        if digest(file) != sha256:
            raise DamageError(file, "its contents changed")
    except FileNotFoundError:
        raise DamageError(file, "it is gone") from None


def digest(file: Path) -> str:
    """The SHA-256 of a file."""
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _bytes(facts: Facts) -> bytes:
    """A seal's file."""
    checksum = hashlib.sha256(json.dumps(facts).encode()).hexdigest()
    text = json.dumps(facts | {"sha256": checksum}, indent=1, ensure_ascii=False)
    return text.encode() + b"\n"
