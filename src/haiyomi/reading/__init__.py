"""What is in an opponent's hand: the paper's CRF, and a chain that knows the rules."""
