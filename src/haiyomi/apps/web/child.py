"""A process of the server's pools: does one task after the other until the server is gone.

Started as ``python -P -m haiyomi.apps.web.child BEGIN MEMORY``. A question is a frame of a
function's name and its arguments, the answer one of an error's name and what was returned or
raised.
"""

from __future__ import annotations

import os
import pkgutil
import signal
import sys
import threading
import traceback
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import BinaryIO

from haiyomi.apps.web.frames import FAULT, pack, unpack, with_length
from haiyomi.engines.garbage import collect_seldom
from haiyomi.engines.threads import hold_to_one_thread
from haiyomi.errors import HaiyomiError


def main(begin: str, memory: int) -> None:
    """Say that this process is ready, then answer until standard input ends."""
    # Ctrl-C, which Windows sends here too, is for the server: standard input ends with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What some library prints must not come between the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    questions: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(questions,), daemon=True).start()
    hold_to_one_thread()
    collect_seldom()
    pkgutil.resolve_name(begin)()
    limit_memory(memory)
    _send(answers, b"")
    while True:
        _send(answers, _answer(questions.get()))


def limit_memory(more: int) -> None:
    """Hold this process to so many bytes of address space more than it has now.

    Linux keeps the limit. macOS knows it and does not keep it; Windows has none.
    """
    try:
        import resource
    except ImportError:
        return
    has = 0
    with suppress(OSError):
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[0]
        has = int(pages) * resource.getpagesize()
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    if most == resource.RLIM_INFINITY or has + more < most:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, (has + more, most))


def _listen(questions: SimpleQueue[bytes]) -> None:
    while header := sys.stdin.buffer.read(4):
        questions.put(sys.stdin.buffer.read(int.from_bytes(header, "big")))
    # The server is gone: nobody is left to take an answer.
    os._exit(0)


def _answer(question: bytes) -> bytes:
    task, *args = unpack(question)
    try:
        answer: bytes = pkgutil.resolve_name(str(task))(*args)
        return pack(("", answer))
    except (HaiyomiError, MemoryError) as error:
        return pack((type(error).__name__, str(error).encode("utf-8", "replace")))
    except Exception as error:  # a fault of haiyomi's: the next question is answered nevertheless
        traceback.print_exc()
        return pack((FAULT, type(error).__name__.encode()))


def _send(answers: BinaryIO, packed: bytes) -> None:
    answers.write(with_length(packed))
    answers.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
