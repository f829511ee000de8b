"""``haiyomi serve``: the pages and the API on this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from haiyomi.errors import HaiyomiError


def command(
    host: Annotated[
        str, typer.Option(help="The address to listen on; others than this machine only if told.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 picks one.")] = 8642,
    library: Annotated[
        Path | None,
        typer.Option(help="The library's file; default in the user's folder for data."),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(help="A further name by which browsers may call this server."),
    ] = None,
    per_address: Annotated[
        int, typer.Option(min=1, help="How many connections one address may hold open.")
    ] = 64,
) -> None:
    r"""Serve reviews, a position editor and an API to a browser on this machine.

    Records are uploaded, pasted or dropped in; reviews run in the background and stay in the
    library. Nothing is fetched from the network. Needs the extra: pip install 'haiyomi\[web]'.
    """
    try:
        from haiyomi.apps.web.limits import Limits
        from haiyomi.apps.web.server import library_file, serve
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("haiyomi"):
            raise
        raise HaiyomiError(
            f"{error.name} is not installed: pip install 'haiyomi[web]' brings the server"
        ) from None
    limits = Limits(per_address=per_address)
    serve(library or library_file(), host, port, tuple(allow_host or ()), limits)
