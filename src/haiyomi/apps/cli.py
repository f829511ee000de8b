"""``haiyomi``: the command line. Each command lives in ``apps/commands`` and loads when called.

Exit status: 0 all well; 1 the command ran and found failures (``verify``, skipped input);
2 the input or the call was wrong, in one sentence on standard error.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

import click
import typer
from typer.core import TyperGroup

from haiyomi.errors import HaiyomiError

# command -> the module of apps/commands that defines ``command`` (a typer app or function)
COMMANDS: dict[str, str] = {
}


class _Lazy(TyperGroup):
    """Imports a command's module only when that command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        module: Any = import_module(f"haiyomi.apps.commands.{COMMANDS[name]}")
        if isinstance(module.command, typer.Typer):
            made = typer.main.get_command(module.command)
        else:
            one = typer.Typer(add_completion=False)
            one.command(name)(module.command)
            made = typer.main.get_command(one)
        made.name = name
        return made


app = typer.Typer(cls=_Lazy, add_completion=False, no_args_is_help=True)


@app.callback()
def _root() -> None:
    """haiyomi reads riichi-mahjong records and shows the risk of every discard."""


def main() -> None:
    """Entry point: HaiyomiErrors become one sentence and exit status 2."""
    try:
        app()
    except HaiyomiError as error:
        print(f"haiyomi: {error}", file=sys.stderr)
        raise SystemExit(2) from None
