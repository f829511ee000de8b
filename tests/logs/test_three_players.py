"""Records of three players are refused by that name, whatever their format."""

from __future__ import annotations

import json

import pytest
from logs.made_games import made_game

from haiyomi.errors import UnsupportedError
from haiyomi.logs.load import parse, write


@pytest.mark.parametrize(("format", "key"), [("mjai", "names"), ("tenhou6", "name")])
def test_three_names_are_three_players(format: str, key: str) -> None:
    lines = write(made_game(3), format).splitlines()
    first = json.loads(lines[0])
    first[key] = ["a", "b", "c"]
    text = "\n".join([json.dumps(first), *lines[1:]])
    with pytest.raises(UnsupportedError, match="three-player"):
        parse(text.encode(), "made")
