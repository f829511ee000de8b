"""What is fuzzed: every reader of haiyomi, with inputs of its own making to begin from.

A target takes bytes and either succeeds or raises a HaiyomiError; anything else is a finding.
"""

from __future__ import annotations

import gzip
import io
import json
import zipfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from logs.live import live_events
from logs.majsoul_writer import binary_record, json_record

from haiyomi.errors import HaiyomiError, RecordError
from haiyomi.events import Game, Hand, Header

if TYPE_CHECKING:
    from haiyomi.styles.policy import Policy

SAMPLES = Path(__file__).resolve().parent.parent / "samples"


@dataclass(frozen=True, slots=True)
class Target:
    """``ask`` takes one input; ``seeds`` are whole ones."""

    name: str
    ask: Callable[[bytes], None]
    seeds: list[bytes]

    def outcome(self, data: bytes) -> str:
        """``ok`` or the name of the HaiyomiError; every other exception goes through."""
        try:
            self.ask(data)
        except HaiyomiError as error:
            if not str(error):
                raise AssertionError(f"{type(error).__name__} without a sentence") from None
            return type(error).__name__
        return "ok"


def sample_games() -> list[Game]:
    """The games of the samples."""
    from haiyomi.logs.load import parse

    paths = [path for path in sorted(SAMPLES.iterdir()) if path.suffix != ".md"]
    return [parse(path.read_bytes(), path.name) for path in paths]


def short_games() -> list[Game]:
    """The samples' hands one by one: short inputs make many."""
    games = []
    for game in sample_games():
        hands = sorted(game.hands, key=lambda h: len(h.events))
        header = Header(game.header.names, game.header.rules)
        games += [Game(header, (Hand(h.events),)) for h in (*hands[:3], hands[-1])]
    return games


def read(data: bytes) -> None:
    """Any record: parsed, then replayed and checked as ``verify`` does, then seen from one seat."""
    from haiyomi.events import visible_to
    from haiyomi.game.position_fold import PositionFold
    from haiyomi.game.table import check_game
    from haiyomi.logs.check_stated import check_stated
    from haiyomi.logs.load import parse_all
    from haiyomi.logs.stated import Stated
    from haiyomi.tiles import Seat

    facts: list[Stated] = []
    for game, stated in zip(parse_all(data, "fuzzed", facts), facts, strict=True):
        fold = PositionFold(Seat(1), game.header.rules)
        with suppress(RecordError):
            check_stated(game, stated)
        with suppress(RecordError):
            check_game(game)
        for hand in game.hands:
            for event in hand.events:
                fold.apply(visible_to(event, Seat(1)))
            fold.position()


def core_mjlog(data: bytes) -> None:
    """mjlog by the core: what it reads is what the reader in Python reads, with the same names,
    words and absent seats; the sums of a player's statistics answer or raise a named error."""
    from urllib.parse import unquote

    from haiyomi.kernels.mjlog import read_mjlog
    from haiyomi.kernels.replay import encode
    from haiyomi.kernels.statistic_sums import tally
    from haiyomi.logs.load import parse

    found = read_mjlog(data)
    if found is None:
        return
    try:
        game = parse(data, "fuzzed")
    except HaiyomiError as error:
        raise AssertionError(f"the core reads what is refused: {error}") from None
    words = [encode(hand) for hand in game.hands]
    assert found.words.tolist() == [word for hand in words for word in hand]
    assert found.hands.tolist() == list(accumulate(map(len, words), initial=0))
    assert found.rounds == game.header.rules.rounds
    assert tuple(map(unquote, found.names)) == game.header.names
    absent = [{s for s, _, _ in game.absent(number)} for number in range(len(words))]
    assert found.absent.tolist() == [sum(1 << s for s in seats) for seats in absent]
    tally(found.words, found.hands, found.absent)


def stream(data: bytes) -> None:
    """A live mjai stream of one seat, as a bot gets it."""
    from haiyomi.events import visible_to
    from haiyomi.game.position_fold import PositionFold
    from haiyomi.tiles import Seat

    fold = PositionFold(Seat(0))
    for event in live_events(data.decode("utf-8", "replace").splitlines()):
        fold.apply(visible_to(event, Seat(0)))


def bot(data: bytes) -> None:
    """The stand-in: every line gets one answer, a message of a known type, and none ends it."""
    import json

    from haiyomi.styles.bot import Bot

    made = Bot(policy=_policy(), temperature=0.0)
    for line in data.decode("utf-8", "replace").split("\n"):
        answer = json.loads(made.react(line))
        assert answer["type"] in _ANSWERS


_ANSWERS = (
    "none", "join", "error", "dahai", "chi", "pon", "daiminkan", "ankan", "kakan", "reach", "hora",
    "ryukyoku",
)  # fmt: skip


