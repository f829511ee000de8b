"""What is in an opponent's hand: the network's counts, and the paper's CRF."""
