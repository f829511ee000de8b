r"""The long run: millions of inputs in one process, each held to 2 s and 1 GB.

    PYTHONPATH=tests python -m fuzz.run --inputs 5000000 [--only NAME] [--seed N] [--out FOLDER]
    pip install '.[fuzz]' && \
    PYTHONPATH=tests python -m fuzz.run --guided --only NAME --inputs N    (atheris, by coverage)

Findings are written to FOLDER as they are found, one file an input; ``progress.json`` there says
how many inputs each target had. Input number i of a seed is always the same, and the one under
way is kept in ``current``, so a crash of the process leaves it there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import mmap
import random
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fuzz.mutate import mutate

if TYPE_CHECKING:
    from fuzz.targets import Target

SECONDS = 2.0
MEMORY = 1 << 30
TURN = 10_000


class Hang(BaseException):
    """An input took too long; no handler of Exception may take it for its own."""


def _alarm(*_: Any) -> None:
    raise Hang


def hold() -> None:
    """Limit this process to 1 GB more than it has, and each input to 2 s."""
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY, used + MEMORY))
    signal.signal(signal.SIGALRM, _alarm)


def one(target: Target, data: bytes) -> tuple[str, str | None]:
    """(outcome, what is wrong or None) of one input. The clock is of the processor, so that a
    busy machine makes no hangs; an alarm of ten times as long ends a true one."""
    signal.setitimer(signal.ITIMER_REAL, 10 * SECONDS)
    began = time.process_time()
    try:
        outcome = target.outcome(data)
    except Hang:
        return "hang", "hang"
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return "wrong", "".join(traceback.format_exception(error))[-3000:]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    if time.process_time() - began > SECONDS:
        return "hang", f"took {time.process_time() - began:.1f} s"
    return outcome, None


class Run:
    """Mutated inputs of one target, and what came of them."""

    def __init__(self, target: Target, seed: int, out: Path) -> None:
        self.target, self.out = target, out
        self.rng = random.Random(f"{seed} {target.name}")
        self.counts: Counter[str] = Counter()
        self.known: set[str] = set()
        self.done = 0
        current = out / f"current-{target.name.replace(' ', '-')}"
        current.write_bytes(bytes(65_540))
        with current.open("r+b") as file:
            self.place = mmap.mmap(file.fileno(), 65_540)

    def go_on(self, inputs: int) -> None:
        """So many more inputs."""
        for _ in range(inputs):
            data = mutate(self.rng, self.target.seeds)
            self.place[:4] = len(data).to_bytes(4, "little")
            self.place[4 : 4 + len(data)] = data
            outcome, wrong = one(self.target, data)
            self.counts[outcome] += 1
            self.done += 1
            if wrong is not None:
                self.keep(data, wrong)
        _progress(self.out, self.target.name, self.done, self.counts)
        print(f"{self.target.name} {self.done} {dict(self.counts)}", flush=True)

    def keep(self, data: bytes, wrong: str) -> None:
        """Write a finding down, once for each place that it comes from."""
        line = wrong.strip().splitlines()
        kind = " ".join(line[-1:] + [x.strip() for x in line if "haiyomi/" in x][-1:])
        if kind in self.known:
            return
        self.known.add(kind)
        name = f"{self.target.name}-{hashlib.sha256(data).hexdigest()[:12]}"
        (self.out / f"{name}.input").write_bytes(data)
        (self.out / f"{name}.txt").write_text(f"{self.done}\n{wrong}", encoding="utf-8")
        print(f"FINDING {self.target.name} {self.done}: {kind[:300]}", flush=True)


def _progress(out: Path, name: str, inputs: int, counts: Counter[str]) -> None:
    path = out / "progress.json"
    result = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    result[name] = {
        "inputs": inputs,
        "outcomes": dict(counts.most_common()),
        "peak_mb": round(peak),
    }
    path.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def watched() -> bool:
    """Whether atheris rewrote haiyomi: its calls stand among a function's constants. An editable
    install has an importer of its own, which atheris does not see."""
    from haiyomi.logs.load import parse

    return "__ATHERIS_INSTRUMENTED__" in parse.__code__.co_consts


def guided(name: str, inputs: int, out: Path, rest: list[str]) -> None:
    """The same by atheris: inputs that reach new branches are mutated further."""
    import atheris

    # What is imported in here is watched; nothing of haiyomi may have been before.
    assert "haiyomi" not in sys.modules
    with atheris.instrument_imports(include=["haiyomi"]):
        from fuzz.targets import make_targets

        target = make_targets()[name]
        for data in target.seeds:
            target.outcome(data)
    if not watched():
        sys.exit("haiyomi's branches are not watched: install it plainly, not with -e")
    label = f"{name}, guided by coverage"
    corpus = out / f"corpus-{name.replace(' ', '-')}"
    corpus.mkdir(parents=True, exist_ok=True)
    for i, data in enumerate(target.seeds):
        (corpus / f"seed{i}").write_bytes(data)
    rng = random.Random(0)

    def custom(data: bytes, size: int, seed: int) -> bytes:
        rng.seed(seed)
        if seed % 3:
            return mutate(rng, [data, data, data, rng.choice(target.seeds)])[:size]
        return bytes(atheris.Mutate(data, size))

    found: set[str] = set()
    counts: Counter[str] = Counter()

    def ask(data: bytes) -> None:
        outcome, wrong = one(target, data)
        counts[outcome] += 1
        # The library ends the process: the last count is a multiple of a thousand.
        if counts.total() % 1000 == 0:
            _progress(out, label, counts.total(), counts)
        if wrong is not None and (kind := wrong.strip().splitlines()[-1][:200]) not in found:
            found.add(kind)
            digest = hashlib.sha256(data).hexdigest()[:12]
            (out / f"{label}-{digest}.input").write_bytes(data)
            (out / f"{label}-{digest}.txt").write_text(wrong, encoding="utf-8")
            print(f"FINDING {name}: {kind}", flush=True)

    limit = [f"-runs={inputs}", "-rss_limit_mb=2048", "-timeout=25", "-max_len=60000"]
    atheris.Setup([sys.argv[0], *limit, *rest, str(corpus)], ask, custom_mutator=custom)
    atheris.Fuzz()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--inputs", type=int, default=5_000_000, help="over all targets")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="one target, by name")
    parser.add_argument("--out", type=Path, default=Path("out/fuzz"))
    parser.add_argument("--guided", action="store_true", help="by atheris")
    given, rest = parser.parse_known_args()
    given.out.mkdir(parents=True, exist_ok=True)
    if given.guided:
        signal.signal(signal.SIGALRM, _alarm)
        guided(given.only, given.inputs, given.out, rest)
        return
    from fuzz.targets import make_targets

    targets = make_targets()
    if given.only not in {None, *targets}:
        raise SystemExit(f"no target {given.only!r}: the targets are {', '.join(targets)}")
    hold()
    chosen = [targets[given.only]] if given.only else list(targets.values())
    runs = [Run(target, given.seed, given.out) for target in chosen]
    while sum(run.done for run in runs) < given.inputs:
        # In turn, so that a run that is stopped early has tried all of them.
        for run in runs:
            run.go_on(min(TURN, -(-given.inputs // len(runs)) - run.done))


if __name__ == "__main__":
    main()
