"""The same thing has the same name in every command (docs/reference/conventions.md)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from apps.in_process import haiyomi

from haiyomi.apps.cli import build_app

ARGUMENTS = {
    "record", "records", "corpus", "corpora", "packed", "dataset", "folder", "rows",
    "hand", "position", "benchmark", "results", "branches",
}  # fmt: skip
"""What a command reads. Everything else has a name."""
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "conventions.md"


def _commands(group: Any, prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, command in group.commands.items():
        title = f"{prefix}{name}"
        if hasattr(command, "commands"):
            yield from _commands(command, f"{title} ")
        else:
            yield title, command


ALL = dict(_commands(typer.main.get_command(build_app(None))))


def _kind(parameter: Any) -> str:
    """flag, number or text."""
    if getattr(parameter, "is_flag", False):
        return "flag"
    name = type(parameter.type).__name__
    return "number" if re.match("Int|Float", name) else "text"


def _options(command: Any) -> Iterator[tuple[str, Any]]:
    for parameter in command.params:
        if parameter.param_type_name == "option":
            for name in parameter.opts:
                yield name, parameter


def test_an_option_takes_the_same_kind_of_value_everywhere() -> None:
    kinds: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for title, command in ALL.items():
        for name, option in _options(command):
            kinds[name][_kind(option)].append(title)
    mixed = {name: dict(found) for name, found in kinds.items() if len(found) > 1}
    assert not mixed


def test_json_is_a_flag() -> None:
    for title, command in ALL.items():
        for name, option in _options(command):
            if name == "--json":
                assert option.is_flag, title


def test_the_page_on_json_names_each_command_that_cites_it() -> None:
    page = (PAGE.parent / "review-json.md").read_text(encoding="utf-8")
    for title, command in ALL.items():
        if any("JSON of the commands" in (p.help or "") for _, p in _options(command)):
            assert f"`haiyomi {title}" in page, title


def test_what_is_written_is_called_out() -> None:
    for title, command in ALL.items():
        names = dict(_options(command))
        assert ("--out" in names) == ("-o" in names), title
        assert not {"--output", "--outfile", "--to-file"} & set(names), title


@pytest.mark.parametrize("title", ALL)
def test_an_argument_without_a_name_is_what_is_read(title: str) -> None:
    given = [p.name for p in ALL[title].params if p.param_type_name == "argument"]
    assert set(given) <= ARGUMENTS
    assert len(given) <= 1
    assert not [p.metavar for p in ALL[title].params if p.param_type_name == "argument"
                and p.metavar]  # fmt: skip


def test_the_page_names_options_that_exist() -> None:
    listed = set(re.findall(r"`(--[a-z-]+)", PAGE.read_text(encoding="utf-8")))
    assert listed <= {name for command in ALL.values() for name, _ in _options(command)}


FLOATS = [
    (title, name)
    for title, command in ALL.items()
    for name, option in _options(command)
    if "Float" in type(option.type).__name__
]


@pytest.mark.parametrize(("title", "option"), FLOATS)
def test_no_command_takes_a_number_that_is_not_finite(
    title: str, option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    needed = [p for p in ALL[title].params if p.required]
    given = [w for p in needed for w in ([p.opts[0]] if p.opts[0].startswith("-") else []) + ["no"]]
    for number in ("nan", "inf", "-inf"):
        done = haiyomi(*title.split(), *given, option, number)
        assert done.returncode == 2
        assert f"{option} {number}" in done.stderr or f"for '{option}'" in done.stderr
        assert not list(tmp_path.iterdir())
