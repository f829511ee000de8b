"""Play: seeded walls, players who choose in turn, whole games, many tables at once.

The core plays (``kernels.tables``). ``hand`` plays one hand and ``match`` a game with any four
``player``s; ``tables`` is the environment for research, ``pettingzoo_env`` one table as PettingZoo
has it. ``mjai_program`` is a player whose choices another program makes.
"""
