"""Bytes to Game and back: mjlog XML, Tenhou's JSON, mjai JSON lines."""
