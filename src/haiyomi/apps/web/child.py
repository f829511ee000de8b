"""A process of the server's pools: does one task after the other until the server is gone.

Started as ``python -m haiyomi.apps.web.child BEGIN MEMORY``. A frame is four bytes of length and
a pickle, which only this program writes: what a client sent is an argument in it.
"""

from __future__ import annotations

import os
import pickle
import pkgutil
import signal
import sys
import threading
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import BinaryIO

from haiyomi.engines.threads import hold_to_one_thread


def main(begin: str, memory: int) -> None:
    """Say that this process is ready, then answer until standard input ends."""
    # Ctrl-C is for the server: standard input ends with it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What some library prints must not come between the answers.
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    questions: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(questions,), daemon=True).start()
    hold_to_one_thread()
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
    try:
        task, args = pickle.loads(question)
        return pickle.dumps((True, task(*args)))
    except Exception as error:
        return pickle.dumps((False, error))


def _send(answers: BinaryIO, frame: bytes) -> None:
    answers.write(len(frame).to_bytes(4, "big") + frame)
    answers.flush()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
