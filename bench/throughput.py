"""Speed of whole stages on one core, beside other programs timed in the same run.

Each program does the same games; rounds alternate between the two, so that a busy machine slows
both, and time is the processor's. Games are of the corpus where it is (``HAIYOMI_SHARED``), else
the samples of the tests, over and over.
"""

from __future__ import annotations

import gc
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from functools import partial
from statistics import mean
from typing import TYPE_CHECKING, Any

from bench.speed import Speed, alternate, seconds

if TYPE_CHECKING:
    from haiyomi.events import Game

ROOT = pathlib.Path(__file__).resolve().parent.parent


Records = list[tuple[str, bytes]]
CORPUS = "corpus, test split"


def records(n: int) -> tuple[Records, str]:
    """(name, bytes) of n games, and what they are."""
    shared = pathlib.Path(os.environ.get("HAIYOMI_SHARED") or ROOT.parent / "shared")
    corpus = shared / "corpus" / "test.zip"
    if corpus.is_file():
        with zipfile.ZipFile(corpus) as archive:
            names = archive.namelist()[:n]
            return [(name, archive.read(name)) for name in names], CORPUS
    samples = sorted((ROOT / "tests" / "samples").glob("*.mjlog"))
    found = [(f"{i}-{s.name}", s.read_bytes()) for i in range(n) for s in samples]
    return found[:n], "samples of the tests"


def parsing() -> list[Speed]:
    """Records to Games, and the checked replay, beside jansou's parse, replay and check."""
    from haiyomi.game.table import check_game
    from haiyomi.logs.load import parse

    games, _ = records(60)
    try:
        from jansou.io.mjlog import parse_mjlog
        from jansou.io.replay import replay_paifu
        from jansou.validation.check import check_paifu
    except ImportError:
        parse_mjlog = replay_paifu = check_paifu = None
    few = games[:5]

    def whole() -> None:
        for name, data in games:
            check_game(parse(data, name))

    def their_whole() -> None:
        for _, data in few:
            paifu = parse_mjlog(data)
            list(replay_paifu(paifu))
            check_paifu(paifu)

    whole()
    there = parse_mjlog is not None
    alone, their_alone = alternate(
        lambda: [parse(data, name) for name, data in games],
        len(games),
        (lambda: [parse_mjlog(data) for _, data in few]) if there else None,
        len(few),
    )
    both, their_both = alternate(whole, len(games), their_whole if there else None, len(few))
    name = "jansou 0.14"
    return [
        Speed("parse mjlog", "games/s", alone, name, their_alone),
        Speed("parse and checked replay", "games/s", both, name, their_both),
    ]


def streaming() -> list[Speed]:
    """mjai lines to Positions, one at each own decision, beside riichienv's apply_event."""
    from haiyomi.events import Discard, visible_to
    from haiyomi.game.position_fold import PositionFold
    from haiyomi.logs.fields import decode_json
    from haiyomi.logs.load import parse, write
    from haiyomi.logs.mjai_read import LiveStream
    from haiyomi.tiles import Seat

    texts = [write(parse(data, name), "mjai").splitlines() for name, data in records(40)[0]]
    # riichienv refuses a field under both of its names.
    clean = []
    for lines in texts:
        messages = [json.loads(line) for line in lines]
        clean.append(
            [json.dumps({k: v for k, v in m.items() if k != "ura_markers"}) for m in messages]
        )
    events = sum(map(len, clean))

    def mine() -> None:
        for lines in clean:
            fold, stream = PositionFold(Seat(0)), LiveStream()
            for number, line in enumerate(lines):
                for event in stream.feed(decode_json(line), number):
                    if type(event) is Discard and event.seat == 0:
                        fold.position()
                    fold.apply(visible_to(event, Seat(0)))

    try:
        import riichienv
    except ImportError:
        riichienv = None

    def theirs() -> None:
        for lines in clean:
            env = riichienv.RiichiEnv(skip_mjai_logging=True)
            for line in lines:
                env.apply_event(json.loads(line))

    rate, other = alternate(mine, events, theirs if riichienv is not None else None, events)
    task = "mjai lines into Position"
    return [Speed(task, "events/s", rate, "riichienv 0.4.11", other)]


_BUILD = """
import json, sys, time
from pathlib import Path
from bench.machine import peak_kilobytes
from haiyomi.training.dataset import build
from haiyomi.training.reading_rows import split_rows
corpus, out = Path(sys.argv[2]), sys.argv[3]
spent = []
for i in range(3):
    began = time.process_time()
    if sys.argv[1] == "dataset":
        build(corpus, Path(f"{out}{i}"), 1)
    else:
        for split in ("train", "valid", "test"):
            split_rows(corpus, split, 1)
    spent.append(time.process_time() - began)
# The first loads libraries.
print(json.dumps([min(spent[1:]), peak_kilobytes()]))
"""


def in_process(what: str, corpus: pathlib.Path, out: pathlib.Path) -> tuple[float, float]:
    """(processor seconds, peak MB) of a build in a process of its own."""
    ran = subprocess.run(
        [sys.executable, "-c", _BUILD, what, str(corpus), str(out)],
        capture_output=True,
        text=True,
        check=True,
    )
    spent, peak = json.loads(ran.stdout)
    return float(spent), peak / 1024


