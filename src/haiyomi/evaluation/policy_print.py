"""The policy's results as text."""

from __future__ import annotations

from typing import Any


def lines(results: dict[str, Any]) -> list[str]:
    """The tables of ``results_json``, one line each."""
    out = [
        f"{results['what']}: {results['games']} games, {results['rows']:,} decisions; "
        + ("95% intervals by game" if results["games"] > 1 else "one game tells no interval"),
        "",
        f"{'discards':<24} {'n':>8}   top-1                    top-3                    "
        "cross-entropy, nats",
    ]
    for name, s in results["discards"].items():
        if not s["n"]:
            continue
        out.append(f"{name:<24} {s['n']:>8}   {_of(s['top1'])}{_of(s['top3'])}{_of(s['nats'])}")
    if results["discard_just_drawn"] is not None:
        out.append(f"{'the tile just drawn':<24} {'':>8}   {results['discard_just_drawn']:.4f}")
    out += [
        "",
        f"{'choice':<24} {'n':>8}    yes   {'accuracy':<25}(base)   {'AUC':<25}log loss (constant)",
    ]
    for name, s in results["choices"].items():
        out.append(
            f"{name:<24} {s['n']:>8} {s['rate']:>6.1%}   {_of(s['accuracy'])}"
            f"({s['base_accuracy']:.3f})  {_of(s['auc'])} {s['log_loss']['value']:.4f} "
            f"({s['constant']:.4f})"
        )
    gains = results.get("style_gains")
    if gains and gains["players"]:
        out += ["", "gain in log loss by the player's style vector, nats a decision"]
        out.append("player  games before  held out        n   pooled     gain")
        for number, p in enumerate(gains["players"], 1):
            out.append(
                f"{number:>6} {p['games_before']:>13} {p['games']:>9} {p['n']:>8} "
                f"{p['pooled']:>8.4f}   {p['gain']:+.4f} [{p['low']:+.4f}, {p['high']:+.4f}]"
            )
        g, d = gains["gain"], gains["discard_gain"]
        out.append(
            f"all    {gains['n']:>32} {gains['pooled']:>8.4f}   {g['value']:+.4f} "
            f"[{g['low']:+.4f}, {g['high']:+.4f}]; better for {gains['better']} of "
            f"{len(gains['players'])}"
        )
        for name, e in gains["by"].items():
            out.append(
                f"by {name:<12} {'':>38}   {e['value']:+.4f} [{e['low']:+.4f}, {e['high']:+.4f}]"
            )
        out.append(f"of discards alone {d['value']:+.4f} [{d['low']:+.4f}, {d['high']:+.4f}]")
    return [line.rstrip() for line in out]


def _of(e: dict[str, float | None]) -> str:
    value, low, high = (None if e[k] is None else f"{e[k]:.4f}" for k in ("value", "low", "high"))
    told = value or "-"
    return f"{told if low is None else f'{told} [{low}, {high}]':<25}"
