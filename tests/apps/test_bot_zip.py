"""The bot as a zip: ``bot.py SEAT`` plays in an environment that has NumPy and no haiyomi."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import zipfile

import numpy as np
import pytest
from apps.in_process import haiyomi

from haiyomi.apps.commands import bot as command
from haiyomi.rules import MAHJONG_SOUL, TENHOU, TENHOU_EAST, Ruleset

HIDDEN = ["?"] * 13
TALK: list[tuple[list[dict[str, object]], str]] = [
    ([{"type": "start_game", "names": ["0", "1", "2", "3"], "id": 0}], "none"),
    # A game that is resumed begins with the end of a hand that the bot has not seen.
    ([{"type": "end_kyoku"}], "none"),
    (
        [
            {
                "type": "start_kyoku", "bakaze": "S", "dora_marker": "1p", "kyoku": 2, "honba": 2,
                "kyotaku": 0, "oya": 1, "scores": [800, 61100, 11300, 26800],
                "tehais": [
                    ["4p", "4s", "P", "3p", "1p", "5s", "2m", "F", "1m", "7s", "9m", "6m", "9s"],
                    HIDDEN, HIDDEN, HIDDEN,
                ],
            },
            {"type": "tsumo", "actor": 1, "pai": "?"},
            {"type": "dahai", "actor": 1, "pai": "F", "tsumogiri": False},
            {"type": "tsumo", "actor": 2, "pai": "?"},
            {"type": "dahai", "actor": 2, "pai": "3m", "tsumogiri": True},
            {"type": "tsumo", "actor": 3, "pai": "?"},
            {"type": "dahai", "actor": 3, "pai": "1m", "tsumogiri": True},
            {"type": "tsumo", "actor": 0, "pai": "3s"},
        ],
        "dahai",
    ),
]  # fmt: skip
"""The messages of the simulator's documentation, and the type of the answer."""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    folder = tmp_path_factory.mktemp("bot")
    made = haiyomi("bot", "--zip", str(folder / "bot.zip"), "--temperature", "0")
    assert made.returncode == 0, made.stderr
    with zipfile.ZipFile(folder / "bot.zip") as archive:
        assert archive.namelist()[0] == "bot.py"
        archive.extractall(folder / "bot")
    return folder / "bot"


def test_bot_py_plays_where_only_numpy_is_installed(
    unpacked: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    for name in ("numpy", "numpy.libs"):
        place = pathlib.Path(np.__file__).parent.with_name(name)
        if place.exists():
            (tmp_path / name).symlink_to(place)
    done = subprocess.run(
        [sys.executable, "-S", "bot.py", "0"],
        cwd=unpacked,
        env={"PYTHONPATH": str(tmp_path)},
        input="".join(json.dumps(messages) + "\n" for messages, _ in TALK),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["type"] for answer in answers] == [kind for _, kind in TALK]
    assert answers[-1]["actor"] == 0
    # One message a line, as Mortal's program reads them, gets the same last answer.
    lines = [json.dumps(message) for messages, _ in TALK for message in messages]
    alone = haiyomi("bot", "--seat", "0", "--temperature", "0", stdin="\n".join(lines))
    assert json.loads(alone.stdout.splitlines()[-1]) == answers[-1]


@pytest.mark.parametrize(
    ("by", "words", "rules"),
    [
        ("policy", (), TENHOU),
        ("policy", ("--rules", "mahjong-soul"), MAHJONG_SOUL),
        ("ev", ("--rules", "mahjong-soul-east"), MAHJONG_SOUL.but(rounds=1)),
        ("policy", ("--east",), TENHOU_EAST),
        ("ev", ("--no-reds", "--no-kuitan"), TENHOU.but(red_fives=False, kuitan=False)),
    ],
)
def test_the_rules_of_the_command_are_the_bot_s(
    by: str,
    words: tuple[str, ...],
    rules: Ruleset,
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    seen = []
    monkeypatch.setattr(command, "_answer", lambda bot: seen.append(bot.rules))
    monkeypatch.chdir(tmp_path)
    given = ("bot", "--by", by, *words)
    assert haiyomi(*given).returncode == 0
    assert seen == [rules]
    assert haiyomi(*given, "--zip", "b.zip").returncode == 0
    with zipfile.ZipFile("b.zip") as archive:
        assert Ruleset(**json.loads(archive.read("settings.json"))["rules"]) == rules


def test_another_python_is_refused_with_a_sentence(
    unpacked: pathlib.Path, tmp_path: pathlib.Path
) -> None:
    settings = json.loads((unpacked / "settings.json").read_text(encoding="utf-8"))
    (tmp_path / "bot.py").write_bytes((unpacked / "bot.py").read_bytes())
    changed = json.dumps(settings | {"python": [3, 2]})
    (tmp_path / "settings.json").write_text(changed, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "bot.py", "0"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == "this bot runs on Python 3.2, and the zip has no runtime\n"
    # With a Python of its own it goes on there.
    (tmp_path / "runtime" / "bin").mkdir(parents=True)
    own = tmp_path / "runtime" / "bin" / "python3"
    own.write_text("#!/bin/sh\necho own $1 $3\n", encoding="utf-8")
    own.chmod(0o755)
    done = subprocess.run(
        [sys.executable, "bot.py", "2"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == "own -u 2\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--runtime", "x"), "--runtime is for --zip"),
        (("--zip", "x.zip", "--runtime", "x"), "has no bin/python3"),
        (("--zip", "x.zip", "--seat", "1"), "not with --zip"),
        (("--zip", "x.zip", "--style", "nobody"), "nobody"),
        (
            ("--rules", "majsoul"),
            "rules 'majsoul' is unknown: expected tenhou, tenhou-east, mahjong",
        ),
    ],
)
def test_a_wrong_call_is_one_sentence(
    arguments: tuple[str, ...],
    message: str,
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    done = haiyomi("bot", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert not list(tmp_path.iterdir())
