"""Every song of the hits catalogue is recognised on a file, however its title is written."""

import unicodedata
from collections.abc import Callable

import pytest

from varv.music.decisions import Decider, Verdict
from varv.music.hits import HitSong, songs
from varv.music.identity import song_id
from varv.music.keys import artist_key
from varv.music.model import YearClaim
from varv.music.seeding import shipment
from varv.music.tags import Tags
from varv.music.titles import show_artist, show_title, version
from varv.rules.candidates import fold

SPELLINGS: dict[str, Callable[[HitSong], tuple[str, str]]] = {
    "as it is": lambda s: (s.title, s.artist),
    "in capitals": lambda s: (s.title.upper(), s.artist.upper()),
    "without accents": lambda s: (_plain(s.title), s.artist),
    "with another apostrophe": lambda s: (s.title.replace("'", "’"), s.artist),
    "remastered": lambda s: (f"{s.title} (Remastered 2011)", s.artist),
    "remastered after a dash": lambda s: (f"{s.title} - 2009 Remaster", s.artist),
    "with a guest in the title": lambda s: (f"{s.title} (feat. Somebody)", s.artist),
    "without its guest": lambda s: (s.title, s.artist.split(" feat. ")[0]),
    "and spelt out": lambda s: (s.title, s.artist.replace("&", "and")),
}


def _plain(text: str) -> str:
    marks = unicodedata.normalize("NFKD", text)
    return "".join(c for c in marks if not unicodedata.combining(c))


def tags(title: str, artist: str) -> Tags:
    """A file as the reader would hand it over, from a compilation of 2011."""
    shown = show_title(title), show_artist(artist)
    return Tags(
        path="/music/a.mp3",
        title=title,
        artist=artist,
        date=2011,
        shown_title=shown[0],
        shown_artist=shown[1],
        song=song_id(*shown),
        title_key=fold(shown[0]),
        artist_key=artist_key(shown[1]),
        version=version(title, artist, "Now 7").value,
    )


@pytest.mark.parametrize("spelt", SPELLINGS.values(), ids=SPELLINGS)
def test_every_hit_is_recognised(spelt: Callable[[HitSong], tuple[str, str]]) -> None:
    shipped = shipment().songs
    decider = Decider(shipped, [YearClaim(s.id, s.source, s.year) for s in shipped])
    wrong = []
    for hit in songs():
        decision = decider.decide(tags(*spelt(hit)))
        found = decision.song
        if found is None or found.id != song_id(hit.title, hit.artist):
            wrong.append((hit.title, hit.artist, decision))
        else:
            assert found.year == hit.year
            assert decision.verdict in (Verdict.ADDED, Verdict.COPY)
    assert not wrong
