"""Packed games are the records' games; the stream of their decisions is whole and repeatable."""

from __future__ import annotations

import json
import pathlib
import re
import sys
import zipfile
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from training.made_corpus import made_corpus

from haiyomi.apps.cli import main
from haiyomi.corpus import Corpus
from haiyomi.errors import ArgumentError, DatasetError
from haiyomi.game.packed_games import decode_games, pack_games
from haiyomi.kernels.decode import decode
from haiyomi.storage.seal import digest
from haiyomi.training import packed_corpus
from haiyomi.training.dataset import build
from haiyomi.training.decision_stream import DecisionStream, Segment
from haiyomi.training.packed_corpus import GAMES, MANIFEST, pack_corpora
from haiyomi.training.packed_reader import read_shard, shards_of


@pytest.fixture(scope="module")
def corpora(tmp_path_factory: pytest.TempPathFactory) -> list[pathlib.Path]:
    """Two corpora; one game is in both."""
    folder = tmp_path_factory.mktemp("corpora")
    return [
        made_corpus(folder / "one", range(4), range(4, 5), range(5, 6)),
        made_corpus(folder / "two", range(10, 13), range(4, 5), range(14, 15)),
    ]


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory, corpora: list[pathlib.Path]) -> pathlib.Path:
    """Both packed, two games a shard: train has four shards."""
    out = tmp_path_factory.mktemp("packed") / "games"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packed_corpus, "GAMES_A_SHARD", 2)
        report = pack_corpora(corpora, out, 1)
    assert report.games == {"train": 7, "valid": 1, "test": 2}
    assert [name for name, _ in report.skipped] == ["4.mjlog"]
    assert report.size == sum(f.stat().st_size for f in out.glob(f"*/*/{GAMES}"))
    return out


def keys_of(parts: list[Segment]) -> list[tuple[str, int, int, int]]:
    return [
        (str(game), *place)
        for part in parts
        for game, place in zip(
            part.of_game("game"), part.labels[["hand", "event", "seat"]].tolist(), strict=True
        )
    ]


def test_the_words_and_facts_are_those_of_the_records(
    packed: pathlib.Path, corpora: list[pathlib.Path]
) -> None:
    wanted = {
        entry.game_name: game
        for corpus in corpora
        for entry, game in zip(
            Corpus(corpus / "train.zip").entries,
            [game for _, game in Corpus(corpus / "train.zip")],
            strict=True,
        )
    }
    found = {}
    for shard in shards_of(packed, "train"):
        games = read_shard(shard)
        words = games.words
        for i, name in enumerate(games.game.tolist()):
            starts = words.hands[words.games[i] : words.games[i + 1] + 1]
            hands = [decode(words.words[a:b].tolist()) for a, b in pairwise(starts)]
            found[name] = hands
            assert tuple(games.players[i]) == wanted[name].header.names
            assert tuple(words.final[i]) == wanted[name].header.final
            assert games.rounds[i] == wanted[name].header.rules.rounds
    assert found == {name: [hand.events for hand in game.hands] for name, game in wanted.items()}


def test_a_stream_has_every_decision_once(
    packed: pathlib.Path, corpora: list[pathlib.Path]
) -> None:
    stream = DecisionStream(packed, "train")
    batches = list(stream.batches(500))
    keys = keys_of(batches)
    assert len(set(keys)) == len(keys)
    expected = 0
    for corpus in corpora:
        games = [(str(i), game) for i, (_, game) in enumerate(Corpus(corpus / "train.zip"))]
        expected += len(decode_games(pack_games(games))[0])
    assert len(keys) == expected
    # Shuffled within a segment: neighbours are of different hands.
    first = batches[0].labels
    assert (np.diff(first["hand"].astype(int)) != 0).mean() > 0.5
    names = {str(name) for part in batches for name in np.unique(part.player)}
    assert names == {f"haiyomi-{i}" for i in (1, 2, 3, 4)}
    for fact in ("game", "players", "dan", "level", "table", "year", "rounds"):
        assert len(batches[0].of_game(fact)) == len(batches[0])


def test_the_same_seed_gives_the_same_batches_and_goes_on_from_any(packed: pathlib.Path) -> None:
    stream = DecisionStream(packed, "train", seed=5, share=0.3, shards=2)
    whole = [(b.records.tobytes(), b.labels.tobytes()) for b in stream.batches(64, epoch=1)]
    assert whole == [(b.records.tobytes(), b.labels.tobytes()) for b in stream.batches(64, 1)]
    for batch in (1, len(whole) // 2, len(whole) - 1):
        rest = [(b.records.tobytes(), b.labels.tobytes()) for b in stream.batches(64, 1, batch)]
        assert rest == whole[batch:]
    other = replace(stream, seed=6)
    assert next(other.batches(64)).records.tobytes() != whole[0][0]
    assert set(keys_of(list(stream.batches(64, 0)))) == set(keys_of(list(stream.batches(64, 1))))


def test_ranks_share_the_shards(packed: pathlib.Path) -> None:
    parts = [DecisionStream(packed, "train", rank=r, ranks=2) for r in range(2)]
    assert [part.segments for part in parts] == [2, 2]
    mine, others = (set(keys_of(list(part.batches(500)))) for part in parts)
    assert not mine & others
    assert mine | others == set(keys_of(list(DecisionStream(packed, "train").batches(500))))
    with pytest.raises(ArgumentError, match=r"^rank 4 of 4: expected 0 to 3$"):
        DecisionStream(packed, "train", rank=4, ranks=4)
    with pytest.raises(ArgumentError, match=r"^shards is 0: expected 1 or more$"):
        DecisionStream(packed, "train", shards=0)
    with pytest.raises(DatasetError, match=r"has 4 shards, which is too few for 5 processes$"):
        DecisionStream(packed, "train", ranks=5)


@pytest.mark.parametrize("size", [0, -64])
def test_batches_without_rows_are_refused(packed: pathlib.Path, size: int) -> None:
    """A size below 0 gave a pass without batches, so that nothing was learned of it."""
    with pytest.raises(ArgumentError, match=rf"^size is {size}: expected 1 or more$"):
        next(DecisionStream(packed, "train").batches(size))


def test_a_killed_run_is_finished_with_the_same_bytes(
    tmp_path: pathlib.Path, packed: pathlib.Path, corpora: list[pathlib.Path]
) -> None:
    before = {f.relative_to(packed): digest(f) for f in packed.rglob("*") if f.is_file()}
    (packed / "train" / "00001" / GAMES).unlink()
    (packed / MANIFEST).unlink()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packed_corpus, "GAMES_A_SHARD", 2)
        pack_corpora(corpora, packed, 1)
    after = {f.relative_to(packed): digest(f) for f in packed.rglob("*") if f.is_file()}
    assert after == before
    with pytest.raises(DatasetError, match="holds packed games of other records"):
        pack_corpora(corpora[:1], packed, 1)


