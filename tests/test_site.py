"""The documentation site: it builds without a warning, and nothing in it asks the network."""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys

import pytest


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
