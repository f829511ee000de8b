"""Records and labels that the core writes from words are those of positions and hidden truth."""

from __future__ import annotations

import pathlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from game.odd_games import odd_game
from play.rigged import Puppet, four, rig, run

from haiyomi.apps.policy_labels import label_of
from haiyomi.corpus import Corpus
from haiyomi.errors import MismatchError
from haiyomi.events import (
    AbortiveDraw,
    Absence,
    Ankan,
    Deal,
    Event,
    ExhaustiveDraw,
    Game,
    Hand,
    Header,
    Kakan,
    Pon,
    Riichi,
    Win,
    by_place,
)
from haiyomi.game.decision_labels import ENDINGS, HIDDEN, KEYS, Labels, is_known
from haiyomi.game.decision_record import DECISION, Decisions, without_tedashi
from haiyomi.game.labelled import labelled
from haiyomi.game.observation import NONE, TSUMOGIRI, pack, unpack
from haiyomi.game.packed_games import decode_games, pack_games
from haiyomi.game.table import check_game
from haiyomi.kernels.game_rows import GameFault
from haiyomi.logs.load import parse
from haiyomi.play.decision import decisions
from haiyomi.play.packed_decision import pack_decision, unpack_decisions
from haiyomi.play.player import Claim
from haiyomi.rules import MAHJONG_SOUL, TENHOU, TENHOU_EAST
from haiyomi.tiles import Seat

RULES = (TENHOU, TENHOU_EAST, MAHJONG_SOUL)


def rows_of(game: Game, **sampling: Any) -> tuple[Decisions, Labels]:
    return decode_games(pack_games([("game", game)]), **sampling)


def slow_rows(game: Game) -> tuple[list[tuple[int, int, int]], Decisions, list[Any]]:
    """Keys, records and choices of a game's decisions, by the Position of each."""
    keys, packed, choices = [], [], []
    for decision in decisions(game):
        if isinstance(decision.history[-1], Riichi) or decision.absent:
            continue  # the discard of a riichi belongs to the choice before
        keys.append((decision.hand, decision.event, int(decision.seat)))
        packed.append(pack_decision(decision))
        label = label_of(decision.choices, decision.seat, decision.followed)
        choices.append(((NONE, NONE - 1, 0, 0), NONE) if label is None else label)
    return keys, unpack_decisions(b"".join(packed)), choices


def assert_same_rows(game: Game) -> int:
    records, labels = rows_of(game)
    keys, slow, choices = slow_rows(game)
    assert list(zip(*(labels[k].tolist() for k in ("hand", "event", "seat")), strict=True)) == keys
    assert labels["choice"].tolist() == [tuple(choice) for choice, _ in choices]
    for name in DECISION.names or ():
        assert np.array_equal(records[name], slow[name]), name
    assert records.tobytes() == slow.tobytes()
    # A tile that a kan took from the hand is no discard.
    assert labels["code"].tolist() == [code for _, code in choices]
    return len(keys)


@pytest.fixture(scope="module")
def games() -> list[Game]:
    return [odd_game(n, RULES[n % 3]) for n in range(9)]


def rigged_games() -> Iterator[Game]:
    """Hands of what hardly ever happens."""
    robbed = rig(["", "55p", "46p123m456m678s11s"], "5p1z1z2z0p", indicators="4z")
    kans = rig(["1111m2222m", "1111p2222p"], "1z2z", rinshan="3z3z4z5z")
    waits = ["", "234m567m234p88p46s", "345m678m678p22p46s"]
    dragons = rig(["", "55z66z77z123m9s128p"], "5z6z7z1z1z1z9s")
    played = [
        run(robbed, four(s1=Puppet(Pon, Kakan), s2=Puppet(Claim))),
        run(kans, four(s0=Puppet(Ankan), s1=Puppet(Ankan))),
        run(rig(waits, "5s"), four(s1=Puppet(Claim), s2=Puppet(Claim))),
        run(dragons, four(s1=Puppet(Claim, Pon, throws="1p2p8p"))),
    ]
    for one in played:
        yield Game(Header(rules=TENHOU), (one.hand,))


