"""One catalogue: every language has every text, and every text that is asked for is there."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from haiyomi.review.catalogue import LANGUAGES, entries, flat, section, texts
from haiyomi.review.categories import CATEGORIES
from haiyomi.review.columns import width
from haiyomi.review.html.document import SCRIPTS, SECTIONS
from haiyomi.review.sentences import Cause
from haiyomi.review.text import CELL, LABEL
from haiyomi.review.words import words_of

OTHERS = [language for language in LANGUAGES if language != "en"]


def source(language: str) -> str:
    name = "haiyomi.pot" if language == "en" else f"{language}.po"
    return files("haiyomi.review").joinpath("locale", name).read_text(encoding="utf-8")


@pytest.mark.parametrize("language", OTHERS)
def test_every_language_has_every_text_of_the_english_there_is(language: str) -> None:
    english = {key: text for key, text, _ in entries(source("en"))}
    found = {key: text for key, text, _ in entries(source(language))}
    assert found == english
    assert len(list(entries(source(language)))) == len(english)
    assert all(texts(language).values())


def fields(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(text) if name is not None)


@pytest.mark.parametrize("language", OTHERS)
def test_a_translation_names_the_same_values(language: str) -> None:
    lost = [k for k, t in texts(language).items() if set(fields(t)) != set(fields(texts("en")[k]))]
    assert lost == []


@pytest.mark.parametrize("language", OTHERS)
def test_little_is_left_in_english(language: str) -> None:
    """A text may be the same where it is only symbols, names of formats or values."""
    same = [key for key, text in texts(language).items() if text == texts("en")[key]]
    words = [
        key for key in same if re.search(r"[A-Za-z]{4}", re.sub(r"\{.*?\}", "", texts("en")[key]))
    ]
    assert words == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_category_has_its_name_and_every_cause_its_sentence(language: str) -> None:
    assert set(section(language, "page")["category"]) == set(CATEGORIES)
    causes = {cause.replace(" ", "-") for cause in get_args(Cause)}
    assert causes - set(flat(language, "why")) == set()


def asked(name: str) -> set[str]:
    """The texts that a script asks for by name; a name that ends in a dot is a section."""
    script = files("haiyomi.review.html").joinpath("assets", f"{name}.js")
    return set(re.findall(r'\bword\("([^"]+)"', script.read_text(encoding="utf-8")))


def placed(tree: object, path: str) -> bool:
    """Whether a path leads to a text, a list or, with a dot at its end, to a section."""
    for step in path.rstrip(".").split("."):
        if not isinstance(tree, dict) or step not in tree:
            return False
        tree = tree[step]
    return not path.endswith(".") or not isinstance(tree, str)


@pytest.mark.parametrize("kind", SCRIPTS)
def test_every_text_that_a_page_asks_for_is_there(kind: str) -> None:
    tree = {name: section("en", name) for name in ("hand", "tile")}
    for name in SECTIONS[kind]:
        tree |= section("en", name)  # type: ignore[arg-type]
    wanted = {text for script in SCRIPTS[kind] for text in asked(script)}
    assert len(wanted) > 20
    assert [text for text in wanted if not placed(tree, text)] == []


def test_no_text_of_the_pages_is_dead() -> None:
    scripts = {script for names in SCRIPTS.values() for script in names}
    said = "".join(
        files("haiyomi.review.html").joinpath("assets", f"{name}.js").read_text("utf-8")
        for name in scripts
    )
    tops = {
        k.split(".")[1]
        for k in texts("en")
        if k.split(".")[0] not in ("text", "hands", "stats", "hand", "confirm", "why", "option")
    }
    assert [top for top in tops if not re.search(rf"\b{top}\b", said)] == []


def test_no_script_has_words_of_its_own() -> None:
    """A named case: a line of 1,384 characters of JavaScript held a fifth of the texts."""
    for script in {name for names in SCRIPTS.values() for name in names}:
        text = files("haiyomi.review.html").joinpath("assets", f"{script}.js").read_text("utf-8")
        code = re.sub(r"//[^\n]*", "", text).replace("牌読み", "")
        assert not re.search(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]", code), script


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_the_table_fit_their_columns(language: str) -> None:
    words = words_of(language)
    rows = (words.total, words.loss, words.own_win, words.win, words.ev, words.strong)
    rows += (words.win_riichi, words.ev_riichi, words.strong_riichi)
    rows += (words.place, words.place_riichi)
    assert all(width(row) <= LABEL for row in rows)
    assert all(width(reason) < CELL for reason in words.zero.values())
    assert all(width(tile) <= 2 for tile in words.honours)
    assert all(width(words.short_hand(k, 12)) <= 11 for k in range(8))
    legends = (words.legend, words.position_legend)
    assert all(width(line) <= 100 for legend in legends for line in legend.splitlines())


def test_hands_are_named() -> None:
    assert [words_of(language).hand(5, 2) for language in LANGUAGES] == [
        "South 2, honba 2",
        "南2局 2本場",
        "南2局 2本场",
        "남2국 2본장",
    ]
    assert words_of("en").short_hand(5, 0) == "S2"


def test_a_text_on_several_lines_is_one_text() -> None:
    """Editors of .po files break long texts."""
    lines = ['msgid ""', 'msgstr ""', '"x"', "", 'msgctxt "a.b"', 'msgid ""', '"one "', '"two"']
    lines += ['msgstr "eins\\n"', '"zwei"']
    assert list(entries("\n".join(lines))) == [("a.b", "one two", "eins\nzwei")]


def test_another_language_is_refused() -> None:
    with pytest.raises(KeyError):
        texts("../en")


def test_the_page_of_terms_says_what_the_catalogue_says() -> None:
    page = (Path(__file__).parents[2] / "docs" / "reference" / "translations.md").read_text("utf-8")
    rows = re.findall(r"^\| `([\w.-]+)` \| (.*) \|$", page, re.MULTILINE)
    assert len(rows) > 30
    for key, terms in rows:
        assert terms.split(" | ") == [texts(language)[key].strip() for language in LANGUAGES], key


@pytest.mark.parametrize("language", OTHERS)
def test_an_added_or_closed_kan_is_not_called_an_open_one(language: str) -> None:
    """A named case: in Chinese and Korean an added kan among the melds was an open kan."""
    said = texts(language)
    open_kan = said["page.meld.daiminkan"]
    kans = [key for key in said if key.endswith((".kakan", ".ankan"))]
    assert len(kans) >= 12
    assert [key for key in kans if open_kan in said[key]] == []


@pytest.mark.parametrize("language", OTHERS)
def test_an_own_call_is_not_named_as_a_tile_that_another_took(language: str) -> None:
    """A named case: the turn after an own call said in Chinese and Korean that it was called."""
    said = texts(language)
    assert said["text.called"] != said["page.cameShort.called"]
