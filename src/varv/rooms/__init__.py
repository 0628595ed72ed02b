"""Games being played: load, decide, append, acknowledge, publish; the ports to everything outside."""