def test_records_and_choices_are_those_of_positions(games: list[Game]) -> None:
    assert sum(map(assert_same_rows, games)) > 4000


def test_rare_events_too(games: list[Game]) -> None:
    rigged = list(rigged_games())
    assert all(map(assert_same_rows, rigged))
    events = [e for game in (*games, *rigged) for hand in game.hands for e in hand.events]
    seen = Counter(type(event).__name__ for event in events)
    assert min(seen[k] for k in ("Kakan", "Ankan", "Daiminkan", "AbortiveDraw")) >= 3
    wins = [event for event in events if isinstance(event, Win)]
    assert any(win.pao is not None for win in wins)
    assert any(isinstance(a, Kakan) and isinstance(b, Win) for a, b in pairwise(events))
    assert any(isinstance(a, Win) and isinstance(b, Win) for a, b in pairwise(events))


def test_samples_and_absent_seats(root: pathlib.Path) -> None:
    paths = [p for p in sorted((root / "tests" / "samples").iterdir()) if p.suffix != ".md"]
    for path in paths:
        game = parse(path.read_bytes(), path.name)
        away = (Absence(0, 9, Seat(2)), Absence(1, 4, Seat(2), True), Absence(2, 0, Seat(1)))
        whole = assert_same_rows(game)
        assert 0 < assert_same_rows(replace(game, absences=away)) < whole


@pytest.mark.corpus
@pytest.mark.parametrize("folder", ["corpus", "corpus-large"])
def test_real_records(shared: pathlib.Path, folder: str) -> None:
    corpus = Corpus(shared / folder / "valid.zip").first(15)
    assert sum(assert_same_rows(game) for _, game in corpus) > 4000


def test_every_discard_has_what_its_seat_saw_and_what_was_hidden(games: list[Game]) -> None:
    for game in games[:3]:
        records, labels = rows_of(game, discards=True)
        found = list(labelled(game, lambda truth: ~truth.forced))
        assert len(found) == len(labels)
        seen = unpack(b"".join(pack(one.position) for one in found))
        assert records["observation"].tobytes() == seen.tobytes()
        for one, row in zip(found, labels, strict=True):
            i, truth = one.decision, one.labels
            assert (row["hand"], row["discards"], row["seat"]) == (one.hand, i, one.seat)
            assert (row["event"], row["code"]) == (one.event - 1, one.discard.tile.code)
            won = {(one.seat + r) % 4 for r in range(4) if row["ronned"] >> r & 1}
            assert won == {seat for seat in range(4) if truth.ronned[i] >> seat & 1}
            for r in (1, 2, 3):
                seat, opponent = (one.seat + r) % 4, row["opponents"][r - 1]
                for column in (
                    "concealed",
                    "reds",
                    "furiten",
                    "han",
                    "fu",
                    "waits",
                    "ron",
                    "points",
                ):
                    stated = getattr(truth, column)[i, seat]
                    assert np.array_equal(opponent[column], stated), column


def test_how_the_hand_and_the_game_end(games: list[Game]) -> None:
    endings: Counter[str] = Counter()
    for game in games:
        ends = check_game(game)
        _, labels = rows_of(game)
        final = game.header.final
        assert final is not None
        place = {seat: n for n, seat in enumerate(by_place(final))}
        slow = [d for d in decisions(game) if not isinstance(d.history[-1], Riichi)]
        for row, decision in zip(labels, slow, strict=True):
            seat = int(decision.seat)
            around = [(seat + r) % 4 for r in range(4)]
            name = ENDINGS[row["ending"]]
            endings[name] += 1
            assert row["deltas"][0] == decision.gain
            assert row["final"].tolist() == [final[s] for s in around]
            assert row["places"].tolist() == [place[Seat(s)] for s in around]
            assert name == _ending(decision.endings, seat), decision.endings
            winners = {s for r, s in enumerate(around) if row["winners"] >> r & 1}
            assert winners == {e.seat for e in decision.endings if isinstance(e, Win)} | {
                s for e in decision.endings if isinstance(e, ExhaustiveDraw) for s in e.nagashi
            }
        # From a hand's first decision on all four scores change by what the hand brings.
        for number, (hand, end) in enumerate(zip(game.hands, ends, strict=True)):
            first = labels[labels["hand"] == number][0]
            for r, delta in enumerate(first["deltas"]):
                s = (first["seat"] + r) % 4
                assert delta == end.scores[s] - hand.start.scores[s]
    assert set(endings) >= set(ENDINGS) - {"nagashi mangan"}


