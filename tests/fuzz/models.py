"""Model files with changed numbers under a right checksum: refused in one sentence, or usable.

    PYTHONPATH=tests python -m fuzz.models --files 1000 [--seed N]

A file that is taken answers for positions of the demo game without an exception; its
probabilities are finite and between 0 and 1.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
import traceback
import warnings
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from dealin.assess import assess

from haiyomi.dealin.models import load_model
from haiyomi.errors import ModelError
from haiyomi.game.observation import observations_of
from haiyomi.game.position import Position
from haiyomi.game.position_fold import positions
from haiyomi.networks.network import NAME, VERSION
from haiyomi.play.demo import demo_game
from haiyomi.reading.nemoto import NemotoModel
from haiyomi.storage.model_file import write_model
from haiyomi.storage.tensors_file import read_tensors, write_tensors
from haiyomi.styles.classes import StyleClasses
from haiyomi.styles.policy import Policy
from haiyomi.tiles import Seat

PACKAGE = Path(sys.modules["haiyomi"].__file__ or "").parent
NUMBERS = (
    1e300, -1e300, 1e308, -1e308, 1e10, -1e10, 1e7, -1e7, 1000.0, -1000.0, 40.0, -40.0, 0.0, -1.0,
    1, 2**62, 10**400, 1e-300, float("nan"), float("inf"), True, None,
)  # fmt: skip
HALVES = (0x7BFF, 0xFBFF, 0x7C00, 0xFC00, 0x7E00, 0x0000, 0x5640, 0xD640)
"""Half-precision numbers: +-65504, infinities, NaN, 0 and +-100."""
ARRAYS: dict[str, tuple[str, tuple[int, ...]]] = {
    "half": ("<u2", HALVES),
    "single": ("<u4", (0x7F7FFFFF, 0xFF7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0, 0x42C80000)),
    "int16": ("<u2", (0, 1, 0x7FFF, 0x8000, 0xFFFF)),
    "int32": ("<u4", (0, 1, 10**6, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)),
}
"""The kinds of stored arrays: their words, and words to put among them."""
Answer = Callable[[Path], None]


@lru_cache
def some_positions() -> tuple[Position, ...]:
    """Positions early and late in a hand, of a hand with a riichi too."""
    found = [p for hand in demo_game().hands[:3] for *_, p in positions(hand.events, Seat(0))]
    return tuple(found[5::23])


def _sound(values: Any) -> None:
    array = np.asarray(values, np.float64)
    assert np.isfinite(array).all(), "not finite"
    assert array.min() >= 0, "negative"
    assert array.max() <= 1 + 1e-9, "above 1"


def _deal_in(path: Path) -> None:
    model = load_model(str(path))
    for position in some_positions():
        answer = assess(model, position)
        _sound(answer.tenpai)
        for risks in answer.risks.values():
            _sound([risk.probability for risk in risks])
            assert all(np.isfinite(risk.expected_loss) for risk in risks)


def _nemoto(path: Path) -> None:
    rows = np.repeat(observations_of(some_positions()), 3)
    _sound(NemotoModel.load(path).marginals(rows, np.tile([1, 2, 3], len(some_positions()))))


def _policy(path: Path) -> None:
    from fuzz.calls import real_decisions

    from haiyomi.game.decision_record import DECISION

    model = Policy.load(path)
    rows = real_decisions()[0][:5].view(DECISION).reshape(-1)
    assert np.isfinite(model.logits(rows).discards).all()


def _classes(path: Path) -> None:
    model = StyleClasses.load(path)
    values = np.stack([c.statistics for c in model.classes])
    assert np.isfinite(model.drawn(model.place(values, np.full_like(values, 100.0)))).all()


ANSWERS: dict[str, Answer] = {
    "benchmark/player.safetensors": _policy,
    "dealin/kurita_hoki.json": _deal_in,
    "networks/opponents.safetensors": _deal_in,
    "reading/nemoto_d.json": _nemoto,
    "styles/classes.json": _classes,
    "styles/policy.safetensors": _policy,
    "styles/rollout.safetensors": _policy,
}


def numbers_of(value: Any) -> list[tuple[Any, Any]]:
    """(container, key) of each number of a JSON value, and of each stored array."""
    found: list[tuple[Any, Any]] = []
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in pairs:
        if isinstance(inner, dict | list):
            found += numbers_of(inner)
        elif key in ARRAYS or (isinstance(inner, int | float) and key != "shape"):
            found.append((value, key))
    return found


def changed(file: Path, dice: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """(body, what was changed) of a model file with one to three other numbers."""
    import base64

    body = json.loads(file.read_text(encoding="utf-8"))
    tables = [table for table in body["payload"].values() if isinstance(table, dict | list)]
    done: dict[str, Any] = {}
    for _ in range(dice.choice((1, 1, 3))):
        places = numbers_of(dice.choice(tables))
        if not places:
            continue
        container, key = dice.choice(places)
        if key in ARRAYS:
            word, choices = ARRAYS[key]
            raw = np.frombuffer(base64.b64decode(container[key]), word).copy()
            raw[dice.randrange(len(raw))] = new = dice.choice(choices)
            container[key] = base64.b64encode(raw.tobytes()).decode()
        else:
            container[key] = new = dice.choice(NUMBERS)
        done[f"{key} {len(done)}"] = new
    return body, done


def write_changed_tensors(file: Path, path: Path, dice: random.Random) -> dict[str, Any]:
    """Write a network's file with one to three other numbers; what was changed."""
    tensors, manifest = read_tensors(file, NAME, VERSION)
    done: dict[str, Any] = {}
    for _ in range(dice.choice((1, 1, 3))):
        key = dice.choice(sorted(tensors))
        at = dice.randrange(tensors[key].size)
        tensors[key] = tensors[key].copy()
        tensors[key].reshape(-1)[at] = new = dice.choice((0.0, 1e-7, -1.0, 300.0, 1e4, -1e4))
        done[f"{key} {at}"] = new
    write_tensors(path, NAME, VERSION, tensors, manifest)
    return done


def try_one(name: str, dice: random.Random, folder: Path) -> str:
    """``refused`` or ``taken``; every exception but ModelError goes through."""
    path = folder / Path(name).name
    if path.suffix == ".safetensors":
        return _outcome(name, path, write_changed_tensors(PACKAGE / name, path, dice))
    body, done = changed(PACKAGE / name, dice)
    try:
        write_model(path, body["haiyomi_model"], body["version"], body["payload"], {})
    except ValueError:  # not a number: JSON has none, so it is written without a checksum
        path.write_text(json.dumps(body | {"sha256": ""}), encoding="utf-8")
    return _outcome(name, path, done)


def _outcome(name: str, path: Path, done: dict[str, Any]) -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ANSWERS[name](path)
    except ModelError as error:
        if path.name not in str(error) or "\n" in str(error):
            raise AssertionError(f"not one sentence that names the file: {error}") from None
        return "refused"
    except Exception as error:
        error.add_note(f"{name}: {done}")
        raise
    return "taken"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    counts: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for number in range(given.files):
            name = list(ANSWERS)[number % len(ANSWERS)]
            try:
                outcome = try_one(name, random.Random(f"{given.seed} {number}"), Path(folder))
            except Exception as error:
                outcome = "FINDING"
                print(f"file {number}:", "".join(traceback.format_exception(error)[-3:]))
            counts[f"{name} {outcome}"] += 1
    print(json.dumps(counts, indent=1))
    sys.exit(any("FINDING" in name for name in counts))


if __name__ == "__main__":
    main()
