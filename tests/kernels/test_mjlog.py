"""mjlog read by the core: the words of what the reader in Python reads, or nothing."""

from __future__ import annotations

import random
import re
import zipfile
from array import array
from contextlib import suppress
from dataclasses import replace
from urllib.parse import unquote

import pytest
from fuzz.mutate import mutate
from fuzz.targets import core_mjlog, sample_games, short_games

from haiyomi.errors import IllegalError
from haiyomi.events import Absence, Game
from haiyomi.kernels.mjlog import read_mjlog
from haiyomi.kernels.replay import encode
from haiyomi.logs.load import parse, write
from haiyomi.play.demo import demo_game
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.rules import TENHOU, TENHOU_EAST
from haiyomi.tiles import Seat

GAMES = sample_games()
RECORD = write(GAMES[0], "mjlog")
ATTRIBUTES = " ".join(f'a{i}=""' for i in range(65))


def _same(data: bytes, game: Game) -> None:
    found = read_mjlog(data)
    assert found is not None
    words, hands = array("i"), array("q", [0])
    for hand in game.hands:
        words += encode(hand)
        hands.append(len(words))
    assert found.words.tolist() == words.tolist()
    assert found.hands.tolist() == hands.tolist()
    assert tuple(map(unquote, found.names)) == game.header.names
    assert found.rounds == game.header.rules.rounds
    absent = [{s for s, _, _ in game.absent(number)} for number in range(len(game.hands))]
    assert found.absent.tolist() == [sum(1 << s for s in seats) for seats in absent]


def test_it_reads_what_haiyomi_writes() -> None:
    games = [*GAMES, simulate_rule_players(3, 1, rules=TENHOU_EAST, names=("é", "a b", "<&>", '"'))]
    games.append(simulate_rule_players(3, 2, rules=TENHOU.but(red_fives=False, kuitan=False)))
    for game in games:
        data = write(game, "mjlog").encode()
        _same(data, parse(data))


@pytest.mark.corpus
def test_it_reads_all_of_a_split(corpus: object) -> None:
    with zipfile.ZipFile(f"{corpus}/test.zip") as archive:
        names = [name for name in archive.namelist() if name.endswith(".mjlog")]
        for name in names:
            data = archive.read(name)
            _same(data, parse(data, name))


def test_whose_line_was_down() -> None:
    hands = len(GAMES[0].hands)
    rng = random.Random(5)
    for _ in range(40):
        places = sorted(
            (rng.randrange(hands), rng.randrange(9), rng.randrange(4), rng.random() < 0.5)
            for _ in range(rng.randrange(8))
        )
        absences = tuple(Absence(h, e, Seat(s), back) for h, e, s, back in places)
        data = write(replace(GAMES[0], absences=absences), "mjlog").encode()
        _same(data, parse(data))


def test_indicators_are_put_into_the_canonical_order() -> None:
    text = write(demo_game(), "mjlog")
    tags = text.split("<")
    reveals = [i for i, tag in enumerate(tags) if tag.startswith("DORA")]
    assert reveals
    for at in reveals:
        for to in range(at - 2, at + 4):
            moved = tags[:at] + tags[at + 1 :]
            moved.insert(to, tags[at])
            data = "<".join(moved).encode()
            _same(data, parse(data))


@pytest.mark.parametrize("seats", ["12", "21", "30", "03", "123", "321", "0123"])
def test_wins_on_one_tile_are_put_into_turn_order(seats: str) -> None:
    won = next(tag for tag in RECORD.split("<") if tag.startswith("AGARI"))
    assert re.search(r'who="\d" fromWho="\d"', won)
    wins = [re.sub(r'who="\d" fromWho="\d"', f'who="{s}" fromWho="2"', won) for s in seats]
    data = RECORD.replace(won, "<".join(wins)).encode()
    _same(data, parse(data))


@pytest.mark.parametrize(
    ("change", "into"),
    [
        ("<INIT", "\n<INIT"), ("<T", " <T"), ('"/>', '" />'), ('" ', '"  '), ("><", ">\r\n<"),
        ("<D", "<d"),
    ],
)  # fmt: skip
def test_blanks_between_tags_are_read(change: str, into: str) -> None:
    data = RECORD.replace(change, into).encode()
    _same(data, parse(data))


@pytest.mark.parametrize(
    ("change", "into"),
    [
        ("<INIT", "<!-- a comment --><INIT"), ("<mjloggm", "\ufeff<mjloggm"),
        ('who="0"', "who='0'"),
        ('who="0"', 'who = "0"'), ('who="0"', 'who="0" who="0"'), ("<mjloggm", " <mjloggm"),
        ('m="', 'm="0'), ('machi="', 'machi="0'), ('n0="', 'n0="&amp;'), ('n0="', 'n0="é'),
        ('<mjloggm', '<?xml version="1.0"?><mjloggm'),
    ],
)  # fmt: skip
def test_other_spellings_are_left_to_the_reader_in_python(change: str, into: str) -> None:
    data = RECORD.replace(change, into).encode()
    assert data != RECORD.encode()
    assert read_mjlog(data) is None


@pytest.mark.parametrize(
    "data",
    [
        b"", b"<", b"<>", b"<mjloggm>", b'<mjloggm ver="2.3"></mjloggm>', RECORD.encode()[:-20],
        RECORD.encode() + b"<T0/>", RECORD.replace("<INIT", "<INIT></INIT><INIT").encode(),
        RECORD.replace("</mjloggm>", "").encode(), RECORD.replace("T", "H").encode(),
        RECORD.encode() * 2, bytes(1000), b"{" + RECORD.encode(),
        RECORD.replace("/><", "/><DORA hai='1'/><").encode(),
        RECORD.replace("<T", '<REACH who="0" step="1"/>' * 400 + "<T", 1).encode(),
        RECORD.replace("<T", f'<CHAT text="{"x" * (1 << 14)}x"/><T', 1).encode(),
        RECORD.replace("<T", f"{' ' * (1 << 16)}<T", 1).encode(),
        RECORD.replace("<T", f"<CHAT {ATTRIBUTES}/><T", 1).encode(),
    ],
)  # fmt: skip
def test_what_is_damaged_or_too_large_is_not_read(data: bytes) -> None:
    assert read_mjlog(data) is None


def test_mutated_records_are_read_alike_or_not_at_all() -> None:
    """The core never reads what the reader in Python refuses, nor reads it otherwise."""
    seeds = [write(game, "mjlog").encode() for game in short_games()]
    rng = random.Random(11)
    for _ in range(3_000):
        with suppress(IllegalError):  # of the sums
            core_mjlog(mutate(rng, seeds))


def test_a_line_s_end_and_a_name_of_mahjong_soul_are_left_to_its_reader() -> None:
    """``load`` takes such bytes for a binary record of Mahjong Soul."""
    record = RECORD.replace("<INIT", '<CHAT text=".lq."/><INIT', 1)
    assert read_mjlog(record.encode()) is not None
    assert read_mjlog(f"\n{record}".encode()) is None
