"""Arrays by name in a file that appears whole (``.npz``): checkpoints, and what takes long to make.

Beside them lies the SHA-256 of all, which reading compares: the checksums of a zip do not cover
its own list of what it holds.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Bytes
from haiyomi.errors import DamageError
from haiyomi.storage.whole_file import whole_file

DIGEST = "sha256"
"""The name of the digest in a file."""


def save_arrays(path: Path, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays to a file that nobody else writes now, whole or not at all."""
    with whole_file(path, single_writer=True) as part, part.open("wb") as stream:
        np.savez(stream, allow_pickle=False, **arrays, **{DIGEST: _digest(arrays)})


def load_arrays(path: Path) -> dict[str, NDArray[Any]] | None:
    """The arrays of a file; None where there is none, and where it is damaged, which is named."""
    try:
        return read_arrays(path)
    except FileNotFoundError:
        return None
    except DamageError as error:
        print(f"haiyomi: {error}; it is made again", file=sys.stderr)
        return None


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a file. Raises DamageError if it is damaged, OSError if it cannot be read."""
    with path.open("rb") as stream:
        try:
            with np.load(stream, allow_pickle=False) as data:
                found = {name: data[name] for name in data.files}
            if found.pop(DIGEST).tobytes() != _digest(found).tobytes():
                raise ValueError("its contents changed")
            return found
        except Exception as error:
            # A changed byte may break the zip, a header or an array: whatever fails, the file
            # is not as it was written.
            raise DamageError(path, str(error) or type(error).__name__) from None


def _digest(arrays: Mapping[str, NDArray[Any]]) -> Bytes:
    whole = hashlib.sha256()
    for name, array in sorted(arrays.items()):
        whole.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        whole.update(np.ascontiguousarray(array).data)
    return np.frombuffer(whole.digest(), np.uint8)
