"""The command line, the local server and the answers to desktop studios."""
