"""The four papers reproduced: their experiments as results JSON, and a page for each paper."""
