"""What kind of player is this, and what would they discard?"""
