"""The table of the benchmark, made with the site from docs/results/benchmark.jsonl."""

from __future__ import annotations

from pathlib import Path

from haiyomi.benchmark.results import read_results, reports_of

RESULTS = Path(__file__).resolve().parent / "results" / "benchmark.jsonl"
INTRODUCTION = """# Table of the benchmark

Made from the lines of `docs/results/benchmark.jsonl`, which `haiyomi benchmark check` checks. To
add yours, append the lines that `haiyomi benchmark score --results` writes (see
[Benchmark](../how-to/benchmark.md)). Each column has the first metric of its task.

- **constant**: the shares among the train questions.
- **random deal**: opponents' tiles drawn from those that the seat does not see; any legal discard.
- **kurita-hoki**: the [deal-in model](../reproduction/kurita-hoki.md) of Kurita and Hoki with five
  corrections.
- **nemoto**: the [CRF](../reproduction/nemoto.md) of Nemoto, Komiya and Kotani.
- **maekawa-takeuchi**: the [imitating network](../reproduction/maekawa-takeuchi.md) of Maekawa and
  Takeuchi, fitted to the train questions of all players.
- **tomohxx**: the probability to [win by own draws](../reproduction/tomohxx.md), as if nobody else
  ever won: larger than that of a win.
- **haiyomi**: the networks that were shipped when it was measured. Its lines do not name them: they
  may be earlier ones. Its discards are those of the policy, which is fitted longer than the one
  that plays the games and does not know the players' styles; its wins are that policy's forecast of
  the hand, and its placements take the scores as they stand.

Figures on records of people are on the pages of the [deal-in risk](../explanation/deal-in.md),
where akochan's stand beside them, and of [hidden hands](../explanation/hidden-hands.md).

"""


def benchmark_page() -> str:
    """The Markdown page."""
    tables = [report.markdown() for report in reports_of(read_results(RESULTS))]
    return INTRODUCTION + "\n\n".join(tables) + "\n"
