"""Analyses of a game become a Review; mistakes, totals, text, JSON and pages are made of that."""
