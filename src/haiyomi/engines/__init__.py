"""Where shards run (``haiyomi.shards``): processes, or a Ray cluster."""
