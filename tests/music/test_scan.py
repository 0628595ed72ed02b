"""A folder of 300 messy files in every format, and what is decided about each of them."""

import os
import random
from pathlib import Path

import pytest
from tests.music.messy import FORMATS, Expected, Folder, apev2, id3v1, id3v2, sound, tagged

from varv.music.catalogue import Catalogue, Changes
from varv.music.decisions import Verdict
from varv.music.model import Recording, RecordingKind, YearClaim, YearSource
from varv.music.paths import from_text
from varv.music.scan import Report, Row, ScanError, scan

TITLES = {
    "plain": "{0}",
    "remastered": "{0} (Remastered 2011)",
    "remaster-dash": "{0} - 2009 Remaster",
    "featuring": "{0} (feat. Somebody Else)",
    "radio-edit": "{0} [Radio Edit]",
    "bonus": "{0} (Bonus Track) [Explicit]",
    "upper": "{0:upper}",
    "slip": "{0:slip}",
    "spaces": "  {0}\t ",
}
LEFT_OUT = {
    "live": ("{0} (Live at Wembley)", "", Verdict.LIVE),
    "live-dash": "",
    "live-album": ("{0}", "Live in Paris", Verdict.LIVE),
    "unplugged": ("{0}", "Unplugged", Verdict.LIVE),
    "karaoke": ("{0} (Karaoke Version)", "", Verdict.KARAOKE),
    "karaoke-album": ("{0}", "Karaoke Party 4", Verdict.KARAOKE),
    "style": ("{0} (In the Style of Somebody)", "", Verdict.KARAOKE),
    "instrumental": ("{0} (Instrumental)", "", Verdict.KARAOKE),
    "remix": ("{0} (DJ Somebody Remix)", "", Verdict.VERSION),
    "re-recorded": ("{0} (Anna's Version)", "", Verdict.VERSION),
    "acoustic": ("{0} - Acoustic", "", Verdict.VERSION),
}
LEFT_OUT["live-dash"] = ("{0} - Live 1985", "", Verdict.LIVE)
ALBUMS = {
    "studio": ("Second Album", "1987-06-01", YearSource.TAG_ALBUM),
    "hits": ("Greatest Hits", "1999", YearSource.UNSURE),
    "best-of": ("The Very Best of Us", "1999", YearSource.UNSURE),
    "reissue": ("Second Album (Remastered)", "2011", YearSource.UNSURE),
    "deluxe": ("Second Album (Deluxe Edition)", "2016", YearSource.UNSURE),
    "no-date": ("Second Album", "", YearSource.UNSURE),
    "bad-date": ("Second Album", "198x", YearSource.UNSURE),
    "no-year": ("Second Album", "9999", YearSource.UNSURE),
    "no-album": ("", "1987", YearSource.UNSURE),
}


class Spelt:
    """A title that can be written in other ways."""

    def __init__(self, title: str) -> None:
        self._title = title

    def __format__(self, how: str) -> str:
        if how == "upper":
            return self._title.upper()
        if how == "slip":
            return self._title[:4] + self._title[5:]
        return self._title


def messy_folder(root: Path) -> Folder:
    folder = Folder(root)
    for form in FORMATS:
        _recognised(folder, form)
        _left_out(folder, form)
        _unknown(folder, form)
        _named_by_file(folder, form)
        _broken(folder, form)
    _odd_mp3(folder)
    _odd_others(folder)
    return folder


