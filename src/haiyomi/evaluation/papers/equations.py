"""Where each equation of the papers lives: a map that a test holds against the code."""

from __future__ import annotations

from collections.abc import Mapping

from haiyomi.evaluation.report import Report

KURITA_HOKI: dict[str, tuple[str, str]] = {
    "(1)-(2)": ("haiyomi.training.dataset_rows.colour_bits", "events: a hand's colour"),
    "(3)": ("haiyomi.dealin.tenpai.TenpaiCells.joint", "tenpai as a mixture over colours"),
    "(4)": ("haiyomi.dealin.features.tenpai_features", "features in place of the whole view"),
    "(5)": ("haiyomi.dealin.tenpai.TenpaiCells.joint", "probability of a colour, type 1"),
    "(6)": ("haiyomi.dealin.tenpai.TenpaiCells.joint", "tenpai of a one-colour hand, type 2"),
    "(7)": ("haiyomi.dealin.tenpai.TenpaiCells.joint", "tenpai of several colours, type 3"),
    "(8)": ("haiyomi.training.fit_tenpai.logistic", "the fit by cross-entropy"),
    "(9)": ("haiyomi.dealin.melded.melded_ron", "the sum over hands"),
    "(10)-(11)": ("haiyomi.dealin.melded.melded_ron", "four melds"),
    "(12)-(13)": ("haiyomi.dealin.melded.melded_ron", "hands by colour"),
    "(14)-(16)": ("haiyomi.dealin.melded.melded_ron", "availability, wait and furiten factors"),
    "(17)-(18)": ("haiyomi.dealin.melded.melded_ron", "their product, normalised"),
    "(19)-(22)": (
        "haiyomi.dealin.riichi.RiichiTables.wait_probabilities",
        "waits within a shape, and alpha",
    ),
    "(23)": ("haiyomi.dealin.riichi.shift_by_pair", "han brought by the wait and the tile"),
    "(24)": ("haiyomi.training.fit_riichi.worth", "han and fu of riichi deal-ins"),
    "(25)": ("haiyomi.dealin.riichi.RiichiTables.ron", "the sum over waits"),
    "(26)": ("haiyomi.training.fit_riichi.two_sided_share", "two-sided by live suji"),
    "(27)-(28)": ("haiyomi.training.fit_riichi.shape_shares", "the other shapes"),
    "(29)": (
        "haiyomi.dealin.riichi.RiichiTables.wait_probabilities",
        "factor of the tiles left",
    ),
    "(30)": ("haiyomi.dealin.riichi.conditions", "the naive-Bayes conditions"),
    "(31)": ("haiyomi.training.fit_riichi.priors", "P(m | k)"),
    "(32)": ("haiyomi.training.fit_riichi.ratios", "P(m | k, y) by counts"),
    "(33)-(34)": (
        "haiyomi.dealin.riichi.RiichiTables.wait_probabilities",
        "the product of the factors",
    ),
}
"""Equation of the Kurita-Hoki paper -> (function, what it is there)."""
NEMOTO: dict[str, tuple[str, str]] = {
    "(1)": ("haiyomi.reading.nemoto.NemotoModel.scores", "the features' weights of a sequence"),
    "(2)": (
        "haiyomi.reading.nemoto.NemotoModel.label_marginals",
        "the sum over sequences, and the marginals of 4.4",
    ),
}
"""Equation of the paper of Nemoto, Komiya and Kotani -> (function, what it is there)."""


TOMOHXX: dict[str, tuple[str, str]] = {
    "(1)-(2)": ("haiyomi.winning.unbranched", "transition matrices and their product"),
    "(3)": ("haiyomi.winning.unbranched.forward", "state probabilities, forward"),
    "(4)-(5)": ("haiyomi.winning.unbranched.backward", "win probabilities, backward"),
    "(6)-(7)": ("haiyomi.kernels.winning.win_values", "win probability over the graph"),
    "(8)-(9)": ("haiyomi.kernels.winning.win_values", "expected points over the graph"),
}
"""Equation of tomohxx's page -> (function, what it is there)."""
MAEKAWA_TAKEUCHI: dict[str, tuple[str, str]] = {
    "Table 1": ("haiyomi.styles.statistics", "the 19 statistics, a function each"),
    "Table 2": ("haiyomi.training.fit_styles.cluster", "k-means++ and the silhouette"),
    "Figure 7": ("haiyomi.training.fit_styles.components", "principal components"),
    "Table 3": ("haiyomi.styles.discard_network.inputs", "inputs of the network"),
    "section 5.2.3": ("haiyomi.training.fit_discard_network.fit_network", "the fit by SGD"),
    "Table 4": ("haiyomi.styles.discard_network.ranks", "agreement of the first and first three"),
}
"""Part of the paper of Maekawa and Takeuchi, which numbers no equation -> (function, what)."""


def equations_report(equations: Mapping[str, tuple[str, str]]) -> Report:
    """A paper's equations and their functions as a table."""
    rows = tuple((name, f"`{function}`", what) for name, (function, what) in equations.items())
    return Report("", ("equation", "function", "what"), rows)
