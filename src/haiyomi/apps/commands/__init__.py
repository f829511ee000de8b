"""The commands, one a file; each registers itself in apps/cli.py."""