def _recognised(folder: Folder, form: str) -> None:
    for name, pattern in TITLES.items():
        song = folder.known()
        tags = {
            "title": pattern.format(Spelt(song.title)),
            "artist": song.artist,
            "album": "Now That's What I Call Music 7",
            "date": "2011",
        }
        folder.recognised(f"{form}/{name}.{form}", tagged(form, tags), song)
    song = folder.known(title=f"Live and Let {folder.name()}")
    tags = {"title": song.title, "artist": f"{song.artist} feat. Somebody Else"}
    folder.recognised(f"{form}/live-word.{form}", tagged(form, tags), song)
    song = folder.known(title=f"Café {folder.name()} À La Rüe", artist=f"The {folder.name(5)}")
    tags = {
        "title": song.title.replace("é", "e").replace("À", "A").replace("ü", "u"),
        "artist": f"{song.artist.removeprefix('The ')}, The",
    }
    folder.recognised(f"{form}/accents.{form}", tagged(form, tags), song)
    song = folder.known(title=f"Så Länge {folder.name()} Överallt")
    mojibake = song.title.encode().decode("latin-1")
    tags = {"title": mojibake, "artist": song.artist}
    folder.recognised(f"{form}/mojibake.{form}", tagged(form, tags), song)


def _left_out(folder: Folder, form: str) -> None:
    for name, (pattern, album, verdict) in LEFT_OUT.items():
        song = folder.known()
        title = pattern.format(song.title)
        content = tagged(form, {"title": title, "artist": song.artist, "album": album})
        folder.write(f"{form}/{name}.{form}", content, Expected(verdict, title, song.artist))


def _unknown(folder: Folder, form: str) -> None:
    for name, (album, date, source) in ALBUMS.items():
        title, artist = f"{folder.name()} {folder.name()}", f"{folder.name()} {folder.name()}"
        tags = {"title": title, "artist": artist, "album": album, "date": date}
        content = tagged(form, {key: value for key, value in tags.items() if value})
        verdict = Verdict.ADDED if source is YearSource.TAG_ALBUM else Verdict.UNSURE
        digits = date[:4] if date[:4].isdigit() and date != "9999" else "0"
        expected = Expected(verdict, title, artist, int(digits), source)
        folder.write(f"{form}/{name}.{form}", content, expected)


def _named_by_file(folder: Folder, form: str) -> None:
    song = folder.known()
    folder.recognised(f"{form}/{song.artist} - {song.title}.{form}", sound(form), song)
    song = folder.known()
    folder.recognised(f"{form}/07 - {song.artist} - {song.title}.{form}", sound(form), song)
    song = folder.known()
    name = f"{form}/{song.artist}_-_{song.title.replace(' ', '_')}.{form}"
    folder.recognised(name, tagged(form, {"title": "Track 07", "artist": "Unknown Artist"}), song)
    folder.write(f"{form}/track02.{form}", sound(form), Expected(Verdict.UNNAMED, "track02"))


def _broken(folder: Folder, form: str) -> None:
    noise = random.Random(form).randbytes(20_000)
    broken = Expected(Verdict.UNPLAYABLE)
    folder.write(f"{form}/noise.{form}", noise, broken)
    folder.write(f"{form}/empty.{form}", b"", broken)
    folder.write(f"{form}/text.{form}", b"This is not music.\n" * 100, broken)
    folder.write(f"{form}/header-only.{form}", sound(form)[:60], broken)
    other = FORMATS[FORMATS.index(form) - 1]
    song = folder.known()
    content = tagged(other, {"title": song.title, "artist": song.artist})
    folder.recognised(f"{form}/really-{other}.{form}", content, song)


