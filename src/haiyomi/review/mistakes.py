"""Which discards were mistakes, as far as the risk of dealing in can tell.

A discard is compared with those that leave the hand no further from tenpai. Where a safer
one of these was there, the cost is the difference of the expected losses in points. What a
discard does for one's own chance to win is not in this number.
"""

from __future__ import annotations

from haiyomi.review.assessment import Assessment, Choice

MARGIN = 150
"""Points from which a cost counts as a mistake."""


def safer_choice(assessment: Assessment, chosen: Choice) -> tuple[Choice, float]:
    """The choice of least expected loss among those with no more shanten than ``chosen``, and
    how many points it saves: 0 if ``chosen`` is the safest of them.
    """
    best = chosen
    for choice in assessment.choices:
        near = chosen.shanten is None or choice.shanten is None or choice.shanten <= chosen.shanten
        if choice.allowed and near and choice.expected_loss < best.expected_loss:
            best = choice
    return best, chosen.expected_loss - best.expected_loss
