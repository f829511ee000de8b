"""Commands called in the process of the tests: what they print and write, their exit status."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

from haiyomi.apps import cli


def haiyomi(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """``haiyomi ARGUMENTS`` without the start of a process; the result has the same fields."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", newline="") for _ in range(2))
    status: object = 0
    given = io.TextIOWrapper(io.BytesIO(stdin.encode()), "utf-8")
    with (
        patch.object(sys, "argv", ["haiyomi", *arguments]),
        patch.object(sys, "stdin", given),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            cli.main()
        except SystemExit as end:
            status = end.code
    texts = []
    for stream in (out, err):
        stream.flush()
        texts.append(stream.buffer.getvalue().decode())  # type: ignore[attr-defined]
    code = status if isinstance(status, int) else int(status is not None)
    return subprocess.CompletedProcess(arguments, code, *texts)


def page_data(page: Path) -> Any:
    """The data that a written page is drawn from."""
    found = re.search(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"))
    assert found is not None
    return json.loads(found[1])
