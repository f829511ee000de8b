"""Play: a seeded wall, four players who choose in turn, whole games.

``wall`` shuffles, ``hand`` plays one hand and ``match`` a game with any four ``player``s;
``rule_player`` is a small one, ``simulate`` plays many games. It shares no code with the checked
replay of ``haiyomi.game.table`` except the compiled kernels, so that each tests the other.
"""
