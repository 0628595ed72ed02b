"""Varv: a social music game. The rules are in `varv.rules`; `varv.cli` wires everything together."""

__version__ = "0.1.0"
