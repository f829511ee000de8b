"""JSON-RPC 2.0 over lines: one JSON object a line, read with a limit, and the protocol's errors."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import BinaryIO, Final, TypeAlias, cast

from haiyomi.errors import HaiyomiError, not_json
from haiyomi.json_types import Json
from haiyomi.logs.fields import decode_json

Id: TypeAlias = str | int | None
"""Of a request; None where it could not be read."""
MOST_BYTES: Final = 8 << 20
"""Of a line, its newline included."""
PARSE, INVALID_REQUEST, UNKNOWN_METHOD, INVALID_PARAMS, INTERNAL = (
    -32700, -32600, -32601, -32602, -32603,
)  # fmt: skip
BUSINESS: Final = -32000


class RpcError(HaiyomiError):
    """An answer that is an error: ``code`` of JSON-RPC, ``name`` the protocol's ``errorCode``."""

    def __init__(self, code: int, name: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.name = name


def refused(name: str, message: str) -> RpcError:
    """A business error by its ``errorCode``."""
    return RpcError(BUSINESS, name, message)


def wrong(message: str) -> RpcError:
    """Parameters that are not as the protocol has them."""
    return RpcError(INVALID_PARAMS, "INVALID_PARAMS", message)


@dataclass(frozen=True, slots=True)
class Request:
    """A message of the host. A notification has no id and gets no answer."""

    id: Id
    method: str
    params: Json
    notification: bool


class WrongRequest(RpcError):
    """A line that is no request; ``id`` is its id where it has one."""

    def __init__(self, code: int, message: str, id: Id = None) -> None:
        name = "PARSE_ERROR" if code == PARSE else "INVALID_REQUEST"
        super().__init__(code, name, message)
        self.id = id


def read_line(stream: BinaryIO) -> bytes | None:
    """The next line, None at the end. Raises WrongRequest for one that is too long, which is
    skipped."""
    line = stream.readline(MOST_BYTES)
    if len(line) < MOST_BYTES or line.endswith(b"\n"):
        return line or None
    while line and not line.endswith(b"\n"):
        line = stream.readline(MOST_BYTES)
    raise WrongRequest(INVALID_REQUEST, f"a line of more than {MOST_BYTES} bytes")


def parse(line: bytes) -> Request:
    """The request of a line. Raises WrongRequest."""
    try:
        value = decode_json(line.decode("utf-8"), strict=True)
    except UnicodeDecodeError:
        raise WrongRequest(PARSE, "the line is not UTF-8 text") from None
    except (ValueError, HaiyomiError) as error:
        raise WrongRequest(PARSE, f"the line is not JSON: {not_json(error)}") from None
    if not isinstance(value, dict):
        raise WrongRequest(INVALID_REQUEST, "a message is a JSON object")
    given = value.get("id")
    known = _is_id(given)
    request_id = given if known else None
    if "id" in value and not known:
        raise WrongRequest(INVALID_REQUEST, "id is neither a non-empty string nor an integer")
    if value.get("jsonrpc") != "2.0":
        raise WrongRequest(INVALID_REQUEST, 'jsonrpc is not "2.0"', request_id)
    method, params = value.get("method"), value.get("params")
    if not isinstance(method, str):
        raise WrongRequest(INVALID_REQUEST, "method is not a string", request_id)
    if not isinstance(params, dict):
        raise WrongRequest(INVALID_REQUEST, "params is not an object", request_id)
    return Request(request_id, method, params, "id" not in value)


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and value != ""


def result_line(request_id: Id, result: Json) -> bytes:
    """A successful answer. Raises ValueError for a number that is not finite."""
    return _line({"jsonrpc": "2.0", "id": request_id, "result": result})


def error_line(request_id: Id, error: RpcError) -> bytes:
    """An answer that is an error."""
    data = {"errorCode": error.name, "recoverable": True}
    body = {"code": error.code, "message": str(error)[:1000], "data": data}
    return _line({"jsonrpc": "2.0", "id": request_id, "error": body})


def notification_line(method: str, params: Json) -> bytes:
    """A notification."""
    return _line({"jsonrpc": "2.0", "method": method, "params": params})


def _line(message: Json) -> bytes:
    return json.dumps(message, allow_nan=False, separators=(",", ":")).encode() + b"\n"


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
