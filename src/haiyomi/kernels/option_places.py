"""The weights and the values of a hand's ends, by which ``outcomes.places`` places options.

Of n decisions with b options, those of a decision side by side, by e members of an ensemble. An
end's *columns* are 121: 36 own wins by payer and class of worth; 29 other joint endings without and
29 with the own deposit; 27 deal-ins on the option's own tile by winner and class.
"""

from __future__ import annotations

import numpy as np

from haiyomi import _core
from haiyomi.arrays import Bools, Floats, Ints


def option_weights(
    begins: Ints,
    later: Floats,
    nobody: Floats,
    own: Floats,
    others: Floats,
    deposit: Floats,
    first: Floats,
    classes: Floats,
    aborted: Floats,
    nine: Bools,
) -> tuple[Floats, Floats]:
    """(e, b, 121) P of each column, and (n, 322) the most that an option of a decision gives each
    end, those without the own deposit first.

    Here n counts groups of a decision's options: ``begins`` (n,) the first option of each;
    ``later`` (33, e, b) P of the joint endings, if ``nobody`` (b,) wins at once; ``own``
    (2, e, b, 9) and ``others`` (n, 12, 9) classes of the winner's hand; ``deposit`` (e, b) P of the
    own one; ``first`` (b, 3), ``classes`` (b, 3, 9) and ``aborted`` (b,) of wins at once; ``nine``
    (b,) whether the option aborts the hand. Raises ValueError for arrays that do not fit.
    """
    c = np.ascontiguousarray
    return _core.option_weights(
        begins, c(later), nobody, c(own), c(others), c(deposit), c(first), c(classes), aborted,
        nine.view(np.uint8),
    )  # fmt: skip


def option_tables(values: Floats, row: Ints, others: Floats) -> Floats:
    """(n, 121, 6) the value of each column: the mean over the class of another's hand.

    ``values`` (k, 6) of ends; ``row`` (n, 322) which of them each end has, -1 where it has none;
    ``others`` (n, 12, 9). Raises ValueError for arrays that do not fit.
    """
    return _core.option_tables(values, row, np.ascontiguousarray(others))
