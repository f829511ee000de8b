"""Classes of players: scaling, the fit on players of known kinds, files, and what they answer."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from haiyomi.errors import ArgumentError, DatasetError, HaiyomiError, ModelError
from haiyomi.evaluation.papers.styles_simulated import KINDS, SETS, kind_of, recovery, simulated
from haiyomi.evaluation.styles_curve import curve_of, pseudo_accounts, with_curve
from haiyomi.play.demo import demo_game
from haiyomi.play.rule_games import simulate_rule_players
from haiyomi.rules import TENHOU_EAST
from haiyomi.styles.answer import find_player, style_in, style_of
from haiyomi.styles.classes import (
    Scaler,
    StyleClasses,
    class_names,
    shipped_classes,
)
from haiyomi.styles.game_sums import tallied, tally_game
from haiyomi.styles.statistics import NAMES, divide, occasions
from haiyomi.styles.sums_table import Tallies, vectors
from haiyomi.training.fit_styles import Study, classes_of, study_styles


@pytest.fixture(scope="module")
def games() -> Tallies:
    return simulated(rounds=10, each=4, engine=1)


@pytest.fixture(scope="module")
def study(games: Tallies) -> Study:
    return study_styles(games, 10, range(2, 7))


def test_vectors_are_those_of_the_games_together(games: Tallies) -> None:
    found = vectors(games, 10)
    assert len(found.players) == 20
    assert found.games.tolist() == [10] * 20
    name = found.players[7]
    code = games.players.index(name)
    sums = sum(games.sums[games.player == code])
    assert found.values[7] == pytest.approx(divide(np.asarray(sums)), nan_ok=True)


def test_a_tenth_of_each_player_s_games_is_kept_whatever_their_order(games: Tallies) -> None:
    kept = games.holdout_mask()
    assert np.bincount(games.player[kept], minlength=20).tolist() == [1] * 20
    mixed = np.random.default_rng(1).permutation(len(games))
    again = games.take(mixed).holdout_mask()
    assert np.array_equal(again, kept[mixed])


def test_nothing_fitted_sees_a_game_kept_for_tests(games: Tallies, study: Study) -> None:
    spoilt = games.sums.copy()
    spoilt[games.holdout_mask()] *= 3
    other = Tallies(games.players, games.games, games.player, games.game, spoilt)
    again = study_styles(other, 10, range(2, 7))
    assert np.array_equal(again.agreement, study.agreement)
    for scaling, scaler in study.scalers.items():
        assert np.array_equal(again.scalers[scaling].mean, scaler.mean)
        assert np.array_equal(again.scalers[scaling].prior, scaler.prior)
        for a, b in zip(again.by_k[scaling], study.by_k[scaling], strict=True):
            assert np.array_equal(a.labels, b.labels)


def test_players_of_known_kinds_are_distinguished(games: Tallies) -> None:
    found = recovery(games, (10,))
    ari = {row["scaling"]: row["ari"] for row in found}
    assert ari["reliable"] > 0.5 > ari["raw"]
    assert {kind_of(name) for name in games.players} == set(KINDS["apart"])


def test_every_set_of_kinds_is_of_players_that_differ() -> None:
    assert len(set(SETS)) == len(SETS) >= 4
    assert {kinds for kinds, _ in SETS} == set(KINDS)
    for kinds in KINDS.values():
        assert len(set(kinds.values())) == len(kinds) >= 4
    one = simulated("nearer", 3, rounds=1, each=4, engine=1)
    other = simulated("nearer", 4, rounds=1, each=4, engine=1)
    assert {kind_of(name) for name in one.players} == set(KINDS["nearer"])
    assert not np.array_equal(one.sums, other.sums)


def test_scalings() -> None:
    zero, one = np.zeros(19), np.ones(19)
    values = np.array([2.0, np.nan, *[4.0] * 17])
    behind = np.array([10.0, 0.0, *[30.0] * 17])
    raw = Scaler("raw", one, 2 * one, 10 * one).place(values, behind)
    assert raw[:3].tolist() == [1.0, 0.0, 3.0]
    plain = Scaler("standardised", one, 2 * one, 10 * one).place(values, behind)
    assert plain[:3].tolist() == [0.5, 0.0, 1.5]
    trusted = Scaler("reliable", one, 2 * one, 10 * one).place(values, behind)
    assert trusted[:3] == pytest.approx([0.25, 0.0, 1.5 * 0.75])
    assert np.array_equal(Scaler("reliable", zero, one, one).place(values, zero), zero)


def test_a_model_file_is_read_as_it_was_written(study: Study, tmp_path: Path) -> None:
    model = with_curve(classes_of(study, "reliable", 3, "games played here"), study.learning)
    file = tmp_path / "classes.json"
    model.save(file)
    again = StyleClasses.load(file)
    assert again.classes == model.classes
    assert again.curve == model.curve
    values, behind = study.vectors.values, study.vectors.occasions
    assert np.array_equal(again.assign(values, behind), model.assign(values, behind))
    assert sum(c.players for c in model.classes) == 20
    for bad in ({"scale": [0.0] * 19}, {"mean": [1.0]}, {"centres": [[1.0] * 18] * 3}):
        from haiyomi.storage.model_file import read_model, write_model

        payload, manifest = read_model(file, "style-classes", 1)
        broken = tmp_path / "broken.json"
        write_model(broken, "style-classes", 1, payload | bad, manifest)
        with pytest.raises(ModelError):
            StyleClasses.load(broken)


def test_no_class_is_made_of_one_player(study: Study) -> None:
    small = {c.k for c in study.by_k["reliable"] if np.bincount(c.labels).min() < 3}
    assert small != set(range(2, 7))
    for k in set(range(2, 7)) - small:
        assert min(c.players for c in classes_of(study, "reliable", k).classes) >= 3
    for k in small:
        with pytest.raises(DatasetError, match="at least 3 players"):
            classes_of(study, "reliable", k)
    with pytest.raises(DatasetError, match="can be made of 20 players"):
        classes_of(study, "reliable", 19)


def test_too_few_players_is_one_sentence(games: Tallies) -> None:
    with pytest.raises(DatasetError, match="nobody has 500 hanchan or more"):
        study_styles(games, 500)


def test_more_games_agree_better(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    # Nine games a player are here: fewer than a measurement would compare with.
    monkeypatch.setattr("haiyomi.evaluation.styles_curve.LEAST_REST", 4)
    model = classes_of(study, "reliable", 3)
    curve = curve_of(model, study.learning, sizes=(1, 3, 500))
    assert curve.sizes == (1, 3)
    assert curve.error[0].mean() > curve.error[1].mean() > 0
    assert (curve.rest <= 1).all()
    assert curve.rest[1] > curve.chance
    assert (curve.rest_interval[:, 0] <= curve.rest).all()
    result = pseudo_accounts(model, study.learning, 20)
    assert result["chance"] < result["same"] <= 1


def test_pseudo_accounts_of_twins_and_strangers(study: Study) -> None:
    """Accounts of players with one game again and again are always of one class."""
    model = classes_of(study, "reliable", 3)
    learning = study.learning
    rows = np.concatenate([np.flatnonzero(learning.player == p)[:1] for p in range(20)])
    same = learning.take(np.repeat(rows, 6))
    assert pseudo_accounts(model, same, 10)["same"] == 1.0


def test_names_tell_calls_and_riichi() -> None:
    centres = np.zeros((5, 19))
    centres[0, NAMES.index("calls")] = 1
    centres[1, NAMES.index("calls")] = -1
    centres[1, NAMES.index("immediate_riichi_rate")] = 2
    centres[2, NAMES.index("first_riichi_rate")] = -2
    assert class_names(centres) == ("open", "closed-riichi", "even-damaten", "even", "even.2")


def test_the_shipped_classes() -> None:
    model = shipped_classes()
    assert model.manifest["fitted_on"] == "train + valid"
    assert len(set(model.names)) == len(model.names) >= 3
    assert min(c.players for c in model.classes) >= 3
    text = Path(__file__).parents[2].joinpath("src/haiyomi/styles/classes.json").read_text()
    assert len(text) < 20_000
    with pytest.raises(ModelError, match="there are"):
        model.index("nothing")


def test_style_of_a_player_in_some_games() -> None:
    game = demo_game()
    name = game.header.names[1]
    style = style_of([game, game], name)
    assert (style.player, style.games) == (name, 2)
    sums = 2 * tally_game(game)[1]
    result = [np.nan if s.value is None else s.value for s in style.statistics]
    assert result == pytest.approx(divide(sums), nan_ok=True)
    assert [s.occasions for s in style.statistics] == occasions(sums).tolist()
    assert style.style == min(style.distances, key=lambda d: d[1])[0]
    value = json.loads(json.dumps(style.to_json(), allow_nan=False))
    assert value["schema"] == "haiyomi-style"
    assert style_of([game], "CLOSED").player == "haiyomi closed"
    with pytest.raises(ArgumentError, match="style_of takes a list of games, such as"):
        style_of(game, "closed")


def test_who_is_not_there_is_reported() -> None:
    game = demo_game()
    for name, stated in (("nobody", "no player"), ("", "no player"), ("haiyomi", "more than one")):
        with pytest.raises(HaiyomiError, match=stated):
            style_of([game], name)
    with pytest.raises(HaiyomiError, match="no hanchan among these records"):
        style_of([simulate_rule_players(1, 0, rules=TENHOU_EAST)], "haiyomi-1")
    games = tallied([("one", game)])
    assert style_in(games, "haiyomi closed").games == 1
    assert find_player(games, "damaten") == game.header.names[3]
