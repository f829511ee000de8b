"""Digests of haiyomi's answers over real games: the same digests, the same bits.

    python -m bench.answers RECORDS [--games N] [--model FILE] [--json OUT] [--against JSON]

Changes that shall only save time are compared with this: run it before and after. Each part of an
answer has a digest of its own, so that a difference says where to look.
"""

from __future__ import annotations

import argparse
import json
import pathlib
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from hashlib import blake2b

from haiyomi.engines.threads import hold_to_one_thread

hold_to_one_thread()


def pieces(value: object) -> Iterator[bytes]:
    """The bits of a value: of numbers and arrays, and of all that values are made of."""
    import numpy as np

    from haiyomi.dealin.answer import PointsRows

    if isinstance(value, np.ndarray):
        yield f"{value.dtype}{value.shape}".encode()
        yield np.ascontiguousarray(value).tobytes()
    elif isinstance(value, PointsRows):
        yield from pieces(value.cells)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            if field.name != "position":
                yield from pieces(getattr(value, field.name))
    elif isinstance(value, dict):
        for key, each in value.items():
            yield repr(key).encode()
            yield from pieces(each)
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from pieces(each)
    else:
        yield value.hex().encode() if isinstance(value, float) else repr(value).encode()


def digests(records: list[str], games: int, model: str | None = None) -> dict[str, str]:
    """By part of the analysis, and of single positions asked by themselves."""
    from itertools import islice

    from haiyomi import Corpus
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.models import Models
    from haiyomi.analysis.value import PARTS
    from haiyomi.review.reviewer import review_game

    found = {part: blake2b(digest_size=16) for part in (*PARTS, "alone")}
    analyzer = Analyzer(Models(model, model), samples=2)
    for number, (_, game) in enumerate(islice(Corpus(records), games)):
        review = review_game(game, number % 4, analyzer)
        analyses = [decision.analysis for _, decision in review.decisions]
        for analysis in analyses:
            for part in PARTS:
                for piece in pieces(getattr(analysis, part, None)):
                    found[part].update(piece)
        for analysis in analyses[::10]:
            for alone in (
                analyzer.models.deal_in.read([analysis.position])[0].deal_in(),
                analyzer.models.hidden_hands.answers([analysis.position]).marginals,
            ):
                for piece in pieces(alone):
                    found["alone"].update(piece)
    return {part: digest.hexdigest() for part, digest in found.items()}


def main() -> None:
    """Print the digests, and what differs from those of an earlier run."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("records", nargs="+")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--model", help="a network of opponents; default: the shipped models")
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("--against", type=pathlib.Path)
    given = parser.parse_args()
    found = digests(given.records, given.games, given.model)
    before = json.loads(given.against.read_text("utf-8")) if given.against else found
    for part, digest in found.items():
        print(f"{part:14} {digest}{'' if before.get(part) == digest else '  DIFFERS'}")
    if given.json:
        given.json.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    if before != found:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
