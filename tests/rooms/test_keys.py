"""Codes, tokens and tickets."""

import pytest

from varv.rooms.keys import AudioTicket, Keys, new_code, new_token, read_code

KEYS, OTHER = Keys(b"one"), Keys(b"other")


def test_codes_have_no_look_alikes() -> None:
    codes = {new_code(4) for _ in range(500)}
    assert not set("".join(codes)) & set("0O1IL")
    assert len(codes) > 450


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("k7qx", "K7QX"),
        (" K7QX ", "K7QX"),
        ("K7QXAB", "K7QXAB"),
        ("K7Q", None),
        ("K7QXABC", None),
        ("K7Q0", None),
        ("K7Ö2", None),
        ("", None),
        ("K7Qß", None),
    ],
)
def test_codes_as_people_type_them(typed: str, code: str | None) -> None:
    assert read_code(typed) == code


def test_tokens_are_long_and_never_the_same() -> None:
    assert len({new_token() for _ in range(100)}) == 100
    assert len(new_token()) >= 32


def test_a_repeated_call_gets_the_same_token_and_another_does_not() -> None:
    token = KEYS.token("join AAAA", "key", b"body")
    assert token == KEYS.token("join AAAA", "key", b"body")
    assert len(token) >= 22
    others = {
        KEYS.token("join BBBB", "key", b"body"),
        KEYS.token("join AAAA", "yek", b"body"),
        KEYS.token("join AAAA", "key", b"ydob"),
        OTHER.token("join AAAA", "key", b"body"),
    }
    assert token not in others
    assert len(others) == 4


def test_chance_made_from_a_key_cannot_be_worked_out_from_what_is_known() -> None:
    """What a bot hears is the year and some noise: whoever knew the seed would know the year."""
    about = ("bot", "K7QX", "p2", "song", "1", "1")
    assert KEYS.seed(*about) == KEYS.seed(*about)
    others = {KEYS.seed(*about[:-1], "2"), OTHER.seed(*about)}
    assert len(others) == 2
    assert KEYS.seed(*about) not in others


def test_audio_tickets_are_for_one_ear_and_one_performance() -> None:
    ticket = KEYS.audio_ticket("AAAA", 3, 1, "p2")
    assert KEYS.read_audio_ticket(ticket) == AudioTicket("AAAA", 3, 1, "p2")
    assert OTHER.read_audio_ticket(ticket) is None
    assert KEYS.read_audio_ticket(ticket.replace("p2", "p1")) is None
    assert KEYS.read_audio_ticket(ticket.replace(".3.", ".4.")) is None
    assert KEYS.read_audio_ticket(ticket.replace(".3.", ".03.")) is None
    assert KEYS.read_audio_ticket(ticket + "x") is None


def test_screens_are_paired_by_link_or_by_code() -> None:
    assert KEYS.pairs_screen("AAAA", KEYS.screen_ticket("AAAA"))
    assert KEYS.pairs_screen("AAAA", KEYS.screen_code("AAAA").lower())
    assert not KEYS.pairs_screen("AAAA", KEYS.screen_ticket("BBBB"))
    assert not KEYS.pairs_screen("AAAA", "")
    assert not KEYS.pairs_screen("AAAA", "å")