def size(folder: pathlib.Path) -> int:
    """Bytes of all files of a folder."""
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())


def building() -> list[Speed]:
    """The dataset with all labels, and the rows of hidden hands in memory, in a process of their
    own."""
    games, _ = records(96)
    found = []
    with tempfile.TemporaryDirectory() as place:
        corpus = pathlib.Path(place) / "corpus"
        for split, part in (("train", games[:80]), ("valid", games[80:90]), ("test", games[90:])):
            (corpus / split).mkdir(parents=True)
            for name, data in part:
                (corpus / split / pathlib.PurePath(name).name).write_bytes(data)
        stages = {"dataset build, all labels": "dataset", "rows of hidden hands": "rows"}
        for task, what in stages.items():
            took, peak = in_process(what, corpus, pathlib.Path(place) / what)
            more = {"peak_mb": round(peak)}
            if what == "dataset":
                more["bytes_a_game"] = round(size(pathlib.Path(place) / f"{what}0") / len(games))
            rate = len(games) / took
            found.append(Speed(task, "games/s", rate, more=more))
    return found


def evaluating() -> list[Speed]:
    """``evaluate`` of the deal-in model and of the reading of hands."""
    from haiyomi.dealin.models import load_model
    from haiyomi.evaluation.opponents.dealin_experiment import TABLES
    from haiyomi.evaluation.opponents.dealin_rows import game_rows
    from haiyomi.evaluation.opponents.reading_predictions import ask, load_models
    from haiyomi.logs.load import parse
    from haiyomi.training.reading_rows import game_rows as reading_rows

    games = [(name, parse(data, name)) for name, data in records(4)[0]]
    model: Any = load_model()
    dealin = len(games) / seconds(
        lambda: [game_rows(model, n, g, tuple(TABLES), None) for n, g in games]
    )
    counts, crfs = load_models(None, (None, None, None))
    few = games[:2]
    reading = len(few) / seconds(lambda: [ask(reading_rows(n, g), counts, crfs) for n, g in few])
    return [
        Speed("evaluate dealin", "games/s", dealin),
        Speed("evaluate reading", "games/s", reading),
    ]


def reviewing() -> list[Speed]:
    """All four seats of whole games, as numbers alone, as text and as pages: every 24th of test."""
    from haiyomi.analysis.analyzer import Analyzer
    from haiyomi.analysis.models import Models
    from haiyomi.apps.review_page import page_analyzer, page_of
    from haiyomi.logs.load import parse
    from haiyomi.review.review_text import TEXT_PARTS, review_lines
    from haiyomi.review.reviewer import review_game
    from haiyomi.review.words import words_of
    from haiyomi.tiles import Seat

    words = words_of("en")
    games = [parse(data, name) for name, data in records(296)[0][::24]]
    risk, some = Analyzer(parts=("deal_in",)), Analyzer(parts=TEXT_PARTS, details=())
    whole = page_analyzer(Models())
    review_game(games[0], Seat(0), whole, (0,))
    sizes: list[int] = []

    def risks(game: Game) -> None:
        for s in range(4):
            review_game(game, Seat(s), risk)

    def text(game: Game) -> None:
        for s in range(4):
            for _ in review_lines(review_game(game, Seat(s), some), words):
                pass

    def pages(game: Game) -> None:
        for s in range(4):
            sizes.append(len(page_of(review_game(game, Seat(s), whole), "en")))

    hands = sum(len(game.hands) for game in games)
    found = []
    for name, review in (("risks", risks), ("text", text), ("pages", pages)):
        took = [seconds(partial(review, game)) for game in games]
        about: dict[str, Any] = {
            "games": len(games),
            "hands": round(hands / len(games), 1),
            "seconds": round(mean(took), 2),
            "seconds_a_hand": round(sum(took) / hands, 3),
            "longest": round(max(took), 2),
            "within_two_seconds": round(sum(t <= 2 for t in took) / len(took), 2),
        }
        if sizes:
            about["page_bytes"] = round(mean(sizes))
        task = f"review, four seats: {name}"
        found.append(Speed(task, "games/s", 1 / mean(took), more=about))
    return found


def kernels() -> list[Speed]:
    """Shanten and scoring beside riichienv, as ``bench.kernels`` times them."""
    from bench import kernels as core

    try:
        import riichienv
    except ImportError:
        riichienv = None
    found = []
    for task in (core.shanten_task, core.scoring_task):
        rates = task(3, riichienv)
        mine = next(r for r in rates if r.program == "haiyomi")
        other = next((r.median for r in rates if r.program == "riichienv"), None)
        found.append(Speed(mine.task, "hands/s", mine.median, "riichienv 0.4.11", other))
    return found


def playing() -> list[Speed]:
    """Play at the compiled table, as ``bench.play`` times it."""
    from bench import play

    return play.playing()


STAGES: tuple[Callable[[], list[Speed]], ...] = (
    parsing, streaming, kernels, playing, building, evaluating, reviewing,
)  # fmt: skip


def measure() -> list[Speed]:
    """Every stage, in turn."""
    # As the command line sets it: what is kept holds no cycles.
    gc.set_threshold(100_000, 50, 100)
    found: list[Speed] = []
    for stage in STAGES:
        found += stage()
    return found


def peak_mb() -> float:
    """Peak memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
