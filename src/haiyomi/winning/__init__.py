"""How likely a hand is to win, by which turn, for how many points."""
