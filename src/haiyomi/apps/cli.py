"""``haiyomi``: the command line. Each command lives in ``apps/commands`` and loads when called.

Exit status: 0 all well; 1 the command ran and found failures (``verify``, skipped input);
2 the input or the call was wrong, in one sentence on standard error.
"""

from __future__ import annotations

import atexit
import errno
import gc
import inspect
import os
import sys
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from io import TextIOWrapper
from math import isfinite
from pathlib import Path

import typer

import haiyomi
from haiyomi.engines.garbage import collect_seldom
from haiyomi.engines.threads import hold_to_one_thread
from haiyomi.errors import HaiyomiError, printable, unreadable
from haiyomi.extras import missing_extra

PANELS: dict[str, tuple[str, ...]] = {
    "Review": ("review", "demo", "serve", "stats", "drill", "styles"),
    "Positions": ("risk", "hands", "win", "value"),
    "Play": ("play", "bot", "engine"),
    "Records": ("convert", "verify", "corpus", "dataset"),
    "Models": ("fit", "evaluate", "benchmark", "plot", "reproduce"),
}
"""The panels of ``haiyomi --help`` and their commands. The module of ``apps/commands`` of the same
name defines ``command``, a function or a Typer group."""
COMMANDS = {command: panel for panel, commands in PANELS.items() for command in commands}


def build_app(wanted: str | None) -> typer.Typer:
    """The Typer app with the command that is wanted; without commands for ``--version``; with all
    of them for anything else."""
    app = typer.Typer(add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)

    @app.callback(invoke_without_command=True)
    def root(
        version: bool = typer.Option(False, "--version", help="Print the version and exit."),
    ) -> None:
        """Read riichi-mahjong records: review decisions, predict hands and outcomes, play, fit."""
        if version:
            print(haiyomi.__version__)
            raise typer.Exit

    if wanted == "--version":
        names: list[str] = []
    else:
        names = [name for name in COMMANDS if name == wanted] or list(COMMANDS)
    for name in names:
        command = import_module(f"haiyomi.apps.commands.{name}").command
        panel = COMMANDS[name]
        if isinstance(command, typer.Typer):
            for inner in command.registered_commands:
                inner.help = help_of(inner.callback)
                inner.callback = inner.callback and with_checks(inner.callback)
            group = getattr(command.registered_callback, "callback", None)
            app.add_typer(command, name=name, help=help_of(group), rich_help_panel=panel)
        else:
            app.command(name, help=help_of(command), rich_help_panel=panel)(with_checks(command))
    return app


def with_checks(command: Callable[..., object]) -> Callable[..., object]:
    """The command, which no longer takes a number that is infinite or none (``nan``): such a number
    lies in no range, and Typer's ranges let it pass; nor an empty name of a file or folder, as a
    shell's variable without a value gives it: it would be the current folder. It ends well where
    its reader leaves: Typer would end it with the status of failures found."""

    @wraps(command)
    def checked(**given: object) -> object:
        nameless = any(not a or (a.startswith("--") and a.endswith("=")) for a in sys.argv)
        for name, value in given.items():
            if nameless and Path() in (value if isinstance(value, list) else [value]):
                raise HaiyomiError("the name of a file or folder is empty")
            if isinstance(value, float) and not isfinite(value):
                option = name.strip("_").replace("_", "-")
                raise HaiyomiError(f"--{option} {value}: expected a finite number")
        try:
            return command(**given)
        except BrokenPipeError:
            raise typer.Exit from None

    return checked


def help_of(function: Callable[..., object] | None) -> str:
    """A docstring with its paragraphs unbroken: the terminal's width says where lines end."""
    text = inspect.cleandoc(function.__doc__ or "") if function else ""
    return "\n\n".join(" ".join(p.split()) for p in text.replace("``", "`").split("\n\n"))


def main() -> None:
    """The command line: HaiyomiErrors and the system's become one sentence and exit status 2."""
    hold_to_one_thread()
    _open_streams()
    collect_seldom()
    # The memory of a process ends with it: a last collection would take a fifth of a short
    # command's time.
    atexit.register(gc.freeze)
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        wanted: str | None = "--version"
    else:
        wanted = next((a for a in arguments if not a.startswith("-")), None)
    try:
        try:
            status = build_app(wanted)(standalone_mode=False)
        finally:
            # Here a full disk or a reader that left is noticed while it can be said.
            sys.stdout.flush()
    except HaiyomiError as error:
        print(f"haiyomi: {error}", file=sys.stderr)
        raise SystemExit(2) from None
    except ModuleNotFoundError as error:
        missing = missing_extra(error)
        if missing is None:
            raise
        print(f"haiyomi: {missing}", file=sys.stderr)
        raise SystemExit(2) from None
    except BrokenPipeError:
        # Our reader left (``| head``): nothing more to say, and no traceback.
        sys.stderr.close()
        raise SystemExit(0) from None
    except OSError as error:
        where = "output" if error.filename is None else os.fspath(error.filename)
        gone = isinstance(error, FileNotFoundError)
        why = unreadable(error) if gone else error.strerror or error
        if error.filename is None and error.errno == errno.EBADF:
            where, why = "standard output", "closed, and there was something to print"
        print(f"haiyomi: {printable(where)}: {why}", file=sys.stderr)
        _drop_output()
        raise SystemExit(2) from None
    except Exception as error:
        if not hasattr(error, "format_message"):
            raise
        # Typer's own error for a wrong call; its class has moved between versions.
        if type(error).__name__ == "NoArgsIsHelpError":
            error.show()  # type: ignore[attr-defined]
        else:
            message = " ".join(error.format_message().split()).rstrip(".")
            message = message.replace("Value error, ", "")
            print(f"haiyomi: {printable(message)} (see --help)", file=sys.stderr)
        raise SystemExit(2) from None
    if isinstance(status, int) and status:
        raise SystemExit(status)


def _open_streams() -> None:
    """Where a standard stream is closed (``>&-``), nowhere stands in for it: a file opened later
    would else take its number, and its lines. On standard output's nothing can be written, so
    that what a command prints is not lost in silence."""
    for name, flags in (("stdin", os.O_RDONLY), ("stdout", os.O_RDONLY), ("stderr", os.O_WRONLY)):
        if getattr(sys, name) is None:
            mode = "r" if name == "stdin" else "w"
            setattr(sys, name, open(os.open(os.devnull, flags), mode, encoding="utf-8"))  # noqa: PTH123, SIM115
    # A character that a terminal cannot show (in a player's name) is replaced.
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


def _drop_output() -> None:
    """Send what standard output still holds nowhere, or Python would fail on it as it ends."""
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
