"""Drawing a song with its options (PRF-09, CAN-01 … CAN-07).

The ten are found first, and only then is one of them made the answer, by lot among those that may
be drawn. While a mix lasts all ten of them may be, so that nothing about a list can point at the
answer. A mix with few recordings has company, all game long. When few songs are left even so, or
none are of its sort, others stand in. All of these take after songs that can be drawn, in language,
era and genre. Then no feature tells them apart.
"""

import random
from collections.abc import Callable, Iterable, Iterator, Sequence

from varv.music.pool import SPAN, Candidate, Hand, Order, Pool, order_of
from varv.rules.candidates import FEW, OPTIONS
from varv.rules.model import Draw, DrawRequest, Song
from varv.rules.refusals import Reason

SPARE = 3
"""Songs kept out of the ten when a mix runs low, so that the song can still be changed."""
TRIES = 100
"""Groups looked at: one with few songs that may be drawn is mostly passed over."""


def draw(pool: Pool, request: DrawRequest, rng: random.Random) -> Draw | Reason:
    """A song of the mix with its options, or why there is none."""
    left = [c for c in pool.playable if c.song.id not in request.this_round]
    if not left:
        return Reason.MIX_EXHAUSTED
    may_be_drawn = _first_choice(_fresh(left, request), request)
    if not may_be_drawn:
        return Reason.OPTIONS_EXHAUSTED
    group, answers = _group(pool, may_be_drawn, request, rng)
    if len(group) < OPTIONS:
        return Reason.OPTIONS_EXHAUSTED
    answer = rng.choice(answers)
    return lay_out([c.song for c in group], answer.song, rng, answer.recordings[0])


def _fresh(songs: Iterable[Candidate], request: DrawRequest) -> list[Candidate]:
    """Songs that were no option in this round and look like none (CAN-05)."""
    if not request.retired and not request.retired_texts:
        return list(songs)
    return [song for song in songs if _is_fresh(song, request)]


def _is_fresh(song: Candidate, request: DrawRequest) -> bool:
    texts = request.retired_texts
    return (
        song.song.id not in request.retired
        and song.title_key not in texts
        and song.artist_key not in texts
    )


def _first_choice(songs: list[Candidate], request: DrawRequest) -> list[Candidate]:
    """Those not played in this game; else those on no table; else any (PRF-09)."""
    return (
        [c for c in songs if c.song.id not in request.played]
        or [c for c in songs if c.song.id not in request.on_tables]
        or songs
    )


def _pick(songs: list[Candidate], size: int, rng: random.Random) -> list[Candidate]:
    """Up to `size` songs at random that do not clash."""
    best: list[Candidate] = []
    # A few shuffles: an unlucky order can block itself where another finds enough.
    for _ in range(4):
        hand = Hand()
        hand.fill(_shuffled(songs, rng), size)
        if len(hand.songs) > len(best):
            best = hand.songs
        if len(best) >= size:
            break
    return best


def _shuffled(songs: list[Candidate], rng: random.Random) -> Iterator[Candidate]:
    """All of them in an order by lot; only as many lots are drawn as are asked for."""
    left = list(songs)
    while left:
        n = rng.randrange(len(left))
        left[n], left[-1] = left[-1], left[n]
        yield left.pop()


