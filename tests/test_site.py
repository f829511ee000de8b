"""The documentation site: it builds without a warning, asks no network, and names real modules."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

import pytest
from test_boundaries import ORDER


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    pytest.importorskip("mkdocs", reason="needs the extra [docs]")
    pytest.importorskip("mkdocstrings", reason="needs the extra [docs]")
    root = pathlib.Path(__file__).resolve().parent.parent
    folder = tmp_path_factory.mktemp("site")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", folder],
        cwd=root,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


def test_every_page_is_in_the_navigation_and_every_link_leads_somewhere(
    site: pathlib.Path,
) -> None:
    """``--strict`` with the validation of mkdocs.yml turns each of these into a failed build."""
    assert (site / "index.html").exists()
    assert (site / "reference" / "cli.html").exists()


def test_no_page_loads_anything_from_another_host(site: pathlib.Path) -> None:
    pages = list(site.rglob("*.html"))
    assert pages
    for page in pages:
        text = page.read_text(encoding="utf-8")
        found = re.findall(r"<(?:script|img|iframe)[^>]*\ssrc=\"?(https?:[^\s\">]+)", text)
        found += re.findall(r"<link[^>]*rel=\"?stylesheet\"?[^>]*href=\"?(https?:[^\s\">]+)", text)
        assert not found, f"{page.relative_to(site)} loads {found}"


def test_the_architecture_names_modules_that_exist() -> None:
    root = pathlib.Path(__file__).resolve().parent.parent
    page = (root / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_]+(?:/[a-z_]+)*\.py|[a-z_]+/[a-z_/]+)`", page))
    assert len(named) > 20
    missing = [n for n in named if not any((r / n).exists() for r in (root, root / "src/haiyomi"))]
    assert not missing


def test_the_architecture_lists_the_packages_in_the_order_of_imports() -> None:
    root = pathlib.Path(__file__).resolve().parent.parent
    page = (root / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    table = page.partition("## The packages")[2].partition("\n## ")[0]
    listed = [
        name
        for line in re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", line)
    ]
    assert listed == ORDER[:-1]
