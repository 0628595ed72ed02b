"""`varv music …` as its user meets it: what it says, and its exit status."""

import asyncio
import csv
import io
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.music.messy import sound, tagged
from tests.music.standin import standing_in

from varv.cli.music import app
from varv.cli.scan_report import shown
from varv.music.model import Flag
from varv.stores.sqlite_catalogue import SqliteCatalogue


@pytest.fixture
def varv(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    """Run a command on a data folder of its own."""
    for name in ("VARV_STORE", "VARV_DATA", "VARV_MUSICBRAINZ", "VARV_DEEZER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("VARV_DATA", str(tmp_path / "data"))

    def run(*arguments: str | Path) -> Result:
        result = CliRunner().invoke(app, [str(argument) for argument in arguments])
        assert "Traceback" not in result.output
        return result

    return run


def music(folder: Path) -> Path:
    """Twenty-five songs, a copy, a karaoke version and a broken file."""
    folder.mkdir()
    for n in range(25):
        tags = {
            "title": f"Song {chr(97 + n) * 4}",
            "artist": f"Artist {chr(97 + n) * 4}",
            "album": "Home",
            "date": str(1980 + n),
        }
        (folder / f"{n:02}.mp3").write_bytes(tagged("mp3", tags))
    (folder / "copy.mp3").write_bytes((folder / "00.mp3").read_bytes())
    (folder / "broken.mp3").write_bytes(b"")
    karaoke = {"title": "Song (Karaoke)", "artist": "Us"}
    (folder / "karaoke.mp3").write_bytes(tagged("mp3", karaoke))
    return folder


@pytest.mark.rule("MUS-02")
def test_from_a_folder_to_a_playable_mix(varv, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    folder = music(tmp_path / "music")
    report = tmp_path / "report.csv"
    result = varv("scan", folder, "--mix", "Our Party", "--report", report)
    assert result.exit_code == 0, result.output
    assert "28 files: 28 read, 0 unchanged" in result.output
    assert "25 added" in result.output
    assert "broken.mp3: not playable, the file is empty" in result.output
    assert "The mix is our-party" in result.output
    rows = list(csv.DictReader(io.StringIO(report.read_text("utf-8"))))
    assert len(rows) == 28
    assert {row["verdict"] for row in rows} >= {"added", "another copy", "not playable"}
    again = varv("scan", folder, "--mix", "Our Party")
    assert "28 files: 0 read, 28 unchanged" in again.output
    mixes = varv("mixes").output
    line = next(line for line in mixes.splitlines() if line.startswith("our-party"))
    assert line.split()[1:4] == ["25", "songs", "1980–2004"]
    assert "playable" in line
    assert any(line.startswith("demo") and "playable" in line for line in mixes.splitlines())


def test_import_and_export(varv, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "a.mp3").write_bytes(sound("mp3"))
    table = tmp_path / "party.csv"
    table.write_text("title,artist,year,audio\nHej,Åke,1999,a.mp3\nHopp,Åsa,19x9,\n", "utf-8")
    result = varv("import", table, "--mix", "Kräftskiva")
    assert result.exit_code == 0
    assert "into the mix kräftskiva" in result.output
    assert "line 3: '19x9' is no year" in result.output
    exported = varv("export", "kräftskiva").output
    assert "Hej,Åke,1999," in exported
    out = tmp_path / "out.csv"
    assert varv("export", "kräftskiva", "--output", out).exit_code == 0
    assert out.read_text("utf-8") == exported


@pytest.mark.rule("ENT-01")
def test_a_mix_is_base_premium_or_single(varv, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    folder, table = music(tmp_path / "music"), tmp_path / "party.csv"
    table.write_text("title,artist,year\nHej,Åke,1999\n", "utf-8")

    def fill() -> None:
        for command in (["scan", folder], ["import", table]):
            assert varv(*command, "--mix", "Kräftskiva").exit_code == 0

    def listed() -> str:
        lines: list[str] = varv("mixes").output.splitlines()
        return next(line for line in lines if line.startswith("kräftskiva"))

    fill()
    assert "  playable  Kräftskiva" in listed()
    said = varv("premium", "kräftskiva", "--single").output
    assert "a single mix now" in said and "varv grant OWNER mix kräftskiva" in said
    fill()
    assert "playable, single  " in listed()
    assert "a premium mix now" in varv("premium", "Kräftskiva").output
    assert "playable, premium  " in listed()
    assert "a base mix now" in varv("premium", "kräftskiva", "--off").output
    assert "  playable  Kräftskiva" in listed()


def test_check_finds_what_to_look_at(varv, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert varv("check").output == "Nothing to look at.\n"
    folder, table = tmp_path / "music", tmp_path / "t.csv"
    folder.mkdir()
    hits = {"title": "Mystery Song", "artist": "Us", "album": "Greatest Hits", "date": "2001"}
    (folder / "a.mp3").write_bytes(tagged("mp3", hits))
    varv("scan", folder)
    (tmp_path / "b.mp3").write_bytes(sound("mp3"))
    rows = "Rhapsody in Red,Them,1990,b.mp3\nRapsody in Red,Them,1991,\n"
    table.write_text(f"title,artist,year,audio\n{rows}", "utf-8")
    varv("import", table)
    (tmp_path / "b.mp3").unlink()
    flag = Flag("s-gone", "K7QX", 4, "it was 1973", 1)
    asyncio.run(flagged(tmp_path / "data" / "varv.db", flag))
    flags = "flagged by a player: a song that is gone (game K7QX, round 4): it was 1973"
    others = [
        "doubtful year: Us: Mystery Song (2001, unsure)",
        "perhaps the same song: Them: Rapsody in Red (1991, user)"
        " and Them: Rhapsody in Red (1990, user)",
        f"missing file: {tmp_path / 'b.mp3'}",
    ]
    assert varv("check", "--clear-flags").output.splitlines() == [flags, *others]
    assert varv("check").output.splitlines() == others


async def flagged(database: Path, flag: Flag) -> None:
    """As a server does it when a player doubts a year."""
    catalogue = SqliteCatalogue(database)
    await catalogue.add_flag(flag)
    await catalogue.close()


def test_what_players_write_cannot_reach_into_the_terminal() -> None:
    assert shown("Åse – 1973\n\x1b[2Jvarv: all is well") == "Åse – 1973��[2Jvarv: all is well"


def test_errors_are_one_line_and_say_what_to_do(varv, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    for arguments, status, words in (
        (["scan", tmp_path / "nowhere"], 1, "There is no folder"),
        (["import", tmp_path / "nowhere.csv"], 1, "cannot be read"),
        (["export", "nothing"], 1, "varv music mixes"),
        (["premium", "nothing"], 1, "varv music mixes"),
        (["premium", "demo", "--single", "--off"], 2, "not both"),
        (["mixes", "--store", "mysql://x"], 1, "--store takes"),
        (["scan"], 2, "at least one folder"),
        (["scan", "--previews", "deezer", "--mix", "No such"], 1, "varv music mixes"),
        (["scan", tmp_path, "--previews", "spotify"], 2, "takes off or deezer"),
        (["scan", tmp_path, "--report", tmp_path / "no" / "r.csv"], 2, "there is no folder"),
        (["export", "demo", "--output", tmp_path / "no" / "x.csv"], 1, "No such file"),
        (["import"], 2, "Missing argument"),
    ):
        result = varv(*arguments)
        assert result.exit_code == status, result.output
        assert words in result.output
    empty = tmp_path / "empty.csv"
    empty.write_text("title,artist,year\n")
    assert varv("import", empty).exit_code == 1


def test_musicbrainz_is_asked_when_wanted(varv, tmp_path: Path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path / "music"
    folder.mkdir()
    tags = {"title": "Mystery Song", "artist": "Us", "album": "Greatest Hits", "date": "2001"}
    (folder / "a.mp3").write_bytes(tagged("mp3", tags))
    row = {
        "score": 100,
        "title": "Mystery Song",
        "artist-credit": [{"name": "Us"}],
        "first-release-date": "1979-05-01",
    }
    with standing_in(lambda *_: (200, {"recordings": [row]})) as server:
        monkeypatch.setenv("VARV_MUSICBRAINZ", server.url)
        monkeypatch.setenv("VARV_MUSICBRAINZ_PACE", "0.01")
        assert varv("scan", folder).exit_code == 0
        assert server.asked == []
        result = varv("scan", folder, "--musicbrainz")
    assert "MusicBrainz knew 1 of 1 years." in result.output
    assert "Mystery Song,Us,1979," in varv("export", "my-music").output
    result = varv("scan", "--musicbrainz")
    assert "knew 0 of 0" in result.output


@pytest.mark.parametrize("pace", ["soon", "-1", "nan", "1e9"])
def test_a_pace_that_is_none(varv, monkeypatch, pace: str) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("VARV_MUSICBRAINZ_PACE", pace)
    result = varv("scan", "--musicbrainz")
    assert result.exit_code == 2
    assert "VARV_MUSICBRAINZ_PACE" in result.output


def test_a_scan_says_what_to_do_next(varv, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    assert "There is no music there" in varv("scan", tmp_path).output
    tags = {"title": "Mystery Song", "artist": "Us", "album": "Greatest Hits", "date": "2001"}
    (tmp_path / "a.mp3").write_bytes(tagged("mp3", tags))
    result = varv("scan", tmp_path, "--mix", "Our party")
    assert "`varv music export our-party --unsure`" in result.output
    report = tmp_path / "report.csv"
    assert "0 read, 1 unchanged" in varv("scan", tmp_path, "--report", report).output
    (row,) = csv.DictReader(io.StringIO(report.read_text("utf-8")))
    assert (row["verdict"], row["title"]) == ("unsure year", "Mystery Song")


def test_a_mix_may_be_called_by_its_name(varv) -> None:  # type: ignore[no-untyped-def]
    assert varv("export", "All Time Hits").output == varv("export", "all-time-hits").output


def test_a_preview_service_that_is_down(varv, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    with standing_in(lambda *_: (500, {})) as server:
        monkeypatch.setenv("VARV_DEEZER", server.url)
        result = varv("scan", "--previews", "deezer")
    assert result.exit_code == 1
    assert "what was found so far is kept" in result.output
