"""A folder of 300 messy files in every format, and what is decided about each of them."""

import os
from pathlib import Path

import pytest
from tests.music.hoard import messy_folder
from tests.music.messy import Expected, Folder, tagged

from varv.music.catalogue import Catalogue, Changes
from varv.music.decisions import Verdict
from varv.music.model import Recording, RecordingKind, YearClaim, YearSource
from varv.music.paths import from_text
from varv.music.scan import Report, Row, ScanError, scan


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
