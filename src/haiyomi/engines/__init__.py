"""Where shards run (``haiyomi.shards``): processes, a Ray cluster, torchrun's processes."""
