"""A seeded wall and four players asked in turn."""
