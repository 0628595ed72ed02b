"""Mixes as tables, there and back."""

from pathlib import Path

import pytest
from tests.music.messy import sound

from varv.music.catalogue import Catalogue, Changes
from varv.music.identity import song_id
from varv.music.model import CatalogueSong, Origin, RecordingKind, YearClaim, YearSource
from varv.music.tables import Imported, TableError, export_mix, import_table

WATERLOO = song_id("Waterloo", "ABBA")


@pytest.fixture
async def shelf(catalogue: Catalogue) -> Catalogue:
    """A catalogue that knows one song."""
    song = CatalogueSong(
        WATERLOO, "Waterloo", "ABBA", 1974, YearSource.CURATED, "en", "pop", origin=Origin.SHIPPED
    )
    claim = YearClaim(WATERLOO, YearSource.CURATED, 1974)
    await catalogue.apply(Changes(songs=(song,), claims=(claim,)))
    return catalogue


async def imported(
    catalogue: Catalogue, folder: Path, text: str | bytes, mix: str | None = None
) -> Imported:
    file = folder / "My Songs.csv"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return await import_table(catalogue, file, mix)


@pytest.mark.rule("MUS-01")
async def test_songs_years_and_sound(shelf: Catalogue, tmp_path: Path) -> None:
    (tmp_path / "audio").mkdir()
    (tmp_path / "audio" / "a.mp3").write_bytes(sound("mp3"))
    table = (
        "title,artist,year,audio,language,genre\n"
        "Waterloo,Abba,,audio/a.mp3,,\n"
        '"Hej, hopp",Åke,1999,,sv,Visa\n'
    )
    done = await imported(shelf, tmp_path, table)
    assert (done.mix, done.songs, done.recordings, done.troubles) == ("my-songs", 2, 1, [])
    songs = {song.title: song for song in await shelf.songs()}
    assert songs["Waterloo"].year == 1974
    assert songs["Hej, hopp"] == CatalogueSong(
        song_id("Hej, hopp", "Åke"), "Hej, hopp", "Åke", 1999, YearSource.USER, "sv", "visa"
    )
    (recording,) = await shelf.recordings()
    assert (recording.song, recording.kind) == (WATERLOO, RecordingKind.FILE)
    assert recording.locator == str(tmp_path / "audio" / "a.mp3")
    assert {member.mix for member in await shelf.members()} == {"my-songs"}


async def test_the_users_word_beats_the_catalogue(shelf: Catalogue, tmp_path: Path) -> None:
    await imported(shelf, tmp_path, "title,artist,year\nWaterloo,ABBA,1973\n", "Fixed")
    (song,) = await shelf.songs()
    assert (song.year, song.source, song.language) == (1973, YearSource.USER, "en")
    assert {claim.source: claim.year for claim in await shelf.claims()} == {
        YearSource.CURATED: 1974,
        YearSource.USER: 1973,
    }
    await imported(shelf, tmp_path, "title,artist,year\nWaterloo,ABBA,1975\n", "Fixed")
    assert (await shelf.songs())[0].year == 1975


async def test_lines_with_troubles_are_named_and_the_rest_goes_on(
    shelf: Catalogue, tmp_path: Path
) -> None:
    (tmp_path / "broken.mp3").write_bytes(b"no music")
    table = (
        "title,artist,year,audio\n"
        "A,Us,1990,gone.mp3\n"
        "B,Us,1990,broken.mp3\n"
        ",Us,1990,\n"
        "C,Us,199O,\n"
        "D,Us,12,\n"
        "E,Us,,\n"
        "\n"
        "F,Us,1991\n"
        "f,US,1992,\n"
    )
    done = await imported(shelf, tmp_path, table)
    assert (done.songs, done.recordings) == (3, 0)
    assert [trouble.split(":")[0] for trouble in done.troubles] == [
        f"line {n}" for n in (2, 3, 4, 5, 6, 7, 10)
    ]
    assert {s.title: s.year for s in await shelf.songs()} == {
        "A": 1990,
        "B": 1990,
        "F": 1992,
        "Waterloo": 1974,
    }


