"""Which commands are about a round, and about its performance: a player says which one they saw."""

ABOUT_THE_GAME = {
    "set_start_year", "remove_player", "configure", "start_game", "finish_game", "start_cycle",
}  # fmt: skip
ABOUT_A_PERFORMANCE = {
    "change_song", "lock_round", "guess", "use_joker", "predict", "play", "stop",
}  # fmt: skip
