"""Clusterings of players as results JSON: silhouettes, contributions, and figure 7's points."""

from __future__ import annotations

import numpy as np

from haiyomi.json_types import Json
from haiyomi.styles.classes import Scaling
from haiyomi.training.fit_styles import Study


def clusterings(study: Study, scaling: Scaling) -> Json:
    """Silhouettes by k, contributions, and the best three clusterings of one scaling."""
    components = study.components[scaling]
    drawn = components.drawn(study.places(scaling))
    # Coordinates of a picture, without names and in no order that tells one.
    order = np.lexsort((drawn[:, 1], drawn[:, 0]))
    unit = float(np.abs(drawn).max()) or 1.0
    return {
        "silhouettes": {str(c.k): c.silhouette for c in study.by_k[scaling]},
        "contributions": components.shares[:5].tolist(),
        "points": np.round(drawn[order] / unit, 3).tolist(),
        "best": [
            {
                "k": c.k,
                "silhouette": c.silhouette,
                "sizes": sorted(np.bincount(c.labels).tolist(), reverse=True),
                "labels": c.labels[order].tolist(),
            }
            for c in study.best(scaling, 3)
        ],
    }
