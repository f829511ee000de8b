"""Processes that each do one task at a time; a task that is given up ends its process.

A thread cannot be stopped and a process of a ProcessPoolExecutor cannot be distinguished from its
neighbours, so work that was given up would go on. Here a task that takes too long, or whose
client has gone, takes its process with it, and another process takes its place.
"""

from __future__ import annotations

import asyncio
import sys
from asyncio import subprocess
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass

from haiyomi.apps.web.frames import FAULT, error_of, pack, unpack, with_length
from haiyomi.apps.web.refused import Refused

STARTING = 60.0


@dataclass(frozen=True, slots=True)
class Work:
    """What a pool may use: ``processes`` (0: threads of the server, for tests), each with at most
    ``memory`` bytes more than it begins with; ``seconds`` a task; ``waiting`` tasks in line.
    ``begin`` (``module:function``) is called by each process first.
    """

    begin: str
    processes: int
    memory: int
    seconds: float
    waiting: int


class Died(Exception):
    """The process of a task ended before it answered."""


class Fault(Exception):
    """The task raised what is no HaiyomiError."""


class Pool:
    """Runs functions in processes of its own. To be made and used within one event loop."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._free = asyncio.Semaphore(max(1, work.processes))
        self._long = asyncio.Semaphore(max(1, work.processes - 1))
        self._in_line = 0
        self._children = [_Child(work) for _ in range(work.processes)]
        self._idle = list(self._children)

    def start(self) -> None:
        """Start the processes before the first task comes."""
        for child in self._children:
            child.start()

    async def close(self) -> None:
        """End the processes, whatever they do."""
        for child in self._children:
            await child.end()

    async def run(self, task: Callable[..., bytes], *args: object, long: bool = False) -> bytes:
        """What ``task(*args)`` returns; its process ends where this is cancelled.

        ``args`` are JSON values and bytes. Tasks wait in line for a process, first come, first
        served; those that take ``long`` leave one process to the others. Raises the task's
        HaiyomiError, or Fault for another error; TimeoutError, MemoryError or Died where it went
        past its limits; Refused (503) where too many wait.
        """
        if self._in_line >= self._work.waiting:
            raise Refused(503, "too_busy", f"{self._work.waiting} requests wait: try again")
        async with AsyncExitStack() as held:
            self._in_line += 1
            try:
                for room in (self._long, self._free) if long else (self._free,):
                    await held.enter_async_context(room)
            finally:
                self._in_line -= 1
            if not self._children:
                return await asyncio.wait_for(asyncio.to_thread(task, *args), self._work.seconds)
            return await self._in_a_process((f"{task.__module__}:{task.__qualname__}", *args))

    async def _in_a_process(self, question: tuple[object, ...]) -> bytes:
        child = self._idle.pop()
        sound = False
        try:
            error, answer = unpack(await child.ask(with_length(pack(question))))
            sound = error != "MemoryError"
        finally:
            if sound:
                self._idle.append(child)
            else:
                child.replace()
                self._idle.insert(0, child)  # the next task goes to one that is ready
        assert isinstance(answer, bytes)
        if not error:
            return answer
        if error == FAULT:
            raise Fault(answer.decode())
        raise MemoryError if error == "MemoryError" else error_of(str(error), answer)


class _Child:
    """One process of a pool, started again after it was ended."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._starting: asyncio.Task[subprocess.Process] | None = None
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def pid(self) -> int | None:
        started = self._starting
        if started is None or not started.done() or started.cancelled() or started.exception():
            return None
        return started.result().pid

    def start(self) -> None:
        self._starting = asyncio.create_task(self._start())

    async def _start(self) -> subprocess.Process:
        try:
            process = await asyncio.create_subprocess_exec(
                # -P: among the records of the current folder may lie a json.py.
                *(sys.executable, "-P", "-m", "haiyomi.apps.web.child"),
                *(self._work.begin, str(self._work.memory)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                start_new_session=True,  # a terminal's Ctrl-C is for the server, which ends it
            )
        except OSError as error:
            raise Died(f"no process can be started: {error}") from None
        try:
            await asyncio.wait_for(_frame(process), STARTING)
        except BaseException:
            await _kill(process)
            raise
        return process

    async def ask(self, question: bytes) -> bytes:
        """The process's answer. Raises TimeoutError and Died."""
        if self._starting is None:
            self.start()
        assert self._starting is not None
        process = await asyncio.shield(self._starting)
        assert process.stdin is not None
        with suppress(TimeoutError):
            async with asyncio.timeout(self._work.seconds):
                try:
                    process.stdin.write(question)
                    await process.stdin.drain()
                except ConnectionError:
                    raise Died from None
                return await _frame(process)
        # asyncio's own error and its task hold each other, and the question with them.
        raise TimeoutError

    def replace(self) -> None:
        """Kill the process and start another."""
        # Its end is not waited for: whoever gave the task up is answered at once.
        ending = asyncio.create_task(_end(self._starting))
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)
        self.start()

    async def end(self) -> None:
        await asyncio.gather(_end(self._starting), *self._ending)


async def _end(starting: asyncio.Task[subprocess.Process] | None) -> None:
    if starting is not None:
        starting.cancel()  # nothing happens where it is done
        with suppress(asyncio.CancelledError, Exception):
            await _kill(await starting)


async def _frame(process: subprocess.Process) -> bytes:
    assert process.stdout is not None
    try:
        size = int.from_bytes(await process.stdout.readexactly(4), "big")
        return await process.stdout.readexactly(size)
    except (asyncio.IncompleteReadError, ConnectionError):
        raise Died from None


async def _kill(process: subprocess.Process) -> None:
    if process.returncode is None:
        with suppress(ProcessLookupError):
            process.kill()
    await process.wait()
