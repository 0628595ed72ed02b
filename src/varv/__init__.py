"""Varv, a social music game. Rules: `varv.rules`; everything is wired together in `varv.cli`."""

__version__ = "0.1.0"
