"""A seeded wall and four players asked in turn.

``wall`` shuffles, ``hand`` plays one hand and ``match`` a game with any four ``player``s;
``rule_player`` is a small one, ``simulate`` plays many games. Nothing here shares code with
the checked replay of ``haiyomi.game.table`` but the compiled kernels: each checks the other.
"""