@pytest.mark.parametrize("harm", ["cut", "changed", "gone", "manifest"])
def test_damage_is_one_sentence_with_the_file(
    tmp_path: pathlib.Path, corpora: list[pathlib.Path], harm: str
) -> None:
    out = tmp_path / "games"
    pack_corpora(corpora[:1], out, 1)
    file = out / "train" / "00000" / GAMES
    data = bytearray(file.read_bytes())
    if harm == "cut":
        file.write_bytes(data[:-9])
    elif harm == "changed":
        data[len(data) // 2] ^= 1
        file.write_bytes(data)
    elif harm == "gone":
        file.unlink()
    else:
        file = out / MANIFEST
        file.write_text("{}")
    with pytest.raises(DatasetError, match=file.name) as caught:
        list(DecisionStream(out, "train").batches(100))
    assert "\n" not in str(caught.value)


def test_a_game_that_no_longer_replays_is_named(
    tmp_path: pathlib.Path, corpora: list[pathlib.Path]
) -> None:
    """The seal is right, the words are not: as after a change of the rules."""
    out = tmp_path / "games"
    pack_corpora(corpora[:1], out, 1)
    file = out / "train" / "00000" / GAMES
    table = pq.read_table(file)
    rows = table.to_pylist()
    rows[2]["words"][1] = 99
    pq.write_table(table.from_pylist(rows, schema=table.schema), file)
    manifest = json.loads((out / MANIFEST).read_text())
    manifest["shards"]["train"][0][2:] = [file.stat().st_size, digest(file)]
    (out / MANIFEST).write_text(json.dumps(manifest))
    with pytest.raises(DatasetError, match=f"game {rows[2]['game']}: hand 0, event 0"):
        DecisionStream(out, "train").segment(0, 0)


def test_records_that_do_not_replay_are_listed(
    tmp_path: pathlib.Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    corpus = made_corpus(tmp_path / "corpus", range(1), range(1, 2), range(2, 3))
    with zipfile.ZipFile(corpus / "train.zip", "a") as archive:
        archive.writestr("bad.mjlog", b"<mjloggm ver='2.3'></mjloggm>")
    out = str(tmp_path / "out")
    words = ["haiyomi", "dataset", "pack", str(corpus), "--out", out, "--jobs", "1"]
    monkeypatch.setattr(sys, "argv", words)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 1
    printed = capsys.readouterr().out
    assert "3 games (1 train, 1 valid, 1 test)" in printed
    assert "bad.mjlog" in printed


def test_a_folder_that_is_no_corpus(tmp_path: pathlib.Path) -> None:
    with pytest.raises(DatasetError, match="valid and test zips; haiyomi corpus split makes"):
        pack_corpora([tmp_path], tmp_path / "out", 1)
    with pytest.raises(DatasetError, match="no such file or folder"):
        pack_corpora([tmp_path / "missing"], tmp_path / "out", 1)
    with pytest.raises(DatasetError, match="holds no packed games"):
        DecisionStream(tmp_path)


def test_a_folder_of_something_else_is_called_so(
    packed: pathlib.Path, corpora: list[pathlib.Path], tmp_path: pathlib.Path
) -> None:
    """It was called a dataset of other records, to be removed."""
    built = tmp_path / "built"
    build(corpora[0], built, 1)
    with pytest.raises(DatasetError, match="games holds something else than a dataset, or one of"):
        build(corpora[0], packed, 1)
    with pytest.raises(DatasetError, match="built holds something else than packed games, or"):
        pack_corpora(corpora, built, 1)
    with pytest.raises(DatasetError, match=r"games of other records, .* \(shards, sources\)"):
        pack_corpora(corpora[:1], packed, 1)


def test_the_manual_s_program_runs(
    root: pathlib.Path,
    packed: pathlib.Path,
    tmp_path: pathlib.Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    page = (root / "docs" / "how-to" / "packed-games.md").read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    (tmp_path / "PACKED").symlink_to(packed)
    monkeypatch.chdir(tmp_path)
    found: dict[str, Any] = {}
    exec(program, found)
    assert found["seen"].shape == (len(found["batch"]), 34)
    assert found["held"].shape == (len(found["batch"]), 3, 34)