def _ending(events: Sequence[Event], seat: int) -> str:
    if isinstance(events[0], AbortiveDraw):
        return "abortive draw"
    if isinstance(events[0], ExhaustiveDraw):
        if events[0].nagashi:
            return "nagashi mangan"
        assert events[0].tenpai is not None
        return "exhaustive draw in tenpai" if events[0].tenpai[seat] else "exhaustive draw noten"
    wins = [event for event in events if isinstance(event, Win)]
    if any(win.seat == seat for win in wins):
        return "wins by own draw" if wins[0].tsumo else "wins by ron"
    if wins[0].tsumo:
        return "another wins by own draw"
    return "deals in" if wins[0].target == seat else "another is ronned"


def test_a_game_without_final_scores_has_no_places(games: list[Game]) -> None:
    game = replace(games[0], header=replace(games[0].header, final=None))
    _, labels = rows_of(game)
    assert (labels["places"] == NONE).all()
    assert (labels["final"] == 0).all()


def _swapped(hand: Hand) -> tuple[Hand, set[int]] | None:
    """The hand with two dealt tiles exchanged that nobody saw, and the seats that held them."""
    ending = [e for e in hand.events if isinstance(e, Win)]
    quiet = [
        s
        for s in range(4)
        if ending
        and all(e.seat != s for e in ending)
        and not any(isinstance(e, Riichi) and e.seat == s for e in hand.events)
    ]
    deal = hand.events[1]
    if len(quiet) < 2 or not isinstance(deal, Deal):
        return None
    shown = [
        {t.kind for e in hand.events[2:] for t in _tiles(e) if getattr(e, "seat", None) == s}
        for s in quiet[:2]
    ]
    unused = [
        [i for i, t in enumerate(deal.hands[s]) if t.kind not in used]
        for s, used in zip(quiet, shown, strict=False)
    ]
    pairs = [(i, j) for i in unused[0] for j in unused[1]]
    a, b = quiet[:2]
    for i, j in pairs:
        x, y = deal.hands[a][i], deal.hands[b][j]
        if x == y:
            continue
        hands = [list(h) for h in deal.hands]
        hands[a][i], hands[b][j] = y, x
        events = (hand.events[0], Deal(tuple(map(tuple, hands))), *hand.events[2:])
        return Hand(events), {a, b}
    return None


def _tiles(event: Event) -> list[Any]:
    one = getattr(event, "tile", None)
    return [*([one] if one else []), *getattr(event, "tiles", ()), *getattr(event, "consumed", ())]


def test_dealing_what_nobody_saw_anew_changes_no_record(games: list[Game]) -> None:
    """Only the labels of hidden columns may tell the two hands from each other."""
    checked = differ = 0
    for game in games:
        for hand in game.hands:
            other = _swapped(hand)
            if other is None:
                continue
            header = replace(game.header, final=None)
            (first, truth), (second, changed) = (
                rows_of(Game(header, (h,))) for h in (hand, other[0])
            )
            mine, theirs = (~np.isin(t["seat"], list(other[1])) for t in (truth, changed))
            assert first[mine].tobytes() == second[theirs].tobytes()
            open_to_all = [*KEYS, "choice", "deltas", "ending"]
            for column in open_to_all:
                assert np.array_equal(truth[column][mine], changed[column][theirs])
            hidden = (truth[HIDDEN[0]][mine] != changed[HIDDEN[0]][theirs]).any()
            checked += int(mine.sum())
            differ += bool(hidden)
    assert checked > 500
    assert differ > 5


