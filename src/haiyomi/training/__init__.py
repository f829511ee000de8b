"""The fits, and the rows that they read of records: three ways, see architecture.md."""
