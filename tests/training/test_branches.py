"""Paired branches: what they share, what is drawn, and folders that resume."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from apps.in_process import haiyomi
from numpy.typing import NDArray

from haiyomi.errors import DatasetError, ModelError
from haiyomi.game.decision_record import Decisions
from haiyomi.game.packed_games import decode_games, pack_games
from haiyomi.kernels.game_rows import GameWords, game_rows
from haiyomi.kernels.tables import recorded_hands
from haiyomi.networks.first_weights import first_weights
from haiyomi.networks.network import Network
from haiyomi.networks.shape import policy_shape
from haiyomi.outcomes.improved import ImprovedPolicy
from haiyomi.outcomes.joint import ABORTED, DRAWN
from haiyomi.outcomes.option_actions import (
    DISCARDS,
    OPEN_KANS,
    OWN_KANS,
    RIICHIS,
    OptionActions,
    option_shares,
    options_of_records,
)
from haiyomi.play.actions import RIICHI
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.rules import Ruleset
from haiyomi.seeds import generator
from haiyomi.styles.policy import Policy
from haiyomi.styles.self_play import play_out
from haiyomi.training.branch_folder import (
    PlayedGames,
    load_branches,
    make_branches,
    played_sources,
    played_words,
)
from haiyomi.training.branches import (
    RULES,
    Branches,
    BranchSettings,
    Decided,
    begin,
    branches_of,
    decisions_of,
    draw_options,
    legal_actions,
    play_branches,
)

SETTINGS = BranchSettings(fraction=1 / 16, seed=3)


@pytest.fixture(scope="module")
def games(policy: Policy) -> GameWords:
    return played_words(PlayedGames(3, range(2)), policy)


@pytest.fixture(scope="module")
def decided(games: GameWords) -> Decided:
    return decisions_of(games, SETTINGS.fraction, SETTINGS.seed)


@pytest.fixture(scope="module")
def options(decided: Decided) -> OptionActions:
    return options_of_records(decided.records, legal_actions(decided))


@pytest.fixture(scope="module")
def made(games: GameWords, policy: Policy) -> Branches:
    return branches_of(games, policy, replace(SETTINGS, options=2), generator(1, "options"))


def test_two_branches_of_one_option_are_identical(
    decided: Decided, options: OptionActions, policy: Policy
) -> None:
    on = options.take(np.flatnonzero(options.goes_on))
    twice = on.take(np.repeat(np.arange(0, len(on), 16), 2))
    labels, turns = play_branches(decided, twice, policy, 7)
    np.testing.assert_array_equal(labels["game"], np.arange(len(twice)))
    labels["game"] = 0
    assert len(labels) > 40
    assert labels[0::2].tobytes() == labels[1::2].tobytes()
    assert turns.records[0::2].tobytes() == turns.records[1::2].tobytes()
    others, _ = play_branches(decided, twice, policy, 8)
    assert (labels["deltas"] != others["deltas"]).any()  # another seed is another wall


def test_the_next_turn_of_a_discard_is_the_seats_next(
    decided: Decided, options: OptionActions, policy: Policy
) -> None:
    some = options.take(np.flatnonzero(options.sort == DISCARDS)[::16])
    _, turns = play_branches(decided, some, policy, 7)
    assert 20 < turns.found.sum() < len(some)
    assert not turns.records[~turns.found].view(np.uint8).any()
    before = decided.records["observation"][some.row[turns.found]]
    after = turns.records["observation"][turns.found]
    np.testing.assert_array_equal(after["seat"], before["seat"])
    np.testing.assert_array_equal(after["players"]["n"][:, 0], before["players"]["n"][:, 0] + 1)
    assert (after["draws_left"] <= before["draws_left"]).all()  # equal after two calls


def test_what_is_said_at_the_next_turn_is_the_networks_answer(
    games: GameWords, policy: Policy
) -> None:
    settings = replace(SETTINGS, options=2)
    shape = policy_shape(16, 1, 16, state=True)
    network = Network(shape, first_weights(shape, generator(5, "policy")))
    said = branches_of(games, policy, settings, generator(1, "options"), network)
    silent = branches_of(games, policy, settings, generator(1, "options"))
    np.testing.assert_array_equal(said.change, silent.change)
    assert not silent.turn.any()
    assert 0.3 < said.turn.mean() < 1
    np.testing.assert_allclose(said.turn_ending[said.turn].astype(float).sum(axis=1), 1, atol=0.01)
    own = said.turn_own.astype(float).sum(axis=1)
    np.testing.assert_allclose(own, said.turn_ending[:, :4].astype(float).sum(axis=1), atol=0.01)
    for part in (said.turn_ending, said.turn_own, said.turn_points):
        assert not part[~said.turn].any()
    with pytest.raises(ModelError, match="no state heads"):
        branches_of(games, policy, settings, generator(1, "options"), policy.network)


def test_the_branches_of_a_decision_share_hands_and_wall(
    decided: Decided, options: OptionActions
) -> None:
    on = options.take(np.flatnonzero(options.goes_on))
    some = on.take(np.arange(min(len(on), 120)))
    ((here, tables),) = begin(decided, some.row, 7)
    walls = [np.array(recorded_hands(tables, i)[0][1]) for i in range(len(here))]
    for row in np.unique(some.row):
        same = [walls[i] for i in np.flatnonzero(some.row[here] == row)]
        assert all((wall == same[0]).all() for wall in same)
    first = [walls[np.flatnonzero(some.row[here] == row)[0]] for row in np.unique(some.row)]
    rest = {tuple(wall[100:].tolist()) for wall in first}
    assert len(rest) == len(first)  # each decision has a wall of its own


def test_numbers_by_place_are_shared_while_the_seats_stand_alike(
    decided: Decided, options: OptionActions, policy: Policy
) -> None:
    rows = np.arange(min(len(decided), 40))
    ends = []
    for _ in range(2):
        ((_, tables),) = begin(decided, rows, 7)
        play_out(tables, policy, both=False, by_place=True)
        ends.append([tables.recorded(i)[0].tolist() for i in range(len(rows))])
    assert ends[0] == ends[1]


def test_labels_of_one_decision_are_those_of_the_whole_decoding(games: GameWords) -> None:
    one = 4  # a hand
    words = games.words[games.hands[one] : games.hands[one + 1]]
    alone = replace(
        games, words=words, hands=np.array([0, len(words)]), games=np.array([0, 1]),
        keys=games.keys[:1], rules=games.rules[:1], whole=games.whole[:1] * 0,
        final=games.final[:1] * 0,
    )  # fmt: skip
    records, labels = decode_games(alone)
    assert len(labels) > 20
    for place in (0, 7, len(labels) - 1):
        only = np.array([[labels["event"][place], labels["seat"][place]]], np.int32)
        row, label = game_rows(alone, only=only)
        assert row.tobytes() == records[place : place + 1].tobytes()
        assert label.tobytes() == labels[place : place + 1].tobytes()


def test_options_are_drawn_from_what_is_known(
    decided: Decided, options: OptionActions, policy: Policy
) -> None:
    share = option_shares(decided.records, policy.logits(decided.records), options)
    rng = np.random.default_rng(0)
    counts = np.zeros(len(options))
    n = 600
    for _ in range(n):
        chosen, drawn = draw_options(
            decided.records, options, share, replace(SETTINGS, options=1), rng
        )
        counts[chosen] += 1
    goes_on = np.bincount(options.row, options.goes_on)[options.row]
    two = options.goes_on & (goes_on >= 2)
    assert (counts[~two] == 0).all()
    np.testing.assert_allclose(np.bincount(options.row[two], drawn[two])[options.row[two]], 1)
    error = np.sqrt(drawn[two] * (1 - drawn[two]) / n)
    assert (np.abs(counts[two] / n - drawn[two]) < 5 * error + 1e-3).all()


def test_branches_end_as_their_changes_of_score_say(made: Branches) -> None:
    assert len(made) > 20
    wins = made.ending < DRAWN
    assert wins.any()
    winner, payer = made.ending // 4, made.ending % 4
    for i in np.flatnonzero(wins):
        assert made.change[i, winner[i]] > 0
        if winner[i] != payer[i]:
            assert made.change[i, payer[i]] < 0
    drawn = ~wins & (made.ending != ABORTED)
    # Deposits alone leave the four scores in an exhaustive draw.
    paid = np.array([bin(bits).count("1") for bits in made.deposits.tolist()])
    np.testing.assert_array_equal(made.change[drawn].sum(axis=1), -1000 * paid[drawn])
    at_once = made.ronned != 0
    assert (payer[at_once] == 0).all()
    assert (made.change[at_once, 0] < 0).all()


def test_riichi_is_declared_with_the_discard_of_its_option(policy: Policy) -> None:
    decided = decisions_of(pack_games([("game", simulate_rule_players(5, 5))]), 1.0, 0)
    options = options_of_records(decided.records, legal_actions(decided))
    declared = np.flatnonzero(options.first == RIICHI)[:8]
    labels, _ = play_branches(decided, options.take(declared), policy, 7)
    np.testing.assert_array_equal(labels["code"] % 37, options.second[declared] % 37)
    assert (labels["deposits"] & 1 | (labels["ronned"] != 0)).all()
    discards = np.flatnonzero(options.sort == DISCARDS)[:8]
    labels, _ = play_branches(decided, options.take(discards), policy, 7)
    np.testing.assert_array_equal(labels["code"], options.first[discards] % 37)


def test_a_folder_of_branches_goes_on_and_is_the_same(tmp_path: Path, policy: Policy) -> None:
    file = tmp_path / "policy.safetensors"
    policy.save(file)
    sources = played_sources(5, 2)
    out, again = tmp_path / "one", tmp_path / "two"
    settings = replace(SETTINGS, fraction=1 / 200)
    make_branches(sources, file, out, settings, 1)
    files = sorted(path.name for path in out.iterdir())
    before = {name: (out / name).read_bytes() for name in files}
    (out / "5-000000.npz").write_bytes(b"damaged")
    make_branches(sources, file, out, settings, 1)
    make_branches(sources, file, again, settings, 1)
    assert {name: (out / name).read_bytes() for name in files} == before
    assert (again / "5-000000.npz").read_bytes() == before["5-000000.npz"]
    found = load_branches(out)
    assert len(found.options) >= 2 * len(found) > 0
    with pytest.raises(DatasetError, match="holds branches of other records"):
        make_branches(sources, file, out, replace(settings, seed=4), 1)


def test_the_command_says_where_the_branches_are(tmp_path: Path, policy: Policy) -> None:
    """A named case: "branches of 1 shards"."""
    file, out = tmp_path / "policy.safetensors", tmp_path / "branches"
    policy.save(file)
    done = haiyomi(
        "fit", "branches", "-o", str(out), "--policy", str(file), "--games", "1", "--jobs", "1"
    )
    assert done.stdout == f"branches of 1 shard in {out}\n"


def test_the_words_of_self_play_are_whole_games(games: GameWords) -> None:
    records, labels = decode_games(games)
    assert set(labels["game"].tolist()) == {0, 1}
    assert (labels["final"].sum(axis=1) == 100_000).all()
    assert len(records) == len(labels)


def test_the_seat_of_the_option_may_go_on_by_the_improved_policy(
    decided: Decided, options: OptionActions, policy: Policy
) -> None:
    chosen, _ = draw_options(
        decided.records, options, np.ones(len(options)), SETTINGS, generator(1, "improved")
    )
    taken = options.take(chosen[:40])
    plain, _ = play_branches(decided, taken, policy, 1)
    asked: list[int] = []

    class Silent:
        """Stands for an improved policy: it takes the first legal action."""

        def actions(
            self, records: Decisions, legal: NDArray[np.bool_], rules: Ruleset
        ) -> NDArray[np.uint8]:
            asked.append(len(records))
            assert rules in RULES
            return legal.argmax(axis=1).astype(np.uint8)

    other, _ = play_branches(decided, taken, policy, 1, cast(ImprovedPolicy, Silent()))
    assert sum(asked) > len(taken), "the seat was asked after its option"
    assert (plain["deltas"] != other["deltas"]).any()


def test_rare_decisions_offer_riichi_or_a_kan(games: GameWords) -> None:
    every = decisions_of(games, 1.0, SETTINGS.seed)
    rare = decisions_of(games, 1.0, SETTINGS.seed, rare=True)
    options = options_of_records(every.records, legal_actions(every))
    offered = np.isin(options.sort, (RIICHIS, OWN_KANS, OPEN_KANS))
    expected = np.unique(options.row[offered])
    assert 0 < len(expected) < len(every)
    np.testing.assert_array_equal(rare.number, every.number[expected])


def test_a_share_may_draw_no_decision_of_a_shard(policy: Policy, tmp_path: Path) -> None:
    """It ended the command, also where the other shards had decisions."""
    file = tmp_path / "policy.safetensors"
    policy.save(file)
    none, some = tmp_path / "none", tmp_path / "some"
    make_branches(played_sources(3, 1), file, none, replace(SETTINGS, fraction=1e-9), 1)
    with pytest.raises(DatasetError, match="none holds no branches: none of its decisions was"):
        load_branches(none)
    make_branches(played_sources(3, 1), file, some, SETTINGS, 1)
    assert len(load_branches(none, some)) == len(load_branches(some)) > 0


def test_folders_are_joined(policy: Policy, tmp_path: Path) -> None:
    file = tmp_path / "policy.safetensors"
    policy.network.save(file)
    sources = played_sources(3, 1)
    one, other = tmp_path / "one", tmp_path / "other"
    make_branches(sources, file, one, SETTINGS, 1)
    make_branches(sources, file, other, replace(SETTINGS, fraction=1.0, rare=True), 1)
    parts = load_branches(one), load_branches(other)
    both = load_branches(one, other)
    assert len(both) == sum(map(len, parts))
    first = len(parts[0].options)
    assert both.options.row[first] == len(parts[0])
    np.testing.assert_array_equal(both.taken[len(parts[0].taken) :], parts[1].taken + first)
    np.testing.assert_array_equal(both.change, np.concatenate([part.change for part in parts]))
