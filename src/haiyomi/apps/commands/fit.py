"""``haiyomi fit``: learn a room's models from a dataset."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

command = typer.Typer(no_args_is_help=True)


@command.callback()
def _group() -> None:
    """Fit models from a dataset (see ``haiyomi dataset build``)."""


@command.command("dealin")
def dealin(
    dataset: Annotated[Path, typer.Argument(help="Folder made by `haiyomi dataset build`.")],
    out: Annotated[Path, typer.Option(help="Model file to write.")] = Path("kurita_hoki.json"),
    json_out: Annotated[
        Path | None, typer.Option("--json", help="Also write the report of every cell here.")
    ] = None,
) -> None:
    """Fit the Kurita-Hoki model on the train split; print every regression cell.

    Each cell shows its own rows, the share of its weight borrowed from neighbours, and its
    log loss on the validation split beside that of one pooled regression.
    """
    from haiyomi.apps.outputs import try_outputs
    from haiyomi.training.dataset import write_json
    from haiyomi.training.fit_dealin import fit_dealin

    try_outputs(out, json_out)
    report = fit_dealin(dataset, out)
    print("type     melds discards        n  borrowed  n valid  cell loss  pooled")
    for c in report["cells"]:
        loss = "-" if c["loss"] is None else f"{c['loss']:.4f}"
        pooled = "-" if c["pooled_loss"] is None else f"{c['pooled_loss']:.4f}"
        print(
            f"{c['type']:<8} {c['melds']:>5} {c['discards']:>8} {c['n']:>8} {c['borrowed']:>8.1%} "
            f"{c['n_valid']:>8} {loss:>10} {pooled:>7}"
        )
    for kind in report["borrow"]:
        cells = [c for c in report["cells"] if c["type"] == kind and c["n_valid"]]
        n = sum(c["n_valid"] for c in cells)
        if n:
            own = sum(c["loss"] * c["n_valid"] for c in cells) / n
            pooled = sum(c["pooled_loss"] * c["n_valid"] for c in cells) / n
            print(
                f"{kind}: held-out loss {own:.4f} by cells, {pooled:.4f} pooled "
                f"({n} rows of valid; borrow {report['borrow'][kind]:g})"
            )
    print(
        f"riichi: {report['riichi']} declarations, {report['riichi_deal_ins']} deal-ins; "
        f"wrote {out} ({out.stat().st_size:,} bytes)"
    )
    if json_out is not None:
        write_json(json_out, report)