@pytest.mark.parametrize(
    "content",
    [
        "\ufeffTitle;Artist;Year\r\nSå länge;Åsa;1984\r\n".encode(),
        "title;artist;year\nSå länge;Åsa;1984\n".encode("cp1252"),
        "year\tartist\ttitle\n1984\tÅsa\tSå länge\n".encode(),
    ],
    ids=["excel", "windows", "tabs"],
)
async def test_tables_from_spreadsheets(
    catalogue: Catalogue, tmp_path: Path, content: bytes
) -> None:
    done = await imported(catalogue, tmp_path, content)
    assert (done.songs, done.troubles) == (1, [])
    (song,) = await catalogue.songs()
    assert (song.title, song.artist, song.year) == ("Så länge", "Åsa", 1984)


async def test_what_is_no_table_says_so(catalogue: Catalogue, tmp_path: Path) -> None:
    for content in ("", "title,artist\nA,B\n", b"\x89PNG\r\n\x1a\n\x00\x00"):
        with pytest.raises(TableError, match="no column"):
            await imported(catalogue, tmp_path, content)
    with pytest.raises(TableError, match="cannot be read"):
        await import_table(catalogue, tmp_path / "nowhere.csv")
    done = await imported(catalogue, tmp_path, "title,artist,year\n")
    assert done.songs == 0
    assert await catalogue.mixes() == []


async def test_an_exported_mix_can_be_imported_again(shelf: Catalogue, tmp_path: Path) -> None:
    (tmp_path / "a.flac").write_bytes(sound("flac"))
    table = 'title,artist,year,audio\n"A ""b"", c",Us,1990,a.flac\nWaterloo,ABBA,1974,\n'
    await imported(shelf, tmp_path, table, "Party")
    text = await export_mix(shelf, "party")
    assert text.splitlines()[0] == "title,artist,year,audio,language,genre"
    assert len(text.splitlines()) == 3
    again = await imported(shelf, tmp_path, text, "Second")
    assert (again.songs, again.recordings, again.troubles) == (2, 1, [])
    assert await export_mix(shelf, "second") == text


async def test_songs_without_a_year_are_exported_to_be_filled_in(
    shelf: Catalogue, tmp_path: Path
) -> None:
    unsure = CatalogueSong("s-x", "Mystery", "Us", 2011, YearSource.UNSURE)
    await imported(shelf, tmp_path, "title,artist,year\nWaterloo,ABBA,1974\n", "Party")
    from varv.music.model import Membership

    await shelf.apply(Changes(songs=(unsure,), members=(Membership("party", "s-x"),)))
    text = await export_mix(shelf, "party", unsure=True)
    assert text is not None
    assert text.splitlines()[1:] == ["Mystery,Us,,,,"]
    filled = text.replace("Mystery,Us,,", "Mystery,Us,1979,")
    await imported(shelf, tmp_path, filled, "Party")
    years = {song.title: (song.year, song.sure) for song in await shelf.songs()}
    assert years["Mystery"] == (1979, True)


async def test_a_path_is_taken_to_the_letter(shelf: Catalogue, tmp_path: Path) -> None:
    """Two spaces, an accent of two characters, and what looks like a wrong encoding."""
    names = ("two  spaces.mp3", "A\u030ake.mp3", "Ã¥.mp3")
    for name in names:
        (tmp_path / name).write_bytes(sound("mp3"))
    rows = "".join(f"Song {n},Us,1990,{name}\n" for n, name in enumerate(names))
    done = await imported(shelf, tmp_path, "title,artist,year,audio\n" + rows, "Party")
    assert (done.songs, done.recordings, done.troubles) == (3, 3, [])


async def test_lines_that_no_person_would_write(shelf: Catalogue, tmp_path: Path) -> None:
    rows = f"One,Us,{'9' * 5000},\nTwo,{'x' * 200},1990,\nThree,Us,19990,\nFour,Us,1990,\n"
    done = await imported(shelf, tmp_path, "title,artist,year,audio\n" + rows, "Party")
    assert done.songs == 1
    assert [trouble.split(":")[0] for trouble in done.troubles] == ["line 2", "line 3", "line 4"]
    assert max(len(trouble) for trouble in done.troubles) < 80


async def test_unicode_text_from_a_spreadsheet(shelf: Catalogue, tmp_path: Path) -> None:
    table = tmp_path / "party.csv"
    table.write_text("title\tartist\tyear\nHej\tÅke\t1999\n", "utf-16")
    done = await import_table(shelf, table)
    assert (done.songs, done.troubles) == (1, [])
