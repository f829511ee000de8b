"""Questions that wait are answered as a batch, each as if it were the only one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from haiyomi.apps.web.answers import risks
from haiyomi.apps.web.frames import pack_replies, unpack_replies
from haiyomi.apps.web.pool import Died
from haiyomi.apps.web.refused import Refused
from haiyomi.apps.web.schemas import EXAMPLE
from haiyomi.apps.web.together import Together
from haiyomi.dealin.models import DEFAULT
from haiyomi.errors import ModelError, PositionError


class _Pool:
    """Notes the batches; ``gate`` holds each back; a batch with ``poison`` ends the process."""

    def __init__(self) -> None:
        self.batches: list[list[Any]] = []
        self.cancelled = 0
        self.gate = asyncio.Event()
        self.poison: object = None

    async def run(self, task: Callable[..., bytes], questions: list[Any]) -> bytes:
        self.batches.append(questions)
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        if self.poison in questions:
            raise Died
        return task(questions)


def _echo(questions: list[Any]) -> bytes:
    return pack_replies([
        PositionError(f"no {q}") if q < 0 else str(q).encode() for q in questions
    ])  # fmt: skip


async def _asked(together: Together, questions: list[int]) -> list[asyncio.Task[bytes]]:
    tasks = [asyncio.create_task(together.ask(q)) for q in questions]
    await _settled()
    return tasks


async def _settled() -> None:
    """Until everything that can go on has gone on."""
    for _ in range(10):
        await asyncio.sleep(0)


def _run(scenario: Callable[[_Pool, Together], Any], waiting: int = 64) -> Any:
    async def main() -> Any:
        pool = _Pool()
        return await scenario(pool, Together(pool, _echo, 2, 4, waiting))  # type: ignore[arg-type]

    return asyncio.run(asyncio.wait_for(main(), 20))


def test_what_waits_is_one_batch_for_each_process() -> None:
    async def scenario(pool: _Pool, together: Together) -> None:
        first = await _asked(together, [1])
        assert pool.batches == [[1]]  # nothing waits for others to come
        more = await _asked(together, [2, 3, 4, -5, 6, 7])
        pool.gate.set()
        found = await asyncio.gather(*first, *more, return_exceptions=True)
        assert [str(f) if isinstance(f, PositionError) else f for f in found] == [
            b"1", b"2", b"3", b"4", "no -5", b"6", b"7",
        ]  # fmt: skip
        assert sorted(map(len, pool.batches))[-1] <= 4
        assert len(pool.batches) < 7

    _run(scenario)


def test_a_question_that_ends_its_process_costs_only_itself() -> None:
    async def scenario(pool: _Pool, together: Together) -> None:
        pool.poison = 3
        held = await _asked(together, [0, 1])
        tasks = await _asked(together, [2, 3, 4, 5])
        pool.gate.set()
        found = await asyncio.gather(*held, *tasks, return_exceptions=True)
        assert [f if isinstance(f, bytes) else type(f) for f in found] == [
            b"0", b"1", b"2", Died, b"4", b"5",
        ]  # fmt: skip

    _run(scenario)


def test_work_ends_when_nobody_waits_for_it_any_more() -> None:
    async def scenario(pool: _Pool, together: Together) -> None:
        held = await _asked(together, [0, 1])
        tasks = await _asked(together, [2, 3])
        held[0].cancel()
        tasks[1].cancel()
        await _settled()
        assert pool.cancelled == 1
        pool.gate.set()
        assert await asyncio.gather(held[1], tasks[0]) == [b"1", b"2"]
        assert not any(3 in batch for batch in pool.batches)  # left before it was asked

    _run(scenario)


def test_too_many_in_line_are_refused() -> None:
    async def scenario(pool: _Pool, together: Together) -> None:
        tasks = [*await _asked(together, [0, 1]), *await _asked(together, [2, 3])]
        with pytest.raises(Refused, match="2 requests wait"):
            await together.ask(4)
        pool.gate.set()
        assert await asyncio.gather(*tasks) == [b"0", b"1", b"2", b"3"]

    _run(scenario, waiting=2)


def test_who_has_left_is_not_in_line() -> None:
    async def scenario(pool: _Pool, together: Together) -> None:
        tasks = [*await _asked(together, [0, 1]), *await _asked(together, [2, 3])]
        for task in tasks[2:]:
            task.cancel()
        await _settled()
        more = await _asked(together, [4, 5])
        pool.gate.set()
        assert await asyncio.gather(*tasks[:2], *more) == [b"0", b"1", b"4", b"5"]

    _run(scenario, waiting=2)


def test_a_batch_has_the_bytes_of_single_questions_and_the_errors_of_each() -> None:
    position = EXAMPLE["position"]
    plain = [position, ["", "", "", ""], DEFAULT, False]
    named = [position, ["a", "b", "c", "d"], DEFAULT, True]
    paper = [position, ["", "", "", ""], "kurita-hoki", False]
    wrong = [{"seat": "E"}, ["", "", "", ""], DEFAULT, False]
    unknown = [position, ["", "", "", ""], "nobody", False]
    questions: list[Any] = [plain, wrong, named, unknown, paper]
    together = unpack_replies(risks(questions))
    single = [unpack_replies(risks([question]))[0] for question in questions]
    for one, other in zip(together, single, strict=True):
        if isinstance(one, bytes):
            assert one == other
        else:
            assert (type(one), str(one)) == (type(other), str(other))
    assert [type(reply) for reply in together] == [bytes, PositionError, bytes, ModelError, bytes]
