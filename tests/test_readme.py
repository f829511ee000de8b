"""README's word: its commands exist, its examples run, its excerpt is what the demo prints."""

from __future__ import annotations

import doctest
import pathlib
import re
import subprocess
import sys

import pytest

from haiyomi.apps.cli import COMMANDS

ROOT = pathlib.Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")

_DEMO = "import sys; sys.argv = ['haiyomi', 'demo']; from haiyomi.apps.cli import main; main()"


def _between(mark: str) -> str:
    found = re.search(rf"<!-- {mark} -->\n(.*?)<!-- /{mark.split()[0]} -->", README, re.DOTALL)
    assert found, f"README has no place for {mark}"
    return found[1]


def test_the_two_commands_stand_on_the_first_screen() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / ".ci" / "readme_lines.py", ROOT / "README.md"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.splitlines() == [
        "pip install . && haiyomi demo",
        "pip install -e '.[dev]' && pytest",
    ]


def test_ci_runs_what_readme_says() -> None:
    """The lines are read from README; none is written down a second time."""
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert "readme_lines.py README.md" in script
    assert 'within user "${promised[0]}"' in script
    assert 'within developer "${promised[1]}"' in script


def test_every_command_named_exists_and_every_command_is_named() -> None:
    named = {m.split()[0] for m in re.findall(r"^\| `haiyomi ([a-z]+)", README, re.MULTILINE)}
    assert named == set(COMMANDS)


def test_the_examples_run() -> None:
    examples = [b for b in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if ">>>" in b]
    assert examples
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    scope: dict[str, object] = {}
    for number, block in enumerate(examples):
        test = doctest.DocTestParser().get_doctest(block, scope, f"README {number}", None, None)
        # One scope for all: a later example goes on from an earlier one.
        runner.run(test, clear_globs=False)
        scope = test.globs
    assert runner.summarize(verbose=False).failed == 0


def test_links_lead_somewhere() -> None:
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")):
        text = page.read_text(encoding="utf-8")
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", text):
            generated = (page.parent / link).name in ("cli.md", "changelog.md")
            assert generated or (page.parent / link).exists(), f"{page.name} links to {link}"


def test_the_excerpt_is_what_the_demo_prints() -> None:
    excerpt = re.search(r"```text\n(.*?)```", _between("demo"), re.DOTALL)
    if excerpt is None:
        pytest.skip("README has no excerpt of the demo yet")
    done = subprocess.run(
        [sys.executable, "-c", _DEMO],
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    shown = [line.rstrip() for line in done.stdout.splitlines()]
    # Parts left out are marked by a line of three dots.
    place = 0
    for part in excerpt[1].rstrip().split("\n...\n"):
        lines = part.splitlines()
        starts = [
            i
            for i in range(place, len(shown) - len(lines) + 1)
            if shown[i : i + len(lines)] == lines
        ]
        assert starts, "README shows what the demo does not print:\n" + part
        place = starts[0] + len(lines)
