"""``docs/reproduction``: a page for each paper, from its stored results JSON alone, and the list of
how far each table, figure and claim is reproduced."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final, Literal, TypeAlias

from haiyomi.errors import DatasetError
from haiyomi.evaluation.report import Report
from haiyomi.json_types import Json
from haiyomi.storage.whole_file import write_json, write_text

State: TypeAlias = Literal["reproduced", "in shape", "not"]


@dataclass(frozen=True, slots=True)
class Item:
    """A table, figure or claim of a paper by its ``name``, its ``state`` and the ``numbers`` that
    show it. *In shape*: the same order or course, with other numbers."""

    name: str
    state: State
    numbers: str


def items_report(papers: Sequence[tuple[str, Sequence[Item]]]) -> Report:
    """The items of papers, by the papers' names, as one table."""
    rows = tuple(
        (paper, item.name, item.state, item.numbers) for paper, items in papers for item in items
    )
    return Report("", ("paper", "what", "reproduced", "numbers"), rows)


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper's page: its ``title``; the ``module`` whose ``page(results)`` gives Markdown lines,
    ``items(results)`` what is reproduced, and ``figures(results)`` SVG texts by file; and the names
    of the ``results`` that all are made of."""

    title: str
    module: str
    results: tuple[str, ...]


PAPERS: Final = {
    "kurita-hoki": Paper(
        "Kurita and Hoki: deal-in probability from hands and waits",
        "haiyomi.evaluation.papers.dealin_page",
        ("dealin",),
    ),
    "nemoto": Paper(
        "Nemoto, Komiya and Kotani: hidden hands by a CRF",
        "haiyomi.evaluation.papers.reading_page",
        ("reading", "reading-variants"),
    ),
    "tomohxx": Paper(
        "tomohxx: win probability by dynamic programming",
        "haiyomi.evaluation.papers.winning_page",
        ("winning",),
    ),
    "maekawa-takeuchi": Paper(
        "Maekawa and Takeuchi: classes of players, and their imitation",
        "haiyomi.evaluation.papers.styles_page",
        ("styles", "table4", "class-styles"),
    ),
}
"""Name of the page -> the paper."""


def write(name: str, results: Json, docs: Path) -> None:
    """Store results under their name, and generate the pages and the figures of their paper."""
    (docs / "results").mkdir(parents=True, exist_ok=True)
    write_json(docs / "results" / f"{name}.json", results)
    rewrite(docs, name)


def rewrite(docs: Path, changed: str | None = None) -> list[Path]:
    """Generate the pages of the results that are stored, and their figures: all, or those of the
    paper whose results ``changed``. Returns the pages. Raises DatasetError."""
    texts = pages(docs)
    for paper, stored in _stored(docs):
        if changed is not None and changed not in paper.results:
            continue
        for file, text in import_module(paper.module).figures(stored).items():
            write_text(docs / "results" / file, text)
    folder = docs / "reproduction"
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        write_text(folder / name, text)
    return [folder / name for name in texts]


def pages(docs: Path) -> dict[str, str]:
    """The text of each page of docs/reproduction by its file's name, the index first. Raises
    DatasetError."""
    texts = {"index.md": ""}
    items = []
    index = [
        "# Reproduction of the papers",
        "",
        "haiyomi implements four papers. Each page prints the paper's tables and figures beside "
        "ours, with the command and the records. This command runs every experiment and prints the "
        "time and memory of each; a run that was killed resumes from what it kept in `WORK`:",
        "",
        "```bash",
        "haiyomi reproduce all --corpus SMALL --large LARGE --published win_probability.json.gz "
        "--work WORK",
        "```",
        "",
    ]
    names = {paper.module: f"{name}.md" for name, paper in PAPERS.items()}
    for paper, stored in _stored(docs):
        module, file = import_module(paper.module), names[paper.module]
        try:
            lines = [f"# {paper.title}", "", *module.page(stored)]
            items.append((paper.title.partition(":")[0], module.items(stored)))
        except KeyError as error:
            raise DatasetError(
                f"{', '.join(str(_path(docs, r)) for r in stored)}: results of another version "
                f"({error} is missing): run `haiyomi reproduce` again"
            ) from None
        texts[file] = _text(lines)
        index += [f"## [{paper.title}]({file})", "", lines[2], ""]
    if not items:
        raise DatasetError(f"no results in {docs / 'results'}")
    index += [
        "## Every table and figure",
        "",
        *table(
            "*In shape*: the same order or course as in the paper, with other numbers. Each page "
            "has the tables with their intervals.",
            items_report(items),
        ),
    ]
    texts["index.md"] = _text(index)
    return texts


def _text(lines: list[str]) -> str:
    return "\n".join(lines).rstrip() + "\n"


def _stored(docs: Path) -> list[tuple[Paper, dict[str, Json]]]:
    """The papers whose first results are stored, with what is stored of each."""
    out = []
    for paper in PAPERS.values():
        stored = {name: _load(docs, name) for name in paper.results if _path(docs, name).exists()}
        if paper.results[0] in stored:
            out.append((paper, stored))
    return out


def _path(docs: Path, name: str) -> Path:
    return docs / "results" / f"{name}.json"


def _load(docs: Path, name: str) -> Json:
    try:
        found: Json = json.loads(_path(docs, name).read_text(encoding="utf-8"))
    except ValueError as error:
        raise DatasetError(f"{_path(docs, name)}: {error}") from None
    return found


def table(*lines: Report | str) -> list[str]:
    """Tables and paragraphs as lines of Markdown, with an empty line after each."""
    out = []
    for line in lines:
        out += [line.markdown() if isinstance(line, Report) else line, ""]
    return out
