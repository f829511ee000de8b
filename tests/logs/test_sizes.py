"""Reading an input of n bytes takes at most 40 n bytes of memory and time in proportion to n."""

from __future__ import annotations

import random

import pytest
from fuzz.sizes import SHAPES, Cost, cost, made, parse, random_shape, warm

from haiyomi.errors import SizeError
from haiyomi.logs.fields import decode_json
from haiyomi.logs.limits import (
    MOST_ATTRIBUTES,
    MOST_CONTAINERS,
    MOST_DEPTH,
    MOST_ITEMS,
    MOST_LINE,
    MOST_TAG,
    MOST_VALUE,
)

SIZE = 1 << 19


@pytest.fixture(scope="module", autouse=True)
def warmed() -> None:
    warm()


def held(found: Cost) -> None:
    assert not found.outcome.startswith("wrong"), found
    assert found.ratio < 40, found
    assert found.seconds < 3, found  # a linear reader takes half a second; a quadratic one minutes


@pytest.mark.parametrize("name", SHAPES)
def test_memory_and_time_are_bounded_by_the_size(name: str) -> None:
    held(cost(made(SHAPES[name], SIZE), parse))


def test_random_parts_again_and_again() -> None:
    rng = random.Random(5)
    for _ in range(20):
        held(cost(made(random_shape(rng), SIZE), parse))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"<UN " + b'a="b" ' * MOST_TAG + b"/>", f"a tag of more than {MOST_TAG} characters"),
        (
            b"<UN " + b" ".join(b'a%d=""' % i for i in range(MOST_ATTRIBUTES + 1)) + b"/>",
            f"a tag of more than {MOST_ATTRIBUTES} attributes",
        ),
        (b'<UN n0="' + b"a" * (MOST_VALUE + 1) + b'"/>', f"more than {MOST_VALUE} characters"),
        (b'{"log":' + b"[" * MOST_LINE, f"nested more than {MOST_DEPTH} deep"),
        (b'{"log":[' + b"[]\n" * MOST_CONTAINERS + b"]}", f"more than {MOST_CONTAINERS} arrays"),
        (b'{"log":[' + b"[" * 32 + b"1," * (MOST_ITEMS + 1), f"more than {MOST_ITEMS} entries"),
        (b'{"type":"none","x":"' + b"a" * MOST_LINE + b'"}', f"more than {MOST_LINE} characters"),
    ],
)
def test_each_cap_is_named(data: bytes, message: str) -> None:
    with pytest.raises(SizeError, match=message):
        parse(data)


def test_brackets_in_texts_are_no_arrays() -> None:
    text = (
        '{"title": "' + "[" * 50 + '\\"' + "[" * 50 + '\\\\", "log": [' + "[]," * MOST_LINE + "[]]}"
    )
    assert len(decode_json(text)["log"]) == MOST_LINE + 1
