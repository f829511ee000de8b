"""Model files: JSON with a version, a manifest and a checksum; nothing in them is executed.

::

    {"haiyomi_model": "kurita-hoki", "version": 1, "manifest": {...},
     "sha256": "<of the canonical JSON of payload>", "payload": {...}}
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from reprlib import repr as shorten
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from haiyomi.errors import ModelError, not_json
from haiyomi.storage.whole_file import whole_file

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from haiyomi.arrays import Singles

ArrayKind: TypeAlias = Literal["half", "single", "int16", "int32"]
_STORED: Mapping[ArrayKind, str] = {"half": "<f2", "single": "<f4", "int16": "<i2", "int32": "<i4"}
MAX_BYTES = 20_000_000
LARGEST = 1e10
"""No number of a model is larger: sums and products of such stay finite."""


def _canonical(payload: Any) -> bytes:
    return json.dumps(payload, sort_keys=True, separators=(",", ":"), allow_nan=False).encode()


def write_model(
    path: Path, name: str, version: int, payload: dict[str, Any], manifest: dict[str, Any]
) -> None:
    """Write a model file, whole or not at all (temporary file, then rename)."""
    body = {
        "haiyomi_model": name,
        "version": version,
        "manifest": manifest,
        "sha256": hashlib.sha256(_canonical(payload)).hexdigest(),
        "payload": payload,
    }
    # One line a table keeps diffs and reading bearable without a row for each number.
    head = {k: v for k, v in body.items() if k != "payload"}
    lines = json.dumps(head, indent=1, sort_keys=True)[:-2] + ',\n "payload": {\n'
    lines += ",\n".join(
        f"  {json.dumps(key)}: {json.dumps(value, separators=(',', ':'))}"
        for key, value in sorted(payload.items())
    )
    with whole_file(path, single_writer=True) as part:
        part.write_text(lines + "\n }\n}\n", encoding="utf-8")


def read_model(path: Path, name: str, version: int) -> tuple[dict[str, Any], dict[str, Any]]:
    """(payload, manifest) of a model file. Raises ModelError if it is missing, too large,
    damaged, of another kind or of another version, or has a number that is not finite or is larger
    than any model's.
    """
    data = model_bytes(path, MAX_BYTES)
    try:
        body = json.loads(data, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        why = not_json(error)
        raise ModelError(f"{path.name}: cannot be read as a model file ({why})") from None
    if not isinstance(body, dict) or body.get("haiyomi_model") != name:
        found = body.get("haiyomi_model") if isinstance(body, dict) else None
        what = "no model of haiyomi's" if found is None else f"a model of {shorten(found)}"
        raise ModelError(f"{path.name} is {what}: {name!r} is wanted here")
    if body.get("version") != version:
        raise ModelError(
            f"{path.name}: version {shorten(body.get('version'))}, this haiyomi reads {version}"
        )
    payload = body.get("payload")
    if not isinstance(payload, dict) or not isinstance(body.get("manifest"), dict):
        raise ModelError(f"{path.name}: payload or manifest is missing")
    try:
        digest = hashlib.sha256(_canonical(payload)).hexdigest()
        largest = {name: _largest(value) for name, value in payload.items()}
    except (ValueError, RecursionError) as error:
        why = not_json(error)
        raise ModelError(f"{path.name}: cannot be read as a model file ({why})") from None
    if digest != body.get("sha256"):
        raise ModelError(f"{path.name}: the checksum does not match, the file is damaged")
    for name, number in largest.items():
        if not number <= LARGEST:
            raise ModelError(f"{path.name}: {shorten(name)} has a number above {LARGEST:.0e}")
    return payload, body["manifest"]


def model_bytes(path: Path, most: int) -> bytes:
    """What a file holds. Raises ModelError if it is missing, or larger than ``most`` bytes: no more
    is read, whatever size a device or a pipe states."""
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except FileNotFoundError:
        raise ModelError(f"no model file {path}") from None
    except OSError as error:
        raise ModelError(f"{path.name}: cannot be read: {error.strerror or error}") from None
    if len(data) > most:
        raise ModelError(f"{path.name}: larger than {most} bytes")
    return data


def _largest(value: Any) -> float:
    """The largest magnitude of the numbers in a JSON value."""
    if isinstance(value, dict):
        return max(map(_largest, value.values()), default=0.0)
    if isinstance(value, list):
        try:
            return max(map(abs, value), default=0.0)
        except TypeError:  # not all are numbers
            return max(map(_largest, value))
    return abs(value) if isinstance(value, int | float) else 0.0


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is not a number")


def array_text(values: NDArray[Any], kind: ArrayKind) -> dict[str, Any]:
    """An array as JSON: its shape, and its little-endian numbers of a kind in base64."""
    import numpy as np

    raw = np.ascontiguousarray(values, dtype=_STORED[kind]).tobytes()
    return {"shape": list(values.shape), kind: base64.b64encode(raw).decode("ascii")}


def array_of(value: Any, kind: ArrayKind) -> NDArray[Any]:
    """The array of what ``array_text`` wrote. Raises ValueError where it is damaged, or has a
    number that is not finite or is above ``LARGEST``."""
    import numpy as np

    stored = np.dtype(_STORED[kind])
    try:
        shape = [int(n) for n in value["shape"]]
        raw = base64.b64decode(value[kind], validate=True)
        out: NDArray[Any] = (
            np.frombuffer(raw, stored).astype(stored.newbyteorder("=")).reshape(shape)
        )
    except (KeyError, TypeError, AttributeError, binascii.Error) as error:
        raise ValueError(f"no array of {stored.name} numbers ({error})") from None
    if not float(np.abs(out).max(initial=0)) <= LARGEST:
        raise ValueError(f"a {stored.name} number is not finite, or above {LARGEST:.0e}")
    return out


def float16_text(values: NDArray[Any]) -> dict[str, Any]:
    """An array as float16 numbers in base64, a third of their digits' size.

    ``{"shape": [64, 4], "half": "<base64 of little-endian IEEE 754 binary16>"}``: eleven
    significant bits, about three decimal digits. Raises ValueError where a number does not fit."""
    import numpy as np

    with np.errstate(over="ignore"):
        half = np.ascontiguousarray(values, dtype="<f2")
    if not np.isfinite(half).all():
        raise ValueError("a number is too large for float16")
    return array_text(half, "half")


def float16_array(value: Any) -> Singles:
    """The array of what ``float16_text`` wrote. Raises ValueError where it is damaged."""
    out: Singles = array_of(value, "half").astype("float32")
    return out
