"""An engine of the riichi-engine-protocol (major 2, minor 2): JSON-RPC lines in, answers out."""
