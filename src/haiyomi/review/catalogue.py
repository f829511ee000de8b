"""Every text of the terminal, the pages and the server: one catalogue, in four languages.

``locale/haiyomi.pot`` has the English texts (``msgid``) under their keys (``msgctxt``), and the
``.po`` of each other language their translations: the files of gettext, which its editors open.
They are read as they are, without a build step. A key such as ``page.ends.ron`` is a path: the
texts of a section are a tree of mappings, and of lists where the keys are numbers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final, Literal, TypeAlias

Language: TypeAlias = Literal["en", "ja", "zh", "ko"]
LANGUAGES: Final[tuple[Language, ...]] = ("en", "ja", "zh", "ko")
"""English, Japanese, simplified Chinese, Korean."""
Tree: TypeAlias = "str | Mapping[str, Tree] | tuple[Tree, ...]"


@lru_cache(maxsize=len(LANGUAGES))
def texts(language: str) -> Mapping[str, str]:
    """Key -> text. Raises KeyError for an unknown language."""
    if language not in LANGUAGES:
        raise KeyError(language)
    english = language == "en"
    name = "haiyomi.pot" if english else f"{language}.po"
    text = Path(__file__).with_name("locale").joinpath(name).read_text(encoding="utf-8")
    return {key: source if english else said for key, source, said in entries(text)}


def entries(text: str) -> Iterator[tuple[str, str, str]]:
    """(key, English, translation) of each entry of a ``.po`` or ``.pot`` file."""
    # A text over several lines is quoted line by line.
    lines = text.replace('"\n"', "").split("\n")
    fields = [line.partition(" ") for line in lines if line.startswith("msg")]
    # Its escapes are those of JSON; one call for all of them is quicker.
    values = json.loads(f"[{','.join(value for _, _, value in fields)}]")
    found: dict[str, str] = {}
    for (field, _, _), value in zip(fields, values, strict=True):
        found[field] = value
        if field == "msgstr":
            if "msgctxt" in found:
                yield found["msgctxt"], found["msgid"], value
            found = {}


@lru_cache(maxsize=64)
def section(language: str, name: str) -> Mapping[str, Tree]:
    """The texts under ``name``, as a tree."""
    tree: dict[str, object] = {}
    for key, text in texts(language).items():
        first, *path, last = key.split(".")
        if first != name:
            continue
        place = tree
        for step in path:
            place = place.setdefault(step, {})  # type: ignore[assignment]
        place[last] = text
    made = _listed(tree)
    assert isinstance(made, Mapping)
    return made


def _listed(value: object) -> Tree:
    """The tree with a tuple in place of each mapping whose keys are numbers."""
    if isinstance(value, str):
        return value
    assert isinstance(value, dict)
    if all(key.isdigit() for key in value):
        return tuple(_listed(value[str(i)]) for i in range(len(value)))
    return {key: _listed(each) for key, each in value.items()}


def flat(language: str, name: str) -> Mapping[str, str]:
    """The texts under ``name`` that have no deeper path."""
    return {key: text for key, text in section(language, name).items() if isinstance(text, str)}


def listed(language: str, name: str, key: str) -> tuple[str, ...]:
    """The texts of a list."""
    found = section(language, name)[key]
    assert isinstance(found, tuple)
    return tuple(str(text) for text in found)
