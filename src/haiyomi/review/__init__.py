"""A Position and fitted models become a frozen Assessment, then text."""
