"""``shards.map_shards``, and where shards run: processes, or a Ray cluster."""
