"""What README and the tutorial show: commands exist, examples run, excerpts are what is printed."""

from __future__ import annotations

import doctest
import importlib
import json
import pathlib
import re
import shlex
import subprocess
import sys

import pytest
from apps.in_process import haiyomi

from haiyomi.apps.cli import COMMANDS

ROOT = pathlib.Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")

_DEMO = "import sys; sys.argv = ['haiyomi', 'demo']; from haiyomi.apps.cli import main; main()"


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


def test_readme_fits_on_a_few_screens() -> None:
    assert len(README.splitlines()) <= 150


def test_every_command_named_exists() -> None:
    pages = (ROOT / "README.md", *ROOT.glob("docs/tutorial/*.md"), *ROOT.glob("docs/how-to/*.md"))
    for page in pages:
        text = page.read_text(encoding="utf-8")
        code = "\n".join(re.findall(r"```(?:bash)?\n.*?```|`[^`\n]+`", text, re.DOTALL))
        named = set(re.findall(r"(?:^|`|&& |-m )haiyomi ([a-z]+)\b", code, re.MULTILINE))
        assert named <= set(COMMANDS), page.name


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "docs/tutorial/from-python.md",
        "docs/reference/api.md",
        "docs/reference/events.md",
        "docs/explanation/outcomes.md",
    ],
)
def test_the_examples_run(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    text = (ROOT / page).read_text(encoding="utf-8")
    examples = [b for b in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if ">>>" in b]
    assert examples
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    scope: dict[str, object] = {}
    for number, block in enumerate(examples):
        test = doctest.DocTestParser().get_doctest(block, scope, f"{page} {number}", None, None)
        # One scope for all: a later example goes on from an earlier one.
        runner.run(test, clear_globs=False)
        scope = test.globs
    assert runner.summarize(verbose=False).failed == 0


GENERATED = ("changelog.md", "reference/benchmark.md", "reference/cli.md",
             "reference/decisions.md", "reference/features.md", "reference/models.md")  # fmt: skip
"""Pages of the site that are made when it is built (``docs/generated_pages.py``)."""


def test_links_lead_somewhere() -> None:
    generated = {(ROOT / "docs" / place).resolve() for place in GENERATED}
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")):
        text = page.read_text(encoding="utf-8")
        for link in re.findall(r"\]\((?!https?:)([^)#]+)", text):
            place = (page.parent / link).resolve()
            assert place in generated or place.exists(), f"{page.name} links to {link}"


def test_the_excerpt_is_what_the_demo_prints() -> None:
    tutorial = (ROOT / "docs" / "tutorial" / "first-review.md").read_text(encoding="utf-8")
    excerpt = re.search(r"<!-- demo -->\n```text\n(.*?)```\n<!-- /demo -->", tutorial, re.DOTALL)
    assert excerpt
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
        assert starts, "the tutorial shows what the demo does not print:\n" + part
        place = starts[0] + len(lines)


def test_the_sample_of_statistics_is_what_the_commands_print(tmp_path: pathlib.Path) -> None:
    page = (ROOT / "docs" / "how-to" / "statistics.md").read_text(encoding="utf-8")
    sample = re.search(r"```bash\n(haiyomi play .*?)```\n\n```text\n(.*?)```", page, re.DOTALL)
    assert sample
    for line in sample[1].splitlines():
        _, *arguments = shlex.split(line)
        done = haiyomi(*[str(tmp_path / a) if a == "six-games" else a for a in arguments])
        assert done.returncode == 0, done.stderr
    assert [line.rstrip() for line in done.stdout.splitlines()] == sample[2].splitlines()


def test_the_figures_are_those_of_the_stored_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    fill = importlib.import_module("fill_readme")
    results = fill.all_stored()
    assert fill.figures(results) in README
    assert fill.play_figures(results["speeds"]) in README
    page = (ROOT / "docs" / "explanation" / "hidden-hands.md").read_text(encoding="utf-8")
    assert fill.reading_figures(results["reading"]) in page
    guide = (ROOT / "docs" / "how-to" / "review.md").read_text(encoding="utf-8")
    scores = (ROOT / "src" / "haiyomi" / "review" / "houou.json").read_text(encoding="utf-8")
    assert fill.reliability_text(json.loads(scores)) in guide
