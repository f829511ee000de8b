"""The help texts: panels of commands, and references that hold without the repository."""

from __future__ import annotations

import re
from collections.abc import Iterator

import click
import pytest
import typer

from haiyomi.apps.cli import PANELS, build_app
from haiyomi.apps.commands.verify import Checked, Summary
from haiyomi.apps.options import ModelOption
from haiyomi.dealin.models import MODELS
from haiyomi.dealin.variant import OPTIONS
from haiyomi.outcomes import payoff


def _texts(command: click.Command, name: str) -> Iterator[tuple[str, str]]:
    yield name, command.help or ""
    for parameter in command.params:
        yield name, getattr(parameter, "help", None) or ""
    for inner, member in getattr(command, "commands", {}).items():
        yield from _texts(member, f"{name} {inner}")


def test_commands_are_listed_in_panels() -> None:
    root = typer.main.get_command(build_app(None))
    shown: dict[str, set[str]] = {}
    for name, command in root.commands.items():  # type: ignore[attr-defined]
        shown.setdefault(command.rich_help_panel, set()).add(name)
    assert shown == {panel: set(commands) for panel, commands in PANELS.items()}
    assert list(shown) == list(PANELS)


def test_help_cites_the_manual_by_title() -> None:
    root = typer.main.get_command(build_app(None))
    cited = [name for name, text in _texts(root, "haiyomi") if re.search(r"docs/\S+\.md", text)]
    assert [name for name in cited if name != "haiyomi reproduce"] == []  # which writes that page


def test_the_help_names_every_deal_in_model() -> None:
    """It lacked the one without tedashi and what may follow a name."""
    (option,) = ModelOption.__metadata__
    for name in (*MODELS, *OPTIONS):
        assert name in option.help


def test_the_help_names_every_payoff() -> None:
    value = typer.main.get_command(build_app("value")).commands["value"]  # type: ignore[attr-defined]
    (option,) = (parameter for parameter in value.params if "--payoff" in parameter.opts)
    named = re.findall(r"^``([a-z]\S*)``", payoff.__doc__ or "", re.MULTILINE)
    assert len(named) > 4
    assert [name for name in named if name not in option.help] == []


def test_the_demo_has_one_record() -> None:
    """Its help spoke of a folder for many records."""
    demo = typer.main.get_command(build_app(None)).commands["demo"]  # type: ignore[attr-defined]
    assert not [text for _, text in _texts(demo, "demo") if "many records" in text]


@pytest.mark.parametrize(
    ("number", "begin"), [(1, "1 game, 1 hand, 1 event in "), (2, "2 games, ")]
)
def test_the_summary_of_verify_has_singular_and_plural(number: int, begin: str) -> None:
    summary = Summary(seconds=1.0)
    for _ in range(number):
        summary.add(Checked("a", 1, 1))
    assert next(summary.lines()).startswith(begin)
