"""How well the outcomes of options are predicted: endings, points, placement, wins."""
