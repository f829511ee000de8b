"""An mjai program as a subprocess: one line of JSON in, one line of JSON out, within limits.

The program is started without a shell, in a process group of its own, and is killed with its
children. At any time at most one of its lines is held, and the last characters of its standard
error; a program that writes more waits until it is killed.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import IO, Any, Final

from haiyomi.errors import HaiyomiError
from haiyomi.logs.mjai_write import Message
from haiyomi.play.seat_failure import ProgramError

LONGEST: Final = 65_536
"""The most bytes of an answer."""
MOST_SECONDS: Final = 1_000_000
"""More than a game takes; the system's clocks do not take much larger ones."""
_KEPT: Final = 2_000
"""Characters kept of standard error, for the message about a crash."""
_LEAVE: Final = 0.5
"""Seconds that a program has to end by itself when its input is closed."""


@dataclass(frozen=True, slots=True)
class TimeLimits:
    """Seconds for the first answer after a start, and for each other answer.

    Raises HaiyomiError for a limit that is not above 0, or above ``MOST_SECONDS``.
    """

    start: float = 60.0
    answer: float = 5.0

    def __post_init__(self) -> None:
        for name, value in (("start", self.start), ("answer", self.answer)):
            if not 0 < value <= MOST_SECONDS:
                raise HaiyomiError(
                    f"the time limit for a program's {name} is {value}: expected > 0, at most "
                    f"{MOST_SECONDS:,}"
                )


class MjaiProcess:
    """A running program. Raises HaiyomiError where it cannot be started."""

    def __init__(self, command: Sequence[str], limits: TimeLimits) -> None:
        self.command = tuple(command)
        self.limits = limits
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise HaiyomiError(f"cannot start {self.command[0]}: {error}") from None
        self._lines: queue.Queue[bytes] = queue.Queue(maxsize=1)
        self._errors = b""
        self._asked = False
        self._closed = threading.Event()
        out, err = self._process.stdout, self._process.stderr
        threading.Thread(target=self._pump_lines, args=(out,), daemon=True).start()
        self._reads_errors = threading.Thread(target=self._pump_errors, args=(err,), daemon=True)
        self._reads_errors.start()

    def ask(self, message: Message) -> Message:
        """Send a message and wait for its answer. Raises ProgramError."""
        if not self._lines.empty():
            raise self._ended_or("flooding", "it wrote more than one line for a message")
        self._send(message)
        limit = self.limits.answer if self._asked else self.limits.start
        try:
            line = self._lines.get(timeout=limit)
        except queue.Empty:
            after = "" if self._asked else " after its start"
            raise ProgramError(
                "slow", f"no answer within {limit:g} s{after} to {message['type']}"
            ) from None
        self._asked = True
        return self._parsed(line)

    def tell(self, message: Message) -> bool:
        """Send a message whose answer does not matter; whether the program still runs after it."""
        with suppress(ProgramError):
            self.ask(message)
            return self._process.poll() is None
        return False

    def close(self) -> None:
        """End the program: close its input, wait half a second, then kill it and its children."""
        self._closed.set()
        stdin = self._process.stdin
        if stdin is not None:
            with suppress(OSError):
                stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LEAVE)
        self.kill()

    def kill(self) -> None:
        """Kill the program and its children at once."""
        self._closed.set()
        _kill_group(self._process)
        self._process.wait()
        with suppress(queue.Empty):
            self._lines.get_nowait()  # frees the thread that waits to hand over a line

    def _send(self, message: Message) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            stdin.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
            stdin.flush()
        except (OSError, ValueError):
            raise self._crash() from None

    def _parsed(self, line: bytes) -> Message:
        if not line.endswith(b"\n"):
            if len(line) > LONGEST:
                raise ProgramError("flooding", f"its answer is longer than {LONGEST:,} bytes")
            raise self._crash()
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError):
            answer = None
        if not isinstance(answer, dict) or not isinstance(answer.get("type"), str):
            shown = line[:60].decode(errors="replace").strip()
            raise ProgramError("unreadable", f"its answer is not an mjai message: {shown!r}")
        return answer

    def _crash(self) -> ProgramError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_LEAVE)
        status = self._process.poll()
        self._reads_errors.join(_LEAVE)  # its last words may still be in the pipe
        last = self._errors.decode(errors="replace").strip().splitlines()[-1:]
        why = f": {last[0][:200]}" if last else ""
        how = "closed its output" if status is None else f"ended with status {status}"
        return ProgramError("crashed", f"it {how}{why}")

    def _ended_or(self, kind: Any, text: str) -> ProgramError:
        """The failure of a line that answers no message; an empty one ends the output."""
        line = self._lines.get_nowait()
        return self._crash() if not line else ProgramError(kind, text)

    def _pump_lines(self, pipe: IO[bytes]) -> None:
        with pipe, suppress(OSError, ValueError):
            while not self._closed.is_set():
                line = pipe.readline(LONGEST + 1)
                self._lines.put(line)
                if not line:
                    return

    def _pump_errors(self, pipe: IO[bytes]) -> None:
        with pipe, suppress(OSError, ValueError):
            while text := os.read(pipe.fileno(), 4096):
                self._errors = (self._errors + text)[-_KEPT:]


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and those it started, also where it has ended itself."""
    if os.name == "posix":
        # The group has the number of its first process, which is ours until we wait for it.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    elif process.poll() is None:
        subprocess.run(
            ["taskkill", "/F", "/T", "/PID", str(process.pid)], capture_output=True, check=False
        )
