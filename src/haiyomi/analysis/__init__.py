"""What haiyomi says of a position: ``Analyzer`` asks the models, ``Analysis`` is the answer."""
