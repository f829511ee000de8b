"""The server's tests: one application in this process, on a library of its own."""

from __future__ import annotations

import pathlib
import sys
from collections.abc import Iterator
from typing import Any

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
pytest.importorskip("fastapi", reason="the extra [web] is not installed")
pytest.importorskip("httpx2", reason="httpx2 is not installed")


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A client of the application, with small limits."""
    from starlette.testclient import TestClient

    from haiyomi.apps.web.limits import Limits
    from haiyomi.apps.web.server import create_app

    limits = Limits(upload=1 << 20, unpacked=2 << 20, games=5, processes=0, readers=0)
    path = tmp_path_factory.mktemp("library") / "library.sqlite3"
    with TestClient(create_app(path, limits), base_url="http://localhost") as client:
        yield client
