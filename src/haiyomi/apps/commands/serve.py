"""``haiyomi serve``: the pages and the API on this machine."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from haiyomi.errors import HaiyomiError
from haiyomi.extras import require


def command(
    host: Annotated[
        str,
        typer.Option(help="Address to listen on; the default is reachable from this machine only."),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 selects a free one.")] = 8642,
    library: Annotated[
        Path | None,
        typer.Option(help="File of the library; default: in the user's data folder."),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            help="Another host name under which browsers may reach the server; repeatable."
        ),
    ] = None,
    per_address: Annotated[
        int, typer.Option(min=1, help="Greatest number of open connections of one address.")
    ] = 64,
) -> None:
    r"""Serve reviews, a position editor and an API to a browser on this machine.

    You upload, paste or drop records. Reviews run in the background and stay in the library. The
    server fetches nothing from the network. Needs the extra: pip install '.\[web]'.
    """
    require("web")
    for name in allow_host or ():
        if not re.fullmatch(r"[\w.-]+", name, re.ASCII):
            raise HaiyomiError(
                f"--allow-host {name}: expected the name alone, such as example.com, "
                "without http:// and without a port"
            )
    from haiyomi.apps.web.limits import Limits
    from haiyomi.apps.web.server import library_file, serve

    limits = Limits(per_address=per_address)
    serve(library or library_file(), host, port, tuple(allow_host or ()), limits)
