"""Playing on: what comes of an option, by playing the hand to its end from drawn hidden tiles."""
