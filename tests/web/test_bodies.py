"""The bytes that a server holds of all bodies."""

from __future__ import annotations

import asyncio

import pytest
from starlette.types import Message

from haiyomi.apps.web.bodies import Bodies
from haiyomi.apps.web.limits import Limits
from haiyomi.apps.web.refused import Refused


def test_what_comes_as_its_body_is_given_up_is_not_counted() -> None:
    """It was counted for ever."""

    async def given_up() -> int:
        bodies = Bodies(Limits())

        async def receive() -> Message:
            assert body.give_up()
            body.close()
            return {"type": "http.request", "body": b"x" * 10, "more_body": True}

        body = bodies.receive({"path": "/", "headers": []}, receive)
        with pytest.raises(Refused, match="408"):
            await body.message()
        return bodies.held

    assert asyncio.run(given_up()) == 0
