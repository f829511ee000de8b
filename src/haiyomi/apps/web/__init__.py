"""The local server: pages, a library of reviews that survives, and the REST API."""