def _odd_mp3(folder: Folder) -> None:
    def latin(text: str) -> bytes:
        return b"\0" + text.encode("latin-1")

    def utf16(text: str) -> bytes:
        return b"\1" + text.encode("utf-16")

    song = folder.known(title=f"Blåbär {folder.name(2)}", artist=f"Åke {folder.name(2)}")
    content = sound("mp3") + id3v1(song.title, song.artist, "", "1990")
    folder.recognised("odd/id3v1.mp3", content, song)
    song = folder.known(title=f"Räksmörgås {folder.name()}")
    tag = id3v2({"TIT2": latin(song.title), "TPE1": latin(song.artist)})
    folder.recognised("odd/latin-1.mp3", tag + sound("mp3"), song)
    song = folder.known(title=f"夜 {folder.name()} 🎶")
    tag = id3v2({"TIT2": utf16(song.title), "TPE1": utf16(song.artist)})
    folder.recognised("odd/utf-16.mp3", tag + sound("mp3"), song)
    song = folder.known()
    frames = {"TIT2": latin(song.title + "\0More"), "TPE1": latin("\x07" + song.artist)}
    folder.recognised("odd/control.mp3", id3v2(frames) + sound("mp3"), song)
    song = folder.known()
    content = sound("mp3") + apev2({"Title": "Another", "Artist": "Nobody"})
    folder.recognised(f"odd/{song.artist} - {song.title}.mp3", content, song)
    title, artist = f"{folder.name()} {folder.name()}", folder.name()
    frames = {"TIT2": latin(title), "TPE1": latin(artist), "TYER": latin("2004")}
    content = id3v2({**frames, "TORY": latin("1971")}) + sound("mp3")
    expected = Expected(Verdict.ADDED, title, artist, 1971, YearSource.TAG_ORIGINAL)
    folder.write("odd/tory.mp3", content, expected)
    frames = {"TIT2": latin("x" * 3000), "TPE1": latin("Nobody")}
    content = id3v2(frames) + sound("mp3")
    folder.write("odd/endless.mp3", content, Expected(Verdict.UNNAMED, "x" * 3000, "Nobody"))
    title, artist = f"{folder.name()} {folder.name()}", folder.name()
    frames = {"TIT2": latin(title), "TPE1": latin(artist), "TYER": latin("1984")}
    content = id3v2({**frames, "TALB": latin("Home"), "TCMP": latin("1")}) + sound("mp3")
    expected = Expected(Verdict.UNSURE, title, artist, 1984, YearSource.UNSURE)
    folder.write("odd/compilation.mp3", content, expected)


def _odd_others(folder: Folder) -> None:
    for form in ("flac", "ogg", "opus"):
        title, artist = f"{folder.name()} {folder.name()}", folder.name()
        tags = {"title": title, "artist": artist, "date": "2004", "ORIGINALDATE": "1966-03"}
        expected = Expected(Verdict.ADDED, title, artist, 1966, YearSource.TAG_ORIGINAL)
        folder.write(f"odd/original.{form}", tagged(form, tags), expected)
        song = folder.known(title=f"Fjällräv {folder.name()}")
        content = tagged(form, {"title": song.title.replace("ä", "@"), "artist": song.artist})
        if form == "flac":  # Ogg pages have checksums, so that only FLAC can be spoilt by hand.
            folder.recognised("odd/cp1252.flac", content.replace(b"@", b"\xe4"), song)
    song = folder.known()
    folder.recognised("odd/a/deeper/place/Any.MP3", _song_bytes("mp3", song), song)
    copy = Expected(Verdict.COPY, song.title, song.artist, song.year, "curated")
    folder.write("odd/b/the same again.flac", _song_bytes("flac", song), copy)
    song = folder.known()
    name = os.fsdecode(b"odd/Sm\xf6rg\xe5s.mp3")
    folder.recognised(name, _song_bytes("mp3", song), song)
    hidden = folder.root / "odd" / ".hidden.mp3"
    hidden.write_bytes(sound("mp3"))
    (folder.root / "odd" / "cover.jpg").write_bytes(b"\xff\xd8\xff\xe0 a picture")
    (folder.root / "odd" / "loop").symlink_to(folder.root)


def _song_bytes(form: str, song: object) -> bytes:
    return tagged(form, {"title": song.title, "artist": song.artist})  # type: ignore[attr-defined]


