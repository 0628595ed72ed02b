"""Bots: players that act on their own view alone, at a table of their own or at a live one."""
