"""Recognising songs, and telling apart what only looks alike."""

import pytest

from varv.music.keys import artist_key
from varv.music.matching import Index, alike, same_artist, same_title
from varv.music.model import CatalogueSong, Origin, YearSource


def song(title: str, artist: str) -> CatalogueSong:
    identity, source = f"{title}/{artist}", YearSource.CURATED
    return CatalogueSong(identity, title, artist, 1990, source, origin=Origin.SHIPPED)


INDEX = Index(
    [
        song("Halo", "Beyoncé"),
        song("Hey Jude", "The Beatles"),
        song("Another Brick in the Wall, Part 2", "Pink Floyd"),
        song("Bohemian Rhapsody", "Queen"),
        song("Öppna landskap", "Ulf Lundell"),
        song("SOS", "ABBA"),
    ]
)
WALL = "Another Brick in the Wall, Part 2/Pink Floyd"


@pytest.mark.parametrize(
    ("title", "artist", "found"),
    [
        ("Halo", "Beyonce", "Halo/Beyoncé"),
        ("HALO", "BEYONCÉ feat. Nobody", "Halo/Beyoncé"),
        ("Hey Jude (Remastered 2015)", "Beatles", "Hey Jude/The Beatles"),
        ("Hey Jude", "Beatles, The", "Hey Jude/The Beatles"),
        ("Oppna landskap", "Ulf Lundel", "Öppna landskap/Ulf Lundell"),
        ("Bohemian Rapsody", "Queen", "Bohemian Rhapsody/Queen"),
        ("Bohemian Rhapsody", "Queens", None),
        ("Another Brick in the Wall, Part 1", "Pink Floyd", None),
        ("Another Brick in the Wall Part 2", "Pink Floyd", WALL),
        ("SOX", "ABBA", None),
        ("Hey Jude", "Wilson Pickett", None),
    ],
)
def test_which_song_it_is(title: str, artist: str, found: str | None) -> None:
    match = INDEX.find(title, artist)
    assert (match.id if match else None) == found


def test_a_newer_row_replaces_the_older() -> None:
    index = Index([song("SOS", "ABBA")])
    newer = CatalogueSong("new", "S.O.S.", "Abba", 1975, YearSource.USER)
    index.add(newer)
    assert index.exact("SOS", "ABBA") == newer
    assert index.by_artist(artist_key("Abba")) == [newer]
    assert index.exact("Fernando", "ABBA") is None


def test_slips_and_differences() -> None:
    assert alike("dancingqueen", "dancinqueen")
    assert not alike("dancingqueen", "dancingking")
    assert not alike("part1ofthelongsong", "part2ofthelongsong")
    assert not alike("yes", "yea")
    assert same_title("Ça ira", "Ca Ira")
    assert same_artist("The Cure", "cure")
    assert artist_key("The The") == "the"
