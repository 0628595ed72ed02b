"""Which names are allowed, and how two of the same are told apart."""

import pytest

from varv.rules import names


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("Maja", "Maja"),
        ("  Bo  ", "Bo"),
        ("Åsa-Britt", "Åsa-Britt"),
        ("A\u030asa", "Åsa"),
        ("x" * 24, "x" * 24),
        ("🎸", "🎸"),
        ("Anna 2", "Anna 2"),
        ("محمد", "محمد"),
        ("👩\u200d🎤", "👩\u200d🎤"),
        ("\u3164x", "\u3164x"),
    ],
    ids=ascii,
)
def test_name_is_kept(given, kept):
    assert names.clean(given) == kept


@pytest.mark.parametrize(
    "given",
    [
        "", "   ", "x" * 25, "a\nb", "a\x00b", "a\x7fb", "a\u2028b", "a\u2029b", "\u200b", "\u0301",
        "\u00a0\u200b", "\ud800", "a\ud800b", "\x1b[31m", "\u3164", "\u2800 \u115f", "\u1160",
        "\uffa0\u200b",
    ],
    ids=ascii,
)  # fmt: skip
def test_name_is_no_name(given):
    assert names.clean(given) is None


@pytest.mark.parametrize(
    "mark",
    [
        "\u061c",
        "\u200e",
        "\u200f",
        *map(chr, range(0x202A, 0x202F)),
        *map(chr, range(0x2066, 0x206A)),
    ],
    ids=ascii,
)
def test_no_mark_that_turns_the_writing_around(mark):
    assert names.clean(f"a{mark}b") is None


@pytest.mark.parametrize(
    ("name", "taken", "told_apart"),
    [
        ("Anna", [], "Anna"),
        ("Anna", ["Bo"], "Anna"),
        ("Anna", ["Anna"], "Anna 2"),
        ("ANNA", ["Anna"], "ANNA 2"),
        ("An\u200bna", ["Anna"], "An\u200bna 2"),
        ("Anna", ["Ａnna"], "Anna 2"),
        ("Anna  B", ["Anna B"], "Anna  B 2"),
        ("Anna", ["Anna", "Anna 2"], "Anna 3"),
        ("Anna", ["Anna", "Anna 3"], "Anna 2"),
        ("Anna 2", ["Anna", "Anna 2"], "Anna 2 2"),
        ("x" * 24, ["x" * 24], "x" * 22 + " 2"),
        ("x" * 21 + " yz", ["x" * 21 + " yz"], "x" * 21 + " 2"),
    ],
)
def test_two_of_the_same_name_are_told_apart(name, taken, told_apart):
    assert names.distinct(name, iter(taken)) == told_apart
    assert len(told_apart) <= 24
