"""What is asked for when a song is drawn."""

import pytest
from tests.table import draw, lobby, table

from varv.rules import drawing
from varv.rules.candidates import fold


@pytest.mark.rule("PRF-09")
def test_before_anything_was_played():
    for at in (lobby("oracle", 3), table("oracle", 3)):
        asked = drawing.request(at.game)
        assert (asked.mix, asked.game) == ("test", "K7QX")
        assert not (asked.played or asked.on_tables or asked.this_round)
        assert not (asked.retired or asked.retired_texts or asked.revealed)


@pytest.mark.rule("PRF-09", "CAN-05")
def test_in_a_round_its_own_songs_and_options_are_out():
    at = table("oracle", 3).starts()
    first = draw(1)
    asked = drawing.request(at.game)
    assert asked.played == asked.this_round == {first.song.id}
    assert asked.retired == set(first.group)
    assert asked.retired_texts == {fold(text) for text in (*first.titles, *first.artists)}
    assert len(asked.retired_texts) == 20
    at.changes_song()
    second = draw(2)
    asked = drawing.request(at.game)
    assert asked.played == asked.this_round == {first.song.id, second.song.id}
    assert asked.retired == {*first.group, *second.group}
    assert asked.retired_texts == {
        fold(text) for text in (*first.titles, *first.artists, *second.titles, *second.artists)
    }
    assert asked.retired_texts == drawing.retired_texts(at.game)
    assert not asked.revealed


@pytest.mark.rule("PRF-09", "CAN-07")
def test_in_the_next_round_only_what_was_played_revealed_or_lies_on_a_table():
    at = table("oracle", 4).plays_round(right=["Bo", "Cia"], predicts="easy").next_round()
    song = draw(1).song.id
    asked = drawing.request(at.game)
    assert asked.played == asked.revealed == asked.on_tables == {song}
    assert not (asked.this_round or asked.retired or asked.retired_texts)
    at.aborts().starts().changes_song().aborts()
    assert drawing.request(at.game).revealed == {song}
    assert len(drawing.request(at.game).played) == 3


@pytest.mark.rule("PRF-09")
def test_a_card_beside_the_timeline_is_on_the_table_too_until_its_owner_goes():
    at = table("oracle", 4).plays_until("Bo").plays_round(predicts="hard").next_round()
    song = draw(2).song.id
    assert at.side_cards("Bo") == ["oracle"]
    assert drawing.request(at.game).on_tables == {song}
    at.removes("Bo")
    assert not drawing.request(at.game).on_tables


@pytest.mark.rule("CAN-04")
def test_a_song_whose_options_were_invalid_counts_as_used():
    at = table("dj", 3).starts(titles=("One",) * 10)
    assert draw(1).song.id in drawing.request(at.game).played
    at.starts().changes_song(artists=())
    assert {draw(2).song.id, draw(3).song.id} <= drawing.request(at.game).played
    assert not drawing.request(at.game).this_round


@pytest.mark.rule("PRF-09", "CAN-07")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_what_the_next_round_asks_for_is_known_while_the_song_plays(edition):
    at = table(edition, 4).plays_round(right=["Bo"]).next_round().starts()
    expected = drawing.likely_next(at.game)
    at.changes_song()
    assert drawing.likely_next(at.game) != expected
    expected = drawing.likely_next(at.game)
    at.places_right("Cia").ends_round().next_round()
    assert drawing.request(at.game) == expected
