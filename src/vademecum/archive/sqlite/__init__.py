"""The archive in one SQLite file."""
