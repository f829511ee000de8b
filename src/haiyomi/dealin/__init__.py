"""Will this discard deal in, to whom, for how many points?"""
