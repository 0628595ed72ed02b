"""How workers tell each other that something changed, behind `rooms.ports.Bus`."""