def _group(
    pool: Pool, may_be_drawn: list[Candidate], request: DrawRequest, rng: random.Random
) -> tuple[list[Candidate], list[Candidate]]:
    """Ten songs, and those of them that the answer is drawn from (CAN-06)."""
    drawable = {c.song.id for c in may_be_drawn}
    in_play = may_be_drawn
    if drawable.isdisjoint(request.revealed):
        in_play = may_be_drawn + _fresh(pool.company(request.game), request)
    for _ in range(TRIES if len(_pick(in_play, OPTIONS + 1, rng)) > OPTIONS else 0):
        ten = _pick(_narrow(in_play, rng), OPTIONS, rng)
        answers = [c for c in ten if c.song.id in drawable]
        # A group is as likely as it has songs that may be drawn. Then one that has been on lists
        # and not been the answer is no more likely to be company, nor less.
        if len(ten) == OPTIONS and rng.randrange(OPTIONS) < len(answers):
            return ten, answers
    some = _pick(may_be_drawn, OPTIONS + SPARE, rng)
    size = min(OPTIONS, max(len(some) - SPARE, (len(some) + 1) // 2))
    answers = some[:size]
    for strict in (True, False):
        hand = Hand(strict=strict)
        hand.fill(answers, OPTIONS)
        _stand_in(hand, pool, may_be_drawn, request)
        if len(hand.songs) == OPTIONS:
            break
    return hand.songs, [c for c in hand.songs if c.song.id in drawable]


# Narrowing down: songs near each other (CAN-07)


def _enough(songs: list[Candidate]) -> bool:
    """Whether ten can be picked here whatever the luck."""
    hand = Hand()
    hand.fill(songs, OPTIONS + SPARE)
    return len(hand.songs) == OPTIONS + SPARE


def _narrow(songs: list[Candidate], rng: random.Random) -> list[Candidate]:
    """Songs of one kind and time.

    Each part is as likely as it is large, so that every song of the mix is about as likely to be
    drawn (PRF-09).
    """
    songs = _one_kind(songs, lambda c: c.world, rng)
    songs = _one_kind(songs, lambda c: c.language, rng)
    songs = _one_era(songs, rng)
    return _one_kind(songs, lambda c: c.genre, rng)


def _one_kind(
    songs: list[Candidate], kind: Callable[[Candidate], str], rng: random.Random
) -> list[Candidate]:
    """Songs of one kind; kinds too small to stand alone are one kind together."""
    kinds: dict[str, list[Candidate]] = {}
    for song in songs:
        kinds.setdefault(kind(song), []).append(song)
    if len(kinds) == 1:
        return songs
    parts = [part for part in kinds.values() if _enough(part)]
    large = {id(part) for part in parts}
    rest = [song for part in kinds.values() if id(part) not in large for song in part]
    if not parts:
        return songs
    if _enough(rest):
        parts.append(rest)
    else:
        # Too few to be a part: they join one, so that they too are heard.
        parts[rng.randrange(len(parts))] += rest
    return rng.choices(parts, [len(part) for part in parts])[0]


def _one_era(songs: list[Candidate], rng: random.Random) -> list[Candidate]:
    """Songs not many years apart. Where the cuts fall is chance, so that no year is ever first."""
    songs = sorted(songs, key=lambda c: c.song.year)
    while songs[-1].song.year - songs[0].song.year > SPAN:
        cut = rng.randint(len(songs) // 3, len(songs) - len(songs) // 3)
        early, late = songs[:cut], songs[cut:]
        if not (_enough(early) and _enough(late)):
            break
        songs = rng.choices((early, late), (len(early), len(late)))[0]
    return songs


# Standing in: wrong options that cannot be told from songs that may be drawn (CAN-06, CAN-07)


def _stand_in(hand: Hand, pool: Pool, may_be_drawn: list[Candidate], request: DrawRequest) -> None:
    """Fill up to ten with songs that each take after a song of the mix.

    The songs left to draw are a random part of the mix; so are the models, and what takes after
    them is as they are: as often the only one of its language, or the latest.
    """
    known = hand.songs[0].song.id in request.revealed
    drawable = {c.song.id for c in may_be_drawn}
    # Songs left to draw have mostly been on a list before. Stand-ins that were always new would
    # give themselves away; in the game's order they come back too.
    order = order_of(request.game)
    models = sorted(pool.playable, key=order)

    def eligible(song: Candidate) -> bool:
        # Songs that the table has heard stand in for those it has heard, and for no others.
        return (
            (song.song.id in request.revealed) == known
            and song.song.id not in drawable
            and _is_fresh(song, request)
        )

    # Round and round, since a model whose likes all clash must not end it.
    alike = [pool.like(model, order, eligible) for model in models]
    while alike and len(hand.songs) < OPTIONS:
        likes = alike.pop(0)
        if any(hand.take(c) for c in likes):
            alike.append(likes)
    if len(hand.songs) < OPTIONS:
        hand.fill(_whatever_is_left(hand.songs, pool, may_be_drawn, request, order), OPTIONS)


def _whatever_is_left(
    hand: list[Candidate],
    pool: Pool,
    may_be_drawn: list[Candidate],
    request: DrawRequest,
    order: Order,
) -> list[Candidate]:
    """Songs in the order of how little they give away; then none is kept for a change of song."""
    worlds = {c.world for c in hand}
    known = any(c.song.id in request.revealed for c in hand)
    drawable = {c.song.id for c in may_be_drawn}
    rest = [c for c in _fresh(pool.members + pool.others, request) if c.song.id not in drawable]
    rest.sort(key=order)
    here = [c for c in rest if c.world in worlds]
    as_known = [c for c in here if (c.song.id in request.revealed) == known]
    not_so = [c for c in here if (c.song.id in request.revealed) != known]
    return as_known + may_be_drawn + not_so + [c for c in rest if c.world not in worlds]


# Laying out


def lay_out(group: Sequence[Song], answer: Song, rng: random.Random, recording: str = "") -> Draw:
    """Both lists from the same ten songs, shuffled each for itself; the reduced ones likewise."""
    by_title, by_artist = rng.sample(group, OPTIONS), rng.sample(group, OPTIONS)
    few = {answer, *rng.sample([song for song in group if song is not answer], FEW - 1)}
    return Draw(
        song=answer,
        titles=tuple(song.title for song in by_title),
        artists=tuple(song.artist for song in by_artist),
        few_titles=tuple(index for index, song in enumerate(by_title) if song in few),
        few_artists=tuple(index for index, song in enumerate(by_artist) if song in few),
        group=tuple(sorted(song.id for song in group)),
        recording=recording,
    )
