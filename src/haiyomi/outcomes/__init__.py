"""How the hand ends after each thing that a seat may do, and where the game then ends for it."""
