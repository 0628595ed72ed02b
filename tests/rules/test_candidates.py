"""When two options are the same, and which ten may be played with."""

import pytest
from tests.table import draw

from varv.rules import candidates
from varv.rules.editions import EDITIONS
from varv.rules.model import Part

GOOD = draw(1)
TITLES, ARTISTS = GOOD.titles, GOOD.artists


@pytest.mark.rule("CAN-01")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Dancing Queen", "dancing queen"),
        ("Beyoncé", "Beyonce"),
        ("Don't Stop", "Dont Stop!"),
        ("AC/DC", "ACDC"),
        ("Run-D.M.C.", "RUN DMC"),
        ("  Hello ", "Hello"),
        ("Umbrella (feat. Jay-Z)", "Umbrella"),
        ("Umbrella ft. Jay-Z", "Umbrella"),
        ("Umbrella featuring Jay-Z", "Umbrella"),
        ("Umbrella [feat. Jay-Z]", "Umbrella"),
        ("Heroes (Remastered 2017)", "Heroes"),
        ("Heroes - 2017 Remaster", "Heroes"),
        ("Heroes [Remastered]", "Heroes"),
        ("Heroes/Live", "Heroes"),
        ("River Deep – Mountain High - 2009 Remaster", "River Deep – Mountain High"),
        ("Heroes (Live)", "Heroes"),
        ("Simon & Garfunkel", "Simon and Garfunkel"),
        ("Mø", "Mo"),
        ("Sigur Rós", "Sigur Ros"),
        ("Ænima", "Aenima"),
        ("Straße", "Strasse"),
        ("Łzy", "lzy"),
        ("Đorđe", "Dorde"),
        ("Guðrún", "Gudrun"),
        ("Þú og ég", "Thu og eg"),
        ("Ｗｉｄｅ", "Wide"),
    ],
    ids=str,
)
def test_the_same_to_a_person(one, other):
    assert candidates.fold(one) == candidates.fold(other)


@pytest.mark.rule("CAN-01")
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Hello", "Hello Again"),
        ("1999", "1989"),
        ("Live and Let Die", "Let Die"),
        ("Live", "Alive"),
        ("Staying-A-Live", "Staying"),
        ("Feathers", "Fe"),
        ("!!!", "???"),
        ("Left", "Le"),
        ("Remaster of Puppets", "Puppets"),
        ("愛", "恋"),
    ],
    ids=str,
)
def test_different_to_a_person(one, other):
    assert candidates.fold(one) != candidates.fold(other)


def test_a_name_of_signs_alone_is_still_a_name():
    assert candidates.fold(" !!! ") == "!!!"
    assert candidates.fold("(feat. Somebody)") == "(feat. somebody)"


def test_option_ids():
    assert candidates.option_id(Part.TITLE, 0) == "t0"
    assert candidates.option_id(Part.ARTIST, 9) == "a9"


@pytest.mark.rule("CAN-01")
def test_the_right_option_is_found_as_a_person_would():
    assert candidates.right_option(("One", "Two", "Three"), "TWO (Remastered)") == 1
    assert candidates.right_option(("One", "Two", "two!"), "Two") is None
    assert candidates.right_option(("One", "Two"), "Three") is None


@pytest.mark.rule("CAN-01", "CAN-03")
def test_a_proper_set_is_valid():
    for drawn in (GOOD, *map(draw, range(20))):
        assert candidates.valid(drawn)
        assert candidates.valid_few(drawn)


def broken(texts: tuple[str, ...], answer: str) -> dict[str, tuple[str, ...]]:
    """Lists that are wrong in one way each."""
    one, other = [text for text in texts if text != answer][:2]

    def without(old: str, new: str) -> tuple[str, ...]:
        return tuple(new if text == old else text for text in texts)

    return {
        "nine": texts[:9],
        "eleven": (*texts, "Eleventh"),
        "ten different, one of them twice": (*texts, one),
        "a wrong one twice but for case": without(one, other.upper()),
        "the right one twice but for a sign": without(one, f"{answer}!"),
        "the right one missing": without(answer, "Something else"),
    }


BROKEN = [
    pytest.param({field: texts}, id=f"{field}: {how}")
    for field, options, answer in (
        ("titles", TITLES, GOOD.song.title),
        ("artists", ARTISTS, GOOD.song.artist),
    )
    for how, texts in broken(options, answer).items()
]


@pytest.mark.rule("CAN-01", "CAN-04")
@pytest.mark.parametrize("edition", EDITIONS.values(), ids=EDITIONS)
@pytest.mark.parametrize("changes", BROKEN)
def test_an_improper_set_is_not(edition, changes):
    assert not edition.valid(draw(1, **changes), ())


right_title = TITLES.index(GOOD.song.title)
others = tuple(index for index in range(10) if index != right_title)


@pytest.mark.rule("CAN-03", "CAN-04")
@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"few_titles": (right_title,)}, id="one in the reduced list"),
        pytest.param({"few_titles": tuple(sorted((right_title, *others[:3])))}, id="four"),
        pytest.param({"few_titles": others[:3]}, id="reduced list without the answer"),
        pytest.param(
            {"few_titles": tuple(reversed(GOOD.few_titles))}, id="reduced list in another order"
        ),
        pytest.param({"few_titles": (right_title,) * 3}, id="reduced list with doubles"),
        pytest.param(
            {"few_artists": (*GOOD.few_artists[:2], 10)}, id="reduced list out of the ten"
        ),
        pytest.param({"few_artists": (-1, *GOOD.few_artists[:2])}, id="a negative index"),
        pytest.param({"few_artists": ()}, id="no reduced list"),
    ],
)
def test_dj_needs_proper_reduced_lists_and_oracle_none(changes):
    drawn = draw(1, **changes)
    assert not EDITIONS["dj"].valid(drawn, ())
    assert EDITIONS["oracle"].valid(drawn, ())


@pytest.mark.rule("CAN-03")
def test_a_reduced_list_may_hold_the_first_and_the_last():
    titles = (GOOD.song.title, *(f"Other {n}" for n in range(9)))
    assert candidates.valid_few(draw(1, titles=titles, few_titles=(0, 1, 9)))
    assert candidates.valid_few(draw(1, titles=titles[::-1], few_titles=(0, 1, 9)))


@pytest.mark.rule("CAN-05")
def test_an_option_of_the_round_before_may_not_return():
    assert candidates.valid(GOOD, ["somethingelse"])
    assert not candidates.valid(GOOD, [candidates.fold(TITLES[4])])
    assert not candidates.valid(GOOD, [candidates.fold(ARTISTS[4])])
    assert not candidates.valid(GOOD, iter([candidates.fold(ARTISTS[4])]))
