"""Checked access to the parameters of requests; each function raises RpcError."""

from __future__ import annotations

from typing import cast

from haiyomi.apps.engine.rpc import Json, wrong


def an_object(value: object, what: str) -> Json:
    """A JSON object."""
    if not isinstance(value, dict):
        raise wrong(f"{what} is not an object")
    return cast("Json", value)


def an_array(value: object, what: str, least: int = 0) -> list[object]:
    """A JSON array."""
    if not isinstance(value, list) or len(value) < least:
        raise wrong(f"{what} is no {'non-empty ' if least else ''}array")
    return value


def a_text(value: object, what: str) -> str:
    """A string that is not empty."""
    if not isinstance(value, str) or not value:
        raise wrong(f"{what} is not text")
    return value


def a_number(value: object, what: str, least: int, most: int) -> int:
    """An integer of a range."""
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise wrong(f"{what} is no integer from {least} to {most}")
    return value
