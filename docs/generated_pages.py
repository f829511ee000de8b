"""Pages of the site that are generated while it is built: a hook of ``mkdocs.yml``.

The command reference is made from the Typer application, the columns of the decision data set and
of the features from their lists, the cards from the model files, the table of the benchmark from
its results; the changelog is the repository's.
``python docs/generated_pages.py`` prints the command reference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from benchmark_page import benchmark_page
from mkdocs.structure.files import File, Files
from model_cards import models_by_name, pages

from haiyomi.apps.cli import build_app
from haiyomi.play.feature_names import (
    CONTEXT_FEATURES,
    CONVENTIONS,
    KIND_FEATURES,
    STYLE_SLOT,
    Feature,
)
from haiyomi.training.decision_columns import KNOWN, columns_table

CARDS = "Model cards"
ROOT = Path(__file__).resolve().parent.parent
INTRODUCTION = """# Command line

Generated from the commands themselves; `haiyomi COMMAND --help` prints the same.

The exit status is 0 if all is well, 1 if the command ran and found failures or skipped input, and
2 if the input or the call was wrong. An error is one sentence on standard error.
"""


def on_config(config: Any) -> Any:
    """Put the page of each model into the navigation, below that of all cards."""
    reference = next(part["Reference"] for part in config["nav"] if "Reference" in part)
    cards = next(page for page in reference if CARDS in page)
    cards[CARDS] = [
        cards[CARDS], *({name: f"reference/models/{name}.md"} for name in models_by_name())
    ]  # fmt: skip
    return config


def on_files(files: Files, config: Any) -> Files:
    """Add the generated pages to the site."""
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    files.append(File.generated(config, "changelog.md", content=changelog))
    files.append(File.generated(config, "reference/cli.md", content=cli_page()))
    for place, content in pages().items():
        files.append(File.generated(config, place, content=content))
    files.append(File.generated(config, "reference/benchmark.md", content=benchmark_page()))
    files.append(File.generated(config, "reference/decisions.md", content=decisions_page()))
    files.append(File.generated(config, "reference/features.md", content=features_page()))
    return files


def decisions_page() -> str:
    """The Markdown page of the columns of the decision data set."""
    known = "".join(f"- **{name}**: {meaning}\n" for name, meaning in KNOWN.items())
    return (
        "# Columns of the decision data set\n\n"
        "`haiyomi dataset decisions` writes these columns (see [Build a data set]"
        "(../how-to/decisions.md)). Relative seats: 0 decides, 1 acts next. Kinds are 0 to 33: "
        "1m to 9m, 1p to 9p, 1s to 9s, East, South, West, North, White, Green, Red. No value is "
        "null. Each column keeps its field id in Parquet when others are added.\n\n"
        f"{known}\n{columns_table()}"
    )


def features_page() -> str:
    """The Markdown page of the columns of ``features``."""
    style = f"{STYLE_SLOT.start} to {STYLE_SLOT.stop - 1}"
    return (
        "# Features of a decision\n\n"
        "`haiyomi.play.packed_decision.features` and `Tables.features` give these numbers "
        "([Train on the environment](../how-to/research.md#features)). "
        "`haiyomi.play.feature_names` has the same lists: `KIND_NAMES` and `CONTEXT_NAMES` the "
        f"names, `KIND_FEATURES` and `CONTEXT_FEATURES` with the meanings. {CONVENTIONS}\n\n"
        f"Columns {style} of the whole (`STYLE_SLOT`) are the place of a style vector, which "
        "a policy writes there before it answers. `features` leaves them 0: no record says who "
        "plays.\n\n"
        f"## By kind of tile\n\n{_features_table(KIND_FEATURES)}\n"
        f"## Of the whole\n\n{_features_table(CONTEXT_FEATURES)}"
    )


def _features_table(features: tuple[Feature, ...]) -> str:
    """Columns as a table in Markdown: number, name and meaning."""
    lines = ["| column | name | meaning |", "|---:|---|---|"]
    for i, feature in enumerate(features):
        lines.append(f"| {i} | `{feature.name}` | {feature.meaning} |")
    return "\n".join(lines) + "\n"


def cli_page() -> str:
    """The Markdown page of all commands, in alphabetical order."""
    root = typer.main.get_command(build_app(None))
    context = typer.Context(root, info_name="haiyomi")
    return INTRODUCTION + "".join(sorted(_sections(root, context, ""), key=str.casefold))


def _sections(group: Any, context: Any, prefix: str) -> Iterator[str]:
    for name, command in group.commands.items():
        title = f"{prefix}{name}"
        inner = typer.Context(command, info_name=name, parent=context)
        if hasattr(command, "commands"):
            yield from _sections(command, inner, f"{title} ")
        else:
            yield _section(title, command, inner)


def _section(title: str, command: Any, context: Any) -> str:
    """One command: its usage, what it does, and a table of its parameters."""
    usage = " ".join(command.get_usage(context).split()).removeprefix("Usage: ")
    lines = [f"\n## {title}\n", f"```text\n{usage}\n```\n", f"{_plain(command.help)}\n"]
    rows = [_row(parameter, context) for parameter in command.get_params(context)]
    rows = [row for row in rows if row]
    if rows:
        lines += ["| parameter | meaning | default, range |", "|---|---|---|", *rows, ""]
    return "\n".join(lines)


def _row(parameter: Any, context: Any) -> str:
    """One line of the table; none for --help."""
    record = parameter.get_help_record(context)
    if record is None or "--help" in parameter.opts:
        return ""
    names, text = record
    found = re.search(r"(.*?)\s*\[([^\[\]]*)\]$", text, re.DOTALL)
    # Click appends what it knows of the value: the default, a range, or "required".
    text, facts = (found[1], found[2].split("; ")) if found else (text, [])
    shown = [f"`{fact.removeprefix('default: ')}`" for fact in facts if fact != "required"]
    if parameter.required:
        shown.insert(0, "required")
    return f"| `{_cell(names)}` | {_cell(_plain(text))} | {_cell(', '.join(shown))} |"


def _plain(text: str | None) -> str:
    """Help text as Markdown: what looks like markup or a link stays text."""
    return re.sub(r"(?<!`)<", "&lt;", text or "")


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


if __name__ == "__main__":
    print(cli_page())
