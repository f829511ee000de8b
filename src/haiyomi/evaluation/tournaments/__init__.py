"""Bots against each other at the same walls."""
