"""``docs/reproduction``: a page for each paper, each from its stored results JSON alone."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Final

from haiyomi.errors import DatasetError
from haiyomi.evaluation.report import Report
from haiyomi.storage.whole_file import write_json, write_text

Json = dict[str, object]


@dataclass(frozen=True, slots=True)
class Paper:
    """A paper's page: its ``title``, the ``module`` whose ``page(results)`` gives lines of Markdown
    and whose ``figures(results)`` gives the text of SVG files by name, and the names of the
    ``results`` that both are made of."""

    title: str
    module: str
    results: tuple[str, ...]


PAPERS: Final = {
    "kurita-hoki": Paper(
        "Kurita and Hoki: deal-in probability from hands and waits",
        "haiyomi.evaluation.dealin_page",
        ("dealin",),
    ),
    "nemoto": Paper(
        "Nemoto, Komiya and Kotani: hidden hands by a CRF",
        "haiyomi.evaluation.reading_page",
        ("reading", "reading-variants"),
    ),
    "tomohxx": Paper(
        "tomohxx: win probability by dynamic programming",
        "haiyomi.evaluation.winning_page",
        ("winning",),
    ),
    "maekawa-takeuchi": Paper(
        "Maekawa and Takeuchi: classes of players, and their imitation",
        "haiyomi.evaluation.styles_page",
        ("styles", "table4"),
    ),
}
"""Name of the page -> the paper."""


def write(name: str, results: Json, docs: Path) -> None:
    """Store results under their name and generate the pages anew."""
    (docs / "results").mkdir(parents=True, exist_ok=True)
    write_json(docs / "results" / f"{name}.json", results)
    rewrite(docs)


def rewrite(docs: Path) -> list[Path]:
    """Generate the pages and figures of the results that are stored; returns the pages. Raises
    DatasetError."""
    folder = docs / "reproduction"
    written = []
    index = [
        "# Reproduction of the papers",
        "",
        "haiyomi implements four papers. Each page prints the paper's tables and figures beside "
        "ours, with the command and the records. `haiyomi reproduce all` runs every experiment and "
        "prints its time and memory; a run that was killed resumes.",
        "",
    ]
    for name, paper in PAPERS.items():
        stored = {r: _load(docs, r) for r in paper.results if _path(docs, r).exists()}
        if paper.results[0] not in stored:
            continue
        module = import_module(paper.module)
        try:
            lines = [f"# {paper.title}", "", *module.page(stored)]
            pictures = module.figures(stored)
        except KeyError as error:
            raise DatasetError(
                f"{', '.join(str(_path(docs, r)) for r in stored)}: results of another version "
                f"({error} is missing): run `haiyomi reproduce` again"
            ) from None
        folder.mkdir(parents=True, exist_ok=True)
        for file, text in pictures.items():
            write_text(docs / "results" / file, text)
        page = folder / f"{name}.md"
        write_text(page, "\n".join(lines).rstrip() + "\n")
        written.append(page)
        index += [f"## [{paper.title}]({page.name})", "", lines[2], ""]
    if not written:
        raise DatasetError(f"no results in {docs / 'results'}")
    write_text(folder / "index.md", "\n".join(index).rstrip() + "\n")
    return [folder / "index.md", *written]


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
