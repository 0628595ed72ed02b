"""Events are stored: their names never change, and they survive the way to JSON and back."""

import msgspec
import pytest
from tests.table import table

from varv.rules import events as e
from varv.rules import replay

STORED_NAMES = {
    "game_created", "player_joined", "player_removed", "start_year_set", "game_configured",
    "game_started", "cycle_started", "cycle_completed", "cycle_finished", "round_created",
    "performance_started", "guess_submitted", "guess_withdrawn", "joker_used", "prediction_made",
    "round_locked", "round_unlocked", "round_revealed", "round_aborted", "game_finished",
}  # fmt: skip


def test_names_in_logs_stay_readable():
    assert set(e.NAMES.values()) == STORED_NAMES
    assert set(e.NAMES) == set(e.EVENTS)


@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_a_game_is_rebuilt_from_its_stored_events(edition):
    at = table(edition, 4).starts(1987).uses_joker("Bo").places("Bo", 0).names("Bo")
    at.locks() if edition == "dj" else at.predicts("hard").locks()
    at.unlocks().removes("Dan").ends_round().plays_cycle().starts_cycle()
    at.starts().aborts().finishes()
    decoder = msgspec.json.Decoder(e.Event)
    stored = [msgspec.json.encode(event) for event in at.log]
    assert {type(decoder.decode(text)) for text in stored} >= {e.RoundRevealed, e.GameFinished}
    assert replay(decoder.decode(text) for text in stored) == at.game
