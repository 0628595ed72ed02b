"""Commands as they arrive: names and fields are promised by the protocol."""

import msgspec
import pytest

from varv.rules import commands as c

WIRE = {
    '{"type":"set_start_year","year":1990}': c.SetStartYear(1990),
    '{"type":"remove_player","player":"p2"}': c.RemovePlayer("p2"),
    '{"type":"configure"}': c.Configure(),
    '{"type":"configure","mix":"hits"}': c.Configure(mix="hits"),
    '{"type":"configure","options":{"audio":"everyone"}}': c.Configure(
        options=c.OptionsChange(audio="everyone")
    ),
    '{"type":"configure","options":{"guess_seconds":null}}': c.Configure(
        options=c.OptionsChange(guess_seconds=None)
    ),
    '{"type":"start_game"}': c.StartGame(),
    '{"type":"finish_game"}': c.FinishGame(),
    '{"type":"start_cycle"}': c.StartCycle(),
    '{"type":"start_round","round":1}': c.StartRound(1),
    '{"type":"change_song","round":1,"performance":2}': c.ChangeSong(1, 2),
    '{"type":"lock_round","round":1,"performance":null}': c.LockRound(1, None),
    '{"type":"unlock_round","round":1}': c.UnlockRound(1),
    '{"type":"reveal","round":1,"to":"REVEALED"}': c.Reveal(1, "REVEALED"),
    '{"type":"abort_round","round":1}': c.AbortRound(1),
    '{"type":"next_round","round":1}': c.NextRound(1),
    '{"type":"guess","round":1,"performance":1,"part":"placement","choice":0}': c.SubmitGuess(
        1, 1, "placement", 0
    ),
    '{"type":"guess","round":1,"performance":1,"part":"title","choice":"t4"}': c.SubmitGuess(
        1, 1, "title", "t4"
    ),
    '{"type":"guess","round":1,"performance":1,"part":"title","choice":null}': c.SubmitGuess(
        1, 1, "title", None
    ),
    '{"type":"use_joker","round":1,"performance":1,"part":"placement"}': c.UseJoker(
        1, 1, "placement"
    ),
    '{"type":"predict","round":1,"performance":1,"difficulty":"easy"}': c.Predict(1, 1, "easy"),
    '{"type":"play","round":1,"performance":1}': c.Play(1, 1),
    '{"type":"stop","round":1,"performance":1}': c.Stop(1, 1),
}


@pytest.mark.parametrize(("text", "command"), WIRE.items(), ids=WIRE)
def test_decode(text, command):
    assert c.DECODER.decode(text) == command
    assert msgspec.json.encode(command).decode() == text


def test_all_of_them():
    assert {type(command) for command in WIRE.values()} == set(c.COMMANDS)
    assert len(c.NAMES) == len(set(c.NAMES.values())) == 18


@pytest.mark.parametrize(
    "text",
    [
        '{"type":"dance"}',
        '{"type":"start_game","now":true}',
        '{"type":"set_start_year"}',
        '{"type":"set_start_year","year":"1990"}',
        '{"type":"set_start_year","year":1990.5}',
        '{"type":"guess","round":1,"performance":1,"part":"placement","choice":true}',
        '{"type":"guess","round":1,"performance":1,"part":"placement","choice":1.5}',
        '{"type":"guess","round":1,"performance":1,"part":"placement"}',
        '{"type":"guess","round":1,"performance":1,"part":"title","choice":"t0","player":"p2"}',
        '{"type":"configure","options":{"volume":11}}',
        '{"type":"lock_round","round":1}',
        '{"round":1}',
        "[]",
        "{",
    ],
)
def test_malformed(text):
    with pytest.raises(msgspec.DecodeError):
        c.DECODER.decode(text)
