"""Events are stored: they survive the way to JSON and back (their names: tests/rooms)."""

import msgspec
import pytest
from tests.table import table

from varv.rules import events as e
from varv.rules import replay


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
