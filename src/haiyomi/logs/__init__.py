"""Bytes to Game and back: mjlog XML, Tenhou's JSON, mjai JSON lines; Mahjong Soul's are read only.

``load.parse(data, name)`` reads one game, whatever its format; ``load.write(game, format)`` is the
text of a game (``haiyomi.corpus`` walks files, folders and zips). ``missing.MISSING`` lists what
each format has no place for.
"""
