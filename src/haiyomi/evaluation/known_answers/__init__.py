"""Decisions whose right answer is known without a model, and who gets them right."""
