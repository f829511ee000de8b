"""A review as one self-contained page; the server's pages are made of the same parts."""
