"""Titles and artists as people write them."""

import pytest

from varv.music import titles
from varv.music.titles import Version


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Dancing Queen", "Dancing Queen"),
        ("Dancing Queen (Remastered 2011)", "Dancing Queen"),
        ("Dancing Queen - 2014 Remaster", "Dancing Queen"),
        ("Dancing Queen [Digitally Remastered] (Bonus Track)", "Dancing Queen"),
        ("Crazy in Love (feat. Jay-Z)", "Crazy in Love"),
        ("Crazy in Love feat. Jay-Z", "Crazy in Love"),
        ("Stan (with Dido)", "Stan"),
        ("Heroes - Single Version", "Heroes"),
        ("(I Can't Get No) Satisfaction", "(I Can't Get No) Satisfaction"),
        ("Levels - Radio Edit", "Levels"),
        ("Don't Stop (Thinking About Tomorrow)", "Don't Stop (Thinking About Tomorrow)"),
        ("Remastered", "Remastered"),
        ("(Remastered)", "(Remastered)"),
        ("Video Killed the Radio Star (Official Video)", "Video Killed the Radio Star"),
        ("I Want It That Way", "I Want It That Way"),
        ("Ft. Worth Blues", "Ft. Worth Blues"),
    ],
)
def test_what_is_shown_of_a_title(written: str, shown: str) -> None:
    assert titles.show_title(written) == shown


@pytest.mark.parametrize(
    ("title", "album", "version"),
    [
        ("Live and Let Die", "", Version.STUDIO),
        ("Live Is Life", "Live Is Life", Version.STUDIO),
        ("Viva la Vida", "Alive", Version.STUDIO),
        ("Long Live", "", Version.STUDIO),
        ("Hotel California (Live)", "", Version.LIVE),
        ("Hotel California - Live at the Forum", "", Version.LIVE),
        ("Hotel California", "Eagles Live at Wembley", Version.LIVE),
        ("Layla", "Unplugged", Version.LIVE),
        ("Layla (Unplugged)", "", Version.LIVE),
        ("Mamma Mia (Karaoke Version)", "", Version.KARAOKE),
        ("Mamma Mia", "Karaoke Hits", Version.KARAOKE),
        ("Mamma Mia (Originally Performed by ABBA)", "", Version.KARAOKE),
        ("Mamma Mia (Instrumental)", "", Version.KARAOKE),
        ("Love Story (Taylor's Version)", "", Version.OTHER),
        ("Blue Monday (Hardfloor Remix)", "", Version.OTHER),
        ("Hallelujah - Acoustic", "", Version.OTHER),
        ("Ignition (Remix)", "", Version.OTHER),
        ("Cover Me", "Demo Tape", Version.STUDIO),
        ("Heroes (Remastered 2017)", "", Version.STUDIO),
    ],
)
def test_which_version_a_title_names(title: str, album: str, version: Version) -> None:
    assert titles.version(title, "Somebody", album) is version


@pytest.mark.parametrize(
    ("album", "artist", "studio"),
    [
        ("Arrival", "ABBA", True),
        ("Thriller", "", True),
        ("", "ABBA", False),
        ("ABBA Gold: Greatest Hits", "ABBA", False),
        ("Arrival (Deluxe Edition)", "ABBA", False),
        ("Arrival [2001 Remaster]", "ABBA", False),
        ("Now That's What I Call Music! 32", "", False),
        ("Absolute Music 14", "Various Artists", False),
        ("Home", "Various Artists", False),
        ("Grease: Original Soundtrack", "", False),
    ],
)
def test_which_albums_can_date_a_song(album: str, artist: str, studio: bool) -> None:
    assert titles.studio_album("A Song", album, artist) is studio


@pytest.mark.parametrize(
    ("stem", "artist", "title"),
    [
        ("ABBA - Waterloo", "ABBA", "Waterloo"),
        ("01 - ABBA - Waterloo", "ABBA", "Waterloo"),
        ("01. ABBA - Waterloo", "ABBA", "Waterloo"),
        ("Nena - 99 Luftballons", "Nena", "99 Luftballons"),
        ("ABBA_-_Dancing_Queen", "ABBA", "Dancing Queen"),
        ("07 Waterloo", "", "Waterloo"),
        ("a-ha - Take on Me", "a-ha", "Take on Me"),
        ("ABBA - Voulez-Vous - Live", "ABBA", "Voulez-Vous - Live"),
        ("", "", ""),
    ],
)
def test_what_a_file_name_says(stem: str, artist: str, title: str) -> None:
    assert titles.from_file_name(stem) == (artist, title)


def test_text_is_made_readable() -> None:
    assert titles.clean_text("BjÃ¶rk") == "Björk"
    assert titles.clean_text("Björk") == "Björk"
    assert titles.clean_text(" a\x00b\tc\u202e ") == "a; b c"
    assert titles.clean_text(None) == ""
    assert titles.show_artist("Queen; David Bowie") == "Queen & David Bowie"
    assert titles.show_artist("Jay-Z ft. Rihanna") == "Jay-Z"
    assert not titles.names_somebody("Various Artists")
    assert not titles.names_something("Track 07")
    assert titles.names_something("7")
