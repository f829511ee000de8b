"""Spellings of the command line that haiyomi had, and what each is called now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from haiyomi.errors import HaiyomiError

OLD_COMMANDS: Final[dict[tuple[str, ...], str]] = {
    ("styles", "plot"): "`haiyomi plot styles`",
    ("fit", "reading"): "`haiyomi fit nemoto`; `haiyomi fit all` fits the default model",
    ("fit", "posterior"): "`haiyomi fit all --only opponents`",
    ("evaluate", "points"): "part of `haiyomi evaluate dealin`",
    ("evaluate", "balance"): "`haiyomi evaluate forecast`",
    ("fit", "balance"): "part of `haiyomi fit all`",
    ("evaluate", "styles"): "`haiyomi evaluate policy PACKED`",
    ("evaluate", "halves"): "part of `haiyomi evaluate dealin`",
}
"""Command that is no more -> what does the same."""
OLD_OPTIONS: Final[dict[tuple[str, str], str]] = {
    ("play", "--json"): "`--results FILE`",
    ("win", "--plot"): "`haiyomi plot win HAND --out FILE`",
    **{
        (f"evaluate {what}", "--json"): "`--results FILE`"
        for what in (
            "dealin",
            "reading",
            "placement",
            "suite",
            "outcomes",
            "stand-in",
            "absent",
        )
    },
    **{
        (f"evaluate {what}", "--records"): "without a name: `haiyomi evaluate WHAT RECORDS`"
        for what in ("dealin", "reading")
    },
    **{(what, "--output"): "`--out FILE`" for what in ("review", "demo", "stats")},
    **{(f"styles {what}", "--classes"): "`--model FILE`" for what in ("show", "classify")},
    ("evaluate policy", "--fraction"): "`--share NUMBER`",
    ("evaluate reading", "--chain"): "`--model FILE`",
    ("evaluate reading", "--nemoto"): "`--nemoto-models FOLDER`",
    ("fit dealin", "--json"): "`--results FILE`",
    ("fit nemoto", "--rows"): "`--work FOLDER`",
    ("fit placement", "--valid"): "`--held-out RECORDS`",
    ("fit options", "--valid"): "`--held-out BRANCHES`",
    ("fit branches", "--options"): "`--most NUMBER`",
    ("styles fit", "--games"): "`--least NUMBER`",
    ("reproduce styles", "--games"): "`--least NUMBER`",
    ("reproduce table4", "--rows"): "`--sample NUMBER`",
    ("risk", "--file"): "without a name: `haiyomi risk FILE`",
    ("value", "--file"): "without a name: `haiyomi value FILE`",
    ("evaluate dealin", "--diagrams"): "`haiyomi plot reliability ROWS --out FILE`, with --rows",
}
"""Command, option that is no more -> what does the same."""


def refuse_old_spellings(arguments: Sequence[str]) -> None:
    """Raises HaiyomiError, naming the new spelling, for an old one among the arguments."""
    words = [a for a in arguments if not a.startswith("-")][:2]
    new = OLD_COMMANDS.get(tuple(words)) or OLD_COMMANDS.get(tuple(words[:1]))
    if new is not None:
        raise HaiyomiError(f"`haiyomi {' '.join(words)}` is now {new}")
    options = {a.partition("=")[0] for a in arguments if a.startswith("-")}
    for (command, option), new in OLD_OPTIONS.items():
        if option in options and words[: len(command.split())] == command.split():
            raise HaiyomiError(f"`haiyomi {command} {option}` is now {new}")
