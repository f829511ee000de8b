"""How well deal-in risk and hidden hands are predicted."""
