"""How far reviews are right: flagged mistakes, known blunders, scores of games."""
