"""Weights in a safetensors file: a header of JSON, then the numbers. Nothing in it is executed.

Read here instead of by the library, whose base install would be a dependency for thirty lines; the
tests compare both. The metadata holds the kind of model, its version, a manifest and the SHA-256
of the numbers.
"""

from __future__ import annotations

import hashlib
import json
import struct
from collections.abc import Mapping
from pathlib import Path
from reprlib import repr as shorten
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from haiyomi.arrays import Singles
from haiyomi.errors import ModelError, not_json
from haiyomi.storage.model_file import model_bytes
from haiyomi.storage.whole_file import whole_file

MAX_BYTES: Final = 64_000_000
MAX_HEADER: Final = 4_000_000
LARGEST: Final = 1e4
"""No weight is larger."""
_DTYPES: Final[Mapping[str, np.dtype[Any]]] = {"F16": np.dtype("<f2"), "F32": np.dtype("<f4")}


def write_tensors(
    path: Path,
    name: str,
    version: int,
    tensors: Mapping[str, NDArray[Any]],
    manifest: Mapping[str, Any],
) -> None:
    """Write tensors as float16, whole or not at all. Raises ModelError for a number that does not
    fit."""
    header: dict[str, Any] = {}
    body = bytearray()
    for key, values in tensors.items():
        with np.errstate(over="ignore"):
            half = np.ascontiguousarray(values, dtype="<f2")
        if not np.abs(half).max(initial=0) <= LARGEST:
            raise ModelError(f"{path.name}: {key} has a number above {LARGEST:g}, or no number")
        at = len(body)
        body += half.tobytes()
        header[key] = {"dtype": "F16", "shape": list(half.shape), "data_offsets": [at, len(body)]}
    header["__metadata__"] = {
        "haiyomi_model": name,
        "version": str(version),
        "sha256": hashlib.sha256(body).hexdigest(),
        "manifest": json.dumps(manifest, sort_keys=True),
    }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with whole_file(path, single_writer=True) as part:
        part.write_bytes(struct.pack("<Q", len(text)) + text + body)


def read_tensors(path: Path, name: str, version: int) -> tuple[dict[str, Singles], dict[str, Any]]:
    """(tensors as float32, manifest) of a file.

    Raises ModelError if it is missing, too large, damaged, of another kind or of another version,
    or has a number that is not finite or is larger than any weight.
    """
    data = model_bytes(path, MAX_BYTES)
    try:
        header, body = _split(data)
        metadata = header.pop("__metadata__", {})
        if not isinstance(metadata, dict) or "haiyomi_model" not in metadata:
            raise ValueError("it is safetensors of another program")
        found, stated = str(metadata["haiyomi_model"]), str(metadata["version"])
        digest = metadata["sha256"]
        manifest = json.loads(metadata["manifest"])
        if not isinstance(manifest, dict):
            raise ValueError("its manifest is not a JSON object")
        tensors = _tensors(header, body)
    except (ValueError, RecursionError) as error:
        why = not_json(error)
        raise ModelError(f"{path.name}: cannot be read as a model file ({why})") from None
    except (KeyError, TypeError, AttributeError, OverflowError):
        raise ModelError(
            f"{path.name}: cannot be read as a model file (its header lacks a field, or one is of "
            "another kind)"
        ) from None
    if found != name:
        raise ModelError(f"{path.name} is a model of {shorten(found)}: {name!r} is wanted here")
    if stated != str(version):
        stated = shorten(stated)[1:-1]
        raise ModelError(f"{path.name}: version {stated}, this haiyomi reads {version}")
    if hashlib.sha256(body).hexdigest() != digest:
        raise ModelError(f"{path.name}: the checksum does not match, the file is damaged")
    for key, values in tensors.items():
        if not np.abs(values).max(initial=0) <= LARGEST:
            what = f"{shorten(key)} has a number above {LARGEST:g}, or no number"
            raise ModelError(f"{path.name}: {what}")
    return tensors, manifest


def _split(data: bytes) -> tuple[dict[str, Any], bytes]:
    if len(data) < 8:
        raise ValueError("it has no header")
    (length,) = struct.unpack_from("<Q", data)
    if length > min(MAX_HEADER, len(data) - 8):
        if data[:1] == b"{":
            raise ValueError("it is JSON, where a network in safetensors is wanted")
        raise ValueError("its header is longer than the file, or too long")
    header = json.loads(data[8 : 8 + length])
    if not isinstance(header, dict):
        raise ValueError("its header is not a JSON object")
    return header, data[8 + length :]


def _tensors(header: Mapping[str, Any], body: bytes) -> dict[str, Singles]:
    """The tensors, which must fill the body without gaps or overlaps, as the format demands."""
    out: dict[str, Singles] = {}
    end = 0
    for key, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        dtype = _DTYPES.get(entry["dtype"])
        shape = [int(n) for n in entry["shape"]]
        begin, stop = (int(n) for n in entry["data_offsets"])
        if dtype is None or len(shape) > 8 or min(shape, default=0) < 0:
            raise ValueError(f"{shorten(key)} has an unknown type or shape")
        size = dtype.itemsize
        for n in shape:
            size *= n
        if begin != end or stop - begin != size:
            raise ValueError(f"the place of tensor {shorten(key)} does not fit its type and shape")
        if stop > len(body):
            raise ValueError(f"the file ends within tensor {shorten(key)}")
        out[key] = (
            np.frombuffer(body, dtype, size // dtype.itemsize, begin)
            .reshape(shape)
            .astype(np.float32)
        )
        end = stop
    if end != len(body):
        raise ValueError("it has bytes after its last tensor")
    return out
