"""``haiyomi engine``: an engine of the riichi-engine-protocol for desktop studios."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer


def command(
    package: Annotated[
        Path | None,
        typer.Option(
            help="Answer nothing: write this folder, the package with which a studio on this "
            "machine finds the engine."
        ),
    ] = None,
) -> None:
    """Answer a desktop studio: requests of the riichi-engine-protocol on standard input, answers on
    standard output.

    It recommends actions, and predicts the opponents' hands, the deal-in risk of each tile, the end
    of the hand and of the game. The studio starts it from the package that --package writes.
    """
    if package is not None:
        from haiyomi.apps.engine.package import write_package

        write_package(package)
        print(f"wrote {package}: move it to the studio's folder of engines")
        return
    from haiyomi.apps.engine.serve import serve
    from haiyomi.counted import counted

    number, wrong = serve(sys.stdin.buffer, sys.stdout.buffer)
    refused = f", {counted(wrong, 'line')} not understood" if wrong else ""
    print(f"haiyomi: {counted(number, 'request')}{refused}", file=sys.stderr)
