"""The process: lines in, lines out, until the host shuts it down or leaves."""

from __future__ import annotations

import sys
import traceback
from typing import BinaryIO

from haiyomi.apps.engine.engine import StudioEngine, StudioState
from haiyomi.apps.engine.rpc import (
    INTERNAL,
    Request,
    RpcError,
    WrongRequest,
    error_line,
    notification_line,
    parse,
    read_line,
    refused,
    result_line,
)


def serve(requests: BinaryIO, answers: BinaryIO) -> tuple[int, int]:
    """Answer every request of a stream; the number of requests, and that of lines which are none.
    Notifications of the host ask for nothing that this engine does. What goes wrong inside goes to
    standard error."""

    def write(line: bytes) -> None:
        answers.write(line)
        answers.flush()

    engine = StudioEngine(
        lambda state: write(notification_line("engine.status", {"state": str(state)}))
    )
    number = wrong = 0
    while True:
        try:
            line = read_line(requests)
            if line is None:
                return number, wrong
            if not line.strip():
                continue
            request = parse(line)
        except WrongRequest as error:
            write(error_line(error.id, error))
            wrong += 1
            continue
        if request.notification:
            continue
        number += 1
        write(_answer(engine, request))
        if request.method == "engine.shutdown":
            engine.become(StudioState.stopping)
            return number, wrong


def _answer(engine: StudioEngine, request: Request) -> bytes:
    """The line that answers a request, whatever goes wrong."""
    try:
        result = engine.answer(request.method, request.params)
        try:
            return result_line(request.id, result)
        except ValueError:
            failed = refused("INVALID_MODEL_OUTPUT", "a number of the result is not finite")
            return error_line(request.id, failed)
    except RpcError as error:
        return error_line(request.id, error)
    except BrokenPipeError:  # the host left before it read a notification
        raise
    except Exception:
        # The process goes on: the next request does not depend on this one.
        traceback.print_exc(file=sys.stderr)
        return error_line(request.id, RpcError(INTERNAL, "INTERNAL_ERROR", "an error of haiyomi"))
