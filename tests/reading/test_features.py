"""The features of a row and of its mirror."""

from __future__ import annotations

import numpy as np

from haiyomi.game.observation import NONE
from haiyomi.play.demo import demo_game
from haiyomi.reading.features import KIND_FEATURES, MIRROR_KINDS, features, mirror_features
from haiyomi.training.reading_rows import game_rows


def test_features_of_a_mirrored_table_are_the_mirrored_features() -> None:
    observations = game_rows("demo", demo_game()).observations.copy()
    # An indicator points upwards, so it alone has no mirror image.
    observations["indicators"] = NONE
    mirrored = observations.copy()
    mirrored["unseen"] = observations["unseen"][:, MIRROR_KINDS]
    kinds = np.append(MIRROR_KINDS, NONE)
    for player, image in zip(observations["players"].T, mirrored["players"].T, strict=True):
        image["kind"] = kinds[np.minimum(player["kind"], 34)]
        melds = player["melds"]
        chi = melds[:, :, 0] == 0
        lowest = np.where(chi, melds[:, :, 1] + 2, melds[:, :, 1])
        image["melds"][:, :, 1] = kinds[np.minimum(lowest, 34)]
        image["melds"][:, :, 2] = kinds[np.minimum(melds[:, :, 2], 34)]
        for name in ("passed", "passed_riichi"):
            image[name] = sum(
                (player[name] >> np.uint64(k) & np.uint64(1)) << np.uint64(MIRROR_KINDS[k])
                for k in range(34)
            )
    for opponent in (1, 2, 3):
        seat = np.full(len(observations), opponent)
        x, context = features(observations, seat)
        y, same = features(mirrored, seat)
        assert np.array_equal(context, same)
        for j, name in enumerate(KIND_FEATURES):
            assert np.array_equal(mirror_features(x)[:, :, j], y[:, :, j]), name
        assert not np.array_equal(x, y)