def decided(report: Report) -> dict[str, Expected]:
    return {
        from_text(row.path): Expected(row.verdict, row.title, row.artist, row.year, row.source)
        for row in report.rows
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    return messy_folder(tmp_path_factory.mktemp("music"))


@pytest.mark.rule("MUS-01")
async def test_every_row_of_a_messy_folder(folder: Folder, catalogue: Catalogue) -> None:
    claims = tuple(YearClaim(s.id, YearSource.CURATED, s.year) for s in folder.songs)
    await catalogue.apply(Changes(songs=tuple(folder.songs), claims=claims))
    progress: list[tuple[int, int]] = []
    report = await scan(
        catalogue, [folder.root], progress=lambda done, total: progress.append((done, total))
    )
    assert len(folder.expected) > 300
    assert report.files == len(folder.expected)
    found = decided(report)
    wrong = {
        path: (found.get(path), expected)
        for path, expected in folder.expected.items()
        if found.get(path) != expected
    }
    assert not wrong
    assert len(found) == len(folder.expected)
    assert progress[0] == (0, report.files)
    assert progress[-1] == (report.files, report.files)
    playing = {r.song for r in await catalogue.recordings()}
    sure = {song.id for song in await catalogue.songs() if song.sure}
    assert len(playing & sure) == report.counts[Verdict.ADDED]
    members = {m.song for m in await catalogue.members() if m.mix == "my-music"}
    assert members == playing


async def small(root: Path, count: int = 3) -> list[Path]:
    paths = []
    for n in range(count):
        tags = {"title": f"Song {'abc'[n] * 5}", "artist": "Us", "album": "Home", "date": "1990"}
        path = root / f"{n}.mp3"
        path.write_bytes(tagged("mp3", tags))
        paths.append(path)
    return paths


async def test_only_what_has_changed_is_read_again(catalogue: Catalogue, tmp_path: Path) -> None:
    music = tmp_path / "music"
    music.mkdir()
    paths = await small(music)
    first = await scan(catalogue, [music])
    assert first.counts == {Verdict.ADDED: 3}
    again = await scan(catalogue, [music])
    assert (again.files, len(again.unchanged), again.rows) == (3, 3, [])
    before = await catalogue.recordings()
    tags = {"title": "Song aaaaa", "artist": "Us", "album": "Home", "date": "1985"}
    paths[0].write_bytes(tagged("mp3", tags))
    os.utime(paths[0], (1, 1))
    paths[1].unlink()
    third = await scan(catalogue, [music])
    assert (third.files, len(third.unchanged), third.gone, len(third.rows)) == (2, 1, 1, 1)
    assert third.rows[0].year == 1985
    after = await catalogue.recordings()
    assert len(after) == 2
    assert len({r.id for r in before} & {r.id for r in after}) == 1
    assert {note.path for note in await catalogue.files()} == {str(paths[0]), str(paths[2])}


async def test_a_lost_disk_does_not_empty_the_catalogue(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    music = tmp_path / "music"
    music.mkdir()
    paths = await small(music)
    await scan(catalogue, [music])
    for path in paths:
        path.unlink()
    with pytest.raises(ScanError, match="mount it"):
        await scan(catalogue, [music])
    assert len(await catalogue.recordings()) == 3
    with pytest.raises(ScanError, match="There is no folder"):
        await scan(catalogue, [tmp_path / "nowhere"])


async def test_the_user_may_trust_dates_later(catalogue: Catalogue, tmp_path: Path) -> None:
    tags = {"title": "Old Song", "artist": "Us", "album": "Greatest Hits", "date": "1990"}
    music = tmp_path / "music"
    music.mkdir()
    (music / "a.mp3").write_bytes(tagged("mp3", tags))
    report = await scan(catalogue, [music], mix="Party")
    assert report.counts == {Verdict.UNSURE: 1}
    assert report.mix == "party"
    assert not (await catalogue.songs())[0].sure
    await scan(catalogue, [music], mix="Party", trust_dates=True)
    song = (await catalogue.songs())[0]
    assert (song.year, song.source) == (1990, YearSource.USER)
    assert [note.verdict for note in await catalogue.files()] == ["added"]


async def test_the_better_copy_is_played(catalogue: Catalogue, tmp_path: Path) -> None:
    music = tmp_path / "music"
    music.mkdir()
    tags = {"title": "Our Song", "artist": "Us", "album": "Home", "date": "1990"}
    (music / "a.mp3").write_bytes(tagged("mp3", tags))
    (music / "b.flac").write_bytes(tagged("flac", tags))
    report = await scan(catalogue, [music])
    assert [row.verdict for row in report.rows] == [Verdict.ADDED, Verdict.COPY]

    def quality(recording: Recording) -> int:
        return recording.quality

    best = max(await catalogue.recordings(), key=quality)
    assert best.kind is RecordingKind.FILE
    assert best.locator.endswith("b.flac")


async def songs_in(catalogue: Catalogue, mix: str) -> set[str]:
    inside = {member.song for member in await catalogue.members() if member.mix == mix}
    return {song.title for song in await catalogue.songs() if song.id in inside}


async def test_files_that_have_not_changed_join_another_mix(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    await small(tmp_path)
    await scan(catalogue, [tmp_path])
    report = await scan(catalogue, [tmp_path], mix="Party")
    assert (len(report.rows), len(report.unchanged)) == (0, 3)
    assert await songs_in(catalogue, "party") == await songs_in(catalogue, "my-music") != set()


async def test_the_report_has_every_file_whenever_it_was_read(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    await small(tmp_path)
    (tmp_path / "empty.mp3").touch()
    first = await scan(catalogue, [tmp_path])
    again = await scan(catalogue, [tmp_path])

    def by_path(row: Row) -> str:
        return row.path

    assert sorted(again.unchanged, key=by_path) == sorted(first.rows, key=by_path)


async def test_concerts_that_were_left_out_are_taken_when_wanted(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    tags = {"title": "Song (Live)", "artist": "Us", "album": "Home", "ORIGINALDATE": "1990"}
    (tmp_path / "a.flac").write_bytes(tagged("flac", tags))
    assert (await scan(catalogue, [tmp_path])).counts == {Verdict.LIVE: 1}
    assert (await scan(catalogue, [tmp_path], live=True)).counts == {Verdict.ADDED: 1}
    assert len((await scan(catalogue, [tmp_path], live=True)).unchanged) == 1


async def test_a_title_put_right_leaves_no_wrong_one_behind(
    any_catalogue: Catalogue, tmp_path: Path
) -> None:
    """The wrong one would come up as an option beside the right one."""
    catalogue = any_catalogue
    paths = await small(tmp_path)
    await scan(catalogue, [tmp_path])
    tags = {"title": "Another Name", "artist": "Us", "album": "Home", "date": "1990"}
    paths[0].write_bytes(tagged("mp3", tags))
    paths[1].unlink()
    await scan(catalogue, [tmp_path])
    assert await songs_in(catalogue, "my-music") == {"Another Name", "Song ccccc"}
    assert {song.title for song in await catalogue.songs()} == {"Another Name", "Song ccccc"}
    assert len(await catalogue.claims()) == 2


async def test_a_folder_that_cannot_be_opened_is_named_and_not_forgotten(
    catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked = tmp_path / "locked"
    locked.mkdir()
    await small(locked)
    await small(tmp_path, 1)
    await scan(catalogue, [tmp_path])
    look = os.scandir

    def refuse(folder: str) -> object:
        if folder == str(locked):
            raise PermissionError
        return look(folder)

    monkeypatch.setattr("varv.music.folders.os.scandir", refuse)
    report = await scan(catalogue, [tmp_path])
    assert (report.closed, report.gone) == ([str(locked)], 0)
    assert len(await catalogue.recordings()) == 4
    with pytest.raises(ScanError, match="cannot be opened"):
        await scan(catalogue, [locked])


async def test_names_that_are_no_text_are_found_copied_changed_and_lost(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    odd = tmp_path / os.fsdecode(b"A sm\xf6rg\xe5s.mp3")
    paths = await small(tmp_path)
    odd.write_bytes(paths[0].read_bytes())
    assert (await scan(catalogue, [tmp_path])).counts == {Verdict.ADDED: 3, Verdict.COPY: 1}
    tags = {"title": "Another Name", "artist": "Us", "album": "Home", "date": "1990"}
    odd.write_bytes(tagged("mp3", tags))
    assert (await scan(catalogue, [tmp_path])).counts == {Verdict.ADDED: 1}
    odd.unlink()
    assert (await scan(catalogue, [tmp_path])).gone == 1
