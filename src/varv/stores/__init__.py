"""Where games are kept: SQLite, PostgreSQL, and memory for tests, behind `rooms.ports.Store`."""
