"""A digest of any value, the same in every process, by what is in it.

A repr may leave out what matters, or have an address. What cannot be pickled has no digest.
"""

from __future__ import annotations

import hashlib
import inspect
import sys
from collections.abc import Iterator
from copyreg import dispatch_table
from functools import partial
from typing import Any, Final

from haiyomi.errors import ArgumentError

_PLAIN: Final = (type(None), bool, int, float, complex, str, bytes)


def around(function: Any) -> tuple[Any, ...]:
    """What a function works with beside its arguments."""
    cells = [cell.cell_contents for cell in getattr(function, "__closure__", None) or ()]
    return cells, getattr(function, "__defaults__", None), getattr(function, "__kwdefaults__", None)


def digest_of_value(value: Any, within: tuple[int, ...] = ()) -> bytes:
    """The digest of a value; ``within``: the ids of what it is a part of. Raises ArgumentError for
    one that has none."""
    if id(value) in within:  # such as a function that calls itself
        return str(within.index(id(value))).encode()
    return hashlib.sha256(b"\0".join(_parts(value, (*within, id(value))))).digest()


def _parts(value: Any, within: tuple[int, ...]) -> list[bytes]:
    """What identifies a value: of what a module knows by name the name, of an inner function its
    source and what it works with, of a container what is in it, of others what would be pickled."""
    kind = type(value).__name__.encode()
    digest = partial(digest_of_value, within=within)
    if isinstance(value, _PLAIN):
        return [kind, repr(value).encode()]
    if isinstance(value, list | tuple):
        return [kind, *map(digest, value)]
    if isinstance(value, set | frozenset):
        return [kind, *sorted(map(digest, value))]
    if isinstance(value, dict):
        return [kind, *(digest(key) + digest(held) for key, held in value.items())]
    if inspect.ismodule(value):
        return [kind, value.__name__.encode()]
    name, module = getattr(value, "__qualname__", None), getattr(value, "__module__", None)
    if name is not None and _by_name(module, name) is value:
        return [kind, f"{module}.{name}".encode()]
    try:
        if inspect.isfunction(value):
            return [kind, inspect.getsource(value).encode(), digest(around(value))]
        reduce = dispatch_table.get(type(value))
        made = value.__reduce_ex__(4) if reduce is None else reduce(value)
        return [kind, *(digest(list(p) if isinstance(p, Iterator) else p) for p in made)]
    except ArgumentError:
        raise
    except Exception as error:  # whatever the class of the value raises
        raise ArgumentError(
            f"a study is stored with what its function works with, and a {type(value).__name__} "
            f"cannot be stored ({error}): let the function make it"
        ) from None


def _by_name(module: str | None, name: str) -> Any:
    """What a module knows by a name with dots, None if it knows none."""
    found: Any = sys.modules.get(module or "builtins")
    for part in name.split("."):
        found = getattr(found, part, None)
    return found