@lru_cache(maxsize=1)
def _policy() -> Policy:
    """Random weights: what is fuzzed is what the stand-in understands, not how well it plays."""
    from haiyomi.networks.first_weights import first_weights
    from haiyomi.networks.network import Network
    from haiyomi.networks.shape import policy_shape
    from haiyomi.styles.policy import Policy

    shape = policy_shape(16, 1, 16)
    return Policy(Network(shape, first_weights(shape, np.random.default_rng(7))))


def sources(data: bytes) -> None:
    """Uploaded bytes of any kind: zips, pasted addresses, gzip, records."""
    from haiyomi.corpus import Corpus

    for _, game in Corpus.of_bytes("fuzzed", data, 64 << 20).games_and_errors():
        if isinstance(game, RecordError):
            raise game


def position(data: bytes) -> None:
    """A position as JSON, and back."""
    from haiyomi.game.position import Position

    found = Position.from_json(data.decode("utf-8", "replace"))
    assert Position.from_json(json.dumps(found.to_json())) == found


def report(data: bytes) -> None:
    """A report of mjai-reviewer."""
    from haiyomi.apps.mortal_report import parse_report

    parse_report(data, "fuzzed")


def hands(data: bytes) -> None:
    """Hands and melds in notation, as ``haiyomi win`` takes them."""
    from haiyomi.winning.question import WinQuestion

    text = data.decode("utf-8", "replace")
    hand, _, rest = text.partition("|")
    melds, _, seen = rest.partition("|")
    WinQuestion.parse(hand, melds=melds, seen=seen)


def _masked(text: str) -> str:
    import json

    lines = []
    for line in text.splitlines():
        message = json.loads(line)
        if message["type"] == "start_kyoku":
            shown = [t if i == 0 else ["?"] * 13 for i, t in enumerate(message["tehais"])]
            message["tehais"] = shown
        elif message["type"] == "tsumo" and message["actor"] != 0:
            message["pai"] = "?"
        lines.append(json.dumps(message))
    return "\n".join(lines)


def _zip(data: list[bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for i, content in enumerate(data):
            archive.writestr(f"{i}.mjlog", content)
    return out.getvalue()


REPORT = {
    "engine": "mortal",
    "player_id": 1,
    "review": {
        "kyokus": [{
            "kyoku": 3, "honba": 1,
            "entries": [{
                "junme": 4, "tiles_left": 55, "last_actor": 1, "tile": "5mr",
                "details": [
                    {"action": {"type": "dahai", "pai": "E"}, "q_value": -0.25, "prob": 0.75},
                    {"action": {"type": "reach", "actor": 1}, "q_value": -1.5, "prob": 0.25},
                ],
            }],
        }],
    },
}  # fmt: skip
"""A short report of mjai-reviewer."""


def make_targets() -> dict[str, Target]:
    """All targets by name."""
    from urllib.parse import quote

    from haiyomi.game.position_fold import positions
    from haiyomi.logs.load import write
    from haiyomi.tiles import Seat

    games = short_games()
    texts = {form: [write(g, form) for g in games] for form in ("mjlog", "tenhou6", "mjai")}
    records = {form: [t.encode() for t in some] for form, some in texts.items()}
    soul = [json_record(game) for game in games]
    places = [
        json.dumps(p[2].to_json())
        for game in games[:6]
        for p in list(positions(game.hands[0].events, Seat(2)))[::4]
    ]
    links = [f"https://tenhou.net/6/#json={quote(t)}" for t in texts["tenhou6"][:4]]
    mixed = [gzip.compress(r) for r in records["mjlog"][:4]]
    mixed += [_zip(records["mjlog"][i : i + 2]) for i in (0, 2)] + [t.encode() for t in links]
    notation = (
        b"123m406p789s1122z", b"789m14568p67s5557z||9s", b"3456m22z|c111p,789s|5m5m",
        b"1m1m1m2m3m4m5m6m7m8m9m9m9m", b"0m0p0s123456789m1z|", b"2233445566778p8s",
    )  # fmt: skip
    masked = [_masked(t).encode() for t in texts["mjai"]]
    every = [
        Target("mjlog", read, records["mjlog"]),
        Target("mjlog by the core", core_mjlog, records["mjlog"]),
        Target("tenhou6", read, records["tenhou6"]),
        Target("mjai", read, records["mjai"]),
        Target("majsoul", read, [json.dumps(record).encode() for record in soul]),
        Target("majsoul protobuf", read, [binary_record(game) for game in games]),
        Target("mjai stream", stream, masked),
        Target("bot", bot, [b'{"type":"start_game","id":0}\n' + m for m in masked]),
        Target("sources", sources, mixed),
        Target("position", position, [t.encode() for t in places]),
        Target("hands", hands, list(notation)),
        Target("report", report, [json.dumps(REPORT).encode()]),
    ]
    return {target.name: target for target in every}