def test_a_sample_depends_on_the_seed_and_not_on_other_games(games: list[Game]) -> None:
    batch = pack_games([(str(n), game) for n, game in enumerate(games)])
    records, labels = decode_games(batch)
    some, kept = decode_games(batch, fraction=0.2, seed=4)
    places_kept = set(map(tuple, kept[list(KEYS)].tolist()))
    inside = [tuple(key) in places_kept for key in labels[list(KEYS)].tolist()]
    assert records[inside].tobytes() == some.tobytes()
    assert labels[inside].tobytes() == kept.tobytes()
    assert abs(len(some) / len(records) - 0.2) < 0.02
    assert decode_games(batch, fraction=0.2, seed=5)[0].tobytes() != some.tobytes()
    lone, _ = decode_games(pack_games([("3", games[3])]), fraction=0.2, seed=4)
    assert lone.tobytes() == some[kept["game"] == 3].tobytes()


def test_the_share_of_decisions_is_the_same_however_a_hand_ends(games: list[Game]) -> None:
    batch = pack_games([(str(n), game) for n, game in enumerate(games)])
    _, labels = decode_games(batch)
    _, kept = decode_games(batch, fraction=0.5)
    for length in (labels["event"] < 40, labels["event"] >= 40):
        total, part = int(length.sum()), int(np.isin(labels[length], kept).sum())
        assert abs(part / total - 0.5) < 4 * (0.25 / total) ** 0.5


def test_who_forgets_tedashi_keeps_what_is_known_without(games: list[Game]) -> None:
    records, _ = rows_of(games[0])
    forgotten = without_tedashi(records)
    before, after = (r["observation"]["players"] for r in (records, forgotten))
    assert (forgotten["observation"]["forgets"] == 1).all()
    assert np.array_equal(before[:, 0], after[:, 0])
    open_hands = after["riichi"][:, 1:] < 0
    assert not (after["flags"][:, 1:][open_hands] & TSUMOGIRI).any()
    riichi = np.argwhere(before["riichi"] >= 0)
    assert len(riichi)
    for row, seat in riichi:
        later = slice(int(before["riichi"][row, seat]) + 1, None)
        assert np.array_equal(before["flags"][row, seat, later], after["flags"][row, seat, later])
    assert np.array_equal(before["kind"], after["kind"])


def test_a_choice_is_unknown_where_another_s_call_or_win_came_first(games: list[Game]) -> None:
    _, labels = rows_of(games[0])
    known = is_known(labels)
    assert 0.8 < known.mean() < 1
    assert (labels["choice"]["chosen"][~known] == 0).all()


def test_a_game_that_does_not_replay_is_named(games: list[Game]) -> None:
    hands = list(games[1].hands)
    *most, last = hands[2].events
    assert isinstance(last, Win | ExhaustiveDraw)
    a, b, c, d = last.deltas
    hands[2] = Hand((*most, replace(last, deltas=(a + 100, b - 100, c, d))))
    batch = pack_games([("good", games[0]), ("bad", replace(games[1], hands=tuple(hands)))])
    with pytest.raises(GameFault) as caught:
        decode_games(batch)
    error = caught.value.error
    assert (caught.value.game, error.hand, error.event) == (1, 2, len(most))
    assert isinstance(error, MismatchError)


def test_arrays_that_do_not_fit_are_refused(games: list[Game]) -> None:
    batch = pack_games([("a", games[0])])
    for change in (
        {"hands": batch.hands[:-1]},
        {"games": batch.games + 1},
        {"keys": batch.keys[:0]},
        {"rules": np.full_like(batch.rules, 5)},
        {"changes": np.array([[1, 0, 0, 0, 0]], np.int32)},
    ):
        with pytest.raises(ValueError, match=r"game|hand|key|rounds|line"):
            decode_games(replace(batch, **change))
    for fraction in (0.0, -1.0, 1.5, float("nan")):
        with pytest.raises(ValueError, match="fraction"):
            decode_games(batch, fraction=fraction)
