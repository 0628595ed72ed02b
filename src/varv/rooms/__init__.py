"""Games being played: load, decide, append, acknowledge, publish; ports to what is outside."""
