"""The fits, and the rows that they read of records: three roads, see architecture.md."""
