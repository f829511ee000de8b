"""The paper's CRF: its sequences, and our sums against those of the library that fitted it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from haiyomi.reading.nemoto import DUMMIES, DUMMY, columns_of, sequence_kinds, strings_of
from haiyomi.training.fit_nemoto import draw_positions, fit_crf
from haiyomi.training.reading_rows import ReadingRows


def test_dummies_part_suits_and_honours() -> None:
    kinds = sequence_kinds("d").tolist()
    assert len(kinds) == 34 + 2 * (3 + 6)
    assert kinds[0] == 0
    assert kinds[-1] == 33
    assert [k for k in kinds if k != DUMMY] == list(range(34))
    assert kinds[9:11] == [DUMMY, DUMMY]
    assert kinds[kinds.index(27) - 2 : kinds.index(27)] == [DUMMY, DUMMY]


def test_columns_and_the_hands_make_up_all_that_is_seen(demo_rows: ReadingRows) -> None:
    rows = demo_rows
    opponent = np.arange(len(rows)) % 3 + 1
    river, visible = columns_of(rows.observations, opponent)
    viewer = 4 - rows.observations["unseen"].astype(int) - river - visible
    # What is seen and lies neither in the river nor elsewhere is the viewer's own hand.
    assert (viewer >= 0).all()
    assert (viewer.sum(axis=1) == rows.observations["players"]["concealed"][:, 0]).all()
    assert (river >= 0).all()
    assert (visible >= 0).all()


@pytest.mark.parametrize("dummies", DUMMIES)
def test_marginals_and_labels_are_those_of_crfsuite(
    dummies: str, tmp_path: Path, demo_rows: ReadingRows
) -> None:
    import pycrfsuite

    observations, opponent, hands, _ = draw_positions(demo_rows, 60, 1)
    model, report = fit_crf(observations, opponent, hands, dummies, most=15)
    river, visible = columns_of(observations, opponent)
    strings = strings_of(river, visible, dummies)
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(
        {
            "c2": 0.5,
            "feature.possible_states": True,
            "feature.possible_transitions": True,
            "max_iterations": 15,
        }
    )
    kinds = sequence_kinds(dummies)
    real = kinds < DUMMY
    label = np.full((len(hands), len(kinds)), 5 if dummies == "d" else 0)
    label[:, real] = hands
    for row in range(len(hands)):
        items = [[str(i) for i in item] for item in strings[row]]
        trainer.append(items, [str(k) for k in label[row]])
    file = f"{tmp_path}/crf"
    trainer.train(file)
    tagger = pycrfsuite.Tagger()
    tagger.open(file)
    ours = model.label_marginals(river, visible)
    best = model.best_labels(river, visible)
    for row in range(10):
        tags = tagger.tag([[str(i) for i in item] for item in strings[row]])
        tags = [int(k) for k, here in zip(tags, real, strict=True) if here]
        assert [k if k < 5 else 0 for k in tags] == best[row].tolist()
        for place, kind in ((int(p), int(kinds[p])) for p in np.flatnonzero(real)[::5]):
            for k in range(5):
                if str(k) in tagger.labels():
                    theirs = tagger.marginal(str(k), place)
                    # The weights reach us through the library's dump, which prints six digits.
                    assert ours[row, kind, k] == pytest.approx(theirs, abs=5e-6)
    assert report["strings"] == len(np.unique(strings))
    assert report["iterations"] == 15
    assert report["loss"] > 0
