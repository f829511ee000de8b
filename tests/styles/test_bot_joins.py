"""A bot that joins a game: what it saw so far, the decision that waits for it, and the command."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from made_bots import bot_policy, make_bot, seen_lines

from haiyomi.apps.style_history import player_history, shown_so_far
from haiyomi.kernels.network import STYLE
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.styles.policy import Policy


@pytest.fixture(scope="module")
def policy() -> Policy:
    return bot_policy()


def test_what_a_watched_seat_chose_becomes_a_style(policy: Policy) -> None:
    watching = make_bot(policy, None)
    watching.watching = True
    for line in seen_lines(1):
        assert json.loads(watching.react(line)) == {"type": "none"}
    assert len(watching.watched) > 60
    vector, known = shown_so_far(policy, watching.watched)
    assert known > 50
    assert vector.shape == (STYLE,)
    assert np.abs(vector).max() > 0.01
    result = player_history(policy, [simulate_rule_players(5, 0)], "haiyomi-2")
    assert result.style is not None
    assert result.games == 1
    # Its own answers differ from what the record's player chose; the records are the same.
    assert abs(result.decisions - known) <= 3


def test_the_message_at_which_it_takes_over_is_answered_when_it_is_sent_again(
    policy: Policy,
) -> None:
    """A named case: the decision at which the game so far ends never got an answer."""
    lines = seen_lines(1)
    sent = [json.loads(line) for line in lines]
    own = [i for i, m in enumerate(sent) if m["type"] == "tsumo" and m["actor"] == 1]
    for at in (own[3], own[8], own[8] - 1):
        whole, late = make_bot(policy, None), make_bot(policy, None)
        answers = [whole.react(line) for line in lines[: at + 1]]
        late.watching = True
        for line in lines[: at + 1]:
            assert json.loads(late.react(line)) == {"type": "none"}
        assert json.loads(late.react(lines[at]))["type"] == "error"
        late.watching = False
        assert late.react(lines[at]) == answers[at]
        assert json.loads(late.react(lines[at]))["type"] == "error"
        assert late.position == whole.position
        assert late.react(lines[at + 1]) == whole.react(lines[at + 1])
    # What came after the decision is not the decision.
    late = make_bot(policy, None)
    late.watching = True
    for line in (*lines[: own[3] + 1], '{"type":"none"}'):
        late.react(line)
    late.watching = False
    assert json.loads(late.react('{"type":"none"}')) == {"type": "none"}
    # A list of messages is answered as its last one.
    listed = make_bot(policy, None)
    listed.watching = True
    listed.react(sent[: own[3] + 1])
    listed.watching = False
    expected = make_bot(policy, None).react(sent[: own[3] + 1])
    assert listed.react(sent[: own[3] + 1]) == expected
    assert expected["type"] != "none"


def test_a_bot_takes_over_between_a_riichi_and_its_discard(policy: Policy, tmp_path: Path) -> None:
    model, early = tmp_path / "policy.safetensors", tmp_path / "riichi.mjai"
    policy.save(model)
    sample = Path(__file__).parents[1] / "samples/haiyomi-7-00003.mjson"
    lines = sample.read_text(encoding="utf-8").splitlines()
    last = next(i for i, line in enumerate(lines) if '"type":"reach","actor":2' in line)
    early.write_text("\n".join(lines[: last + 1]) + "\n", encoding="utf-8")
    options = ["--model", model, "--so-far", early, "--seat", "2"]
    done = subprocess.run(
        [sys.executable, "-m", "haiyomi", "bot", *options],
        input=lines[last] + "\n", capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["type"] == "dahai"


def test_the_command(policy: Policy, tmp_path: Path) -> None:
    model = tmp_path / "policy.safetensors"
    policy.save(model)
    lines = seen_lines(3)

    def run(*options: str, text: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "haiyomi", "bot", "--model", str(model), *options],
            input=text, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip

    bad = ["{", '{"type":"hello","room":NaN}', "[" * 5_000, "x" * 1_000_000]
    done = run("--style", "bold", text="\n".join([*lines[:80], "", *bad]) + "\n")
    assert done.returncode == 0, done.stderr
    answers = [json.loads(x) for x in done.stdout.splitlines()]
    assert len(answers) == 84
    assert [each["type"] for each in answers[-4:]] == ["error"] * 4
    assert "more than 100000 characters" in answers[-1]["message"]
    assert "0 fallbacks, 4 messages not understood" in done.stderr
    own = max(i for i in range(60) if '"tsumo", "actor": 3' in lines[i])
    early = tmp_path / "own-draw.mjai"
    early.write_text("\n".join(lines[: own + 1]) + "\n", encoding="utf-8")
    again = run("--so-far", str(early), "--temperature", "0", text=lines[own] + "\n")
    assert json.loads(again.stdout)["type"] in ("dahai", "reach", "ankan", "hora")
    early = tmp_path / "so-far.mjai"
    early.write_text("\n".join(lines[:60]) + "\n", encoding="utf-8")
    late = run("--so-far", str(early), text="\n".join(lines[60:80]) + "\n")
    assert late.returncode == 0, late.stderr
    first, second, _ = late.stderr.splitlines()
    assert first.startswith(f"haiyomi: adapting the style to the choices in {early}")
    assert second.endswith("decisions of this game so far")
    for options, result in (
        (("--style", "odd"), "no style 'odd'"),
        (("--player", "x"), "--history and --player need each other"),
        (
            ("--history", str(tmp_path / "none"), "--player", "x"),
            "no record of --history could be read: " + str(tmp_path / "none"),
        ),
        (("--so-far", str(tmp_path / "none")), "none"),
    ):
        wrong = run(*options, text="")
        assert wrong.returncode == 2
        assert result in wrong.stderr
        assert "Traceback" not in wrong.stderr
