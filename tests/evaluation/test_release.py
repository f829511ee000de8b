"""The figures of a release: measured part by part, kept in a line, never taken twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from training.made_corpus import made_corpus
from typer.testing import CliRunner

from haiyomi.apps.cli import build_app
from haiyomi.training.packed_corpus import pack_corpora


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("release")
    made_corpus(folder / "corpus", range(1), range(1, 2), range(2, 5))
    pack_corpora([folder / "corpus"], folder / "packed", 1)
    return folder


def command(corpus: Path, work: Path, out: Path) -> list[str]:
    records = next(str(corpus / "corpus" / n) for n in ("test.zip", "test")
                   if (corpus / "corpus" / n).exists())  # fmt: skip
    return [
        "evaluate", "release", records, "--packed", str(corpus / "packed"), "--work", str(work),
        "-o", str(out),
        "--what", "three made games", "--commit", "abc", "--share", "0.05", "--jobs", "1",
    ]  # fmt: skip


def test_a_release_is_measured_once_and_a_killed_run_continues(
    corpus: Path, tmp_path: Path
) -> None:
    work, out = tmp_path / "work", tmp_path / "release.jsonl"
    first = CliRunner().invoke(build_app("evaluate"), command(corpus, work, out))
    assert first.exit_code == 0, first.output
    line = json.loads(out.read_text())
    assert line["commit"] == "abc"
    assert set(line["models"]) == {
        "policy.safetensors", "opponents.safetensors", "options.safetensors",
    }  # fmt: skip
    found = line["results"]
    assert found["deal-in"]["games"] == found["policy"]["games"] == found["wins"]["games"] == 3
    for name, results in found.items():
        assert json.loads((work / f"{name}.json").read_text()) == results

    before = out.read_bytes()
    twice = CliRunner().invoke(build_app("evaluate"), command(corpus, work, out))
    assert twice.exit_code != 0
    assert out.read_bytes() == before, "the same models on the same games are not added again"

    (work / "wins.json").unlink()
    out.unlink()
    again = CliRunner().invoke(build_app("evaluate"), command(corpus, work, out))
    assert again.exit_code == 0, again.output
    assert json.loads(out.read_text())["results"] == found


def test_a_file_of_something_else_is_left_alone(corpus: Path, tmp_path: Path) -> None:
    work, out = tmp_path / "work", tmp_path / "other.txt"
    out.write_text("shopping list\n")
    found = CliRunner().invoke(build_app("evaluate"), command(corpus, work, out))
    assert found.exit_code != 0
    assert "line 1 is not a line of release figures" in str(found.exception or found.output)
    assert out.read_text() == "shopping list\n"
    assert not work.exists(), "the file is looked at before any work"
