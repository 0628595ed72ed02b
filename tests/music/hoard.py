"""Everybody's hoard: some 300 files in every format, and what the scan should make of each."""

import os
import random
from pathlib import Path

from tests.music.messy import FORMATS, Expected, Folder, apev2, id3v1, id3v2, sound, tagged

from varv.music.decisions import Verdict
from varv.music.model import CatalogueSong, YearSource

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
    "live-dash": ("{0} - Live 1985", "", Verdict.LIVE),
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


def _song_bytes(form: str, song: CatalogueSong) -> bytes:
    return tagged(form, {"title": song.title, "artist": song.artist})
