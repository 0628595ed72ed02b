"""The hits catalogue is consistent: one row a song, plausible years, mixes big enough to play."""

import re
from collections import Counter, defaultdict

import pytest

from varv.music.hits import GENRES, LANGUAGES, MIXES, HitMix, HitSong, songs, songs_in
from varv.music.identity import mix_id, song_id
from varv.music.matching import artist_key
from varv.rules.candidates import fold

FIRST_YEAR, LAST_YEAR = 1950, 2025
LEAST = {1950: 70, 1960: 150, 1970: 190, 1980: 230, 1990: 210, 2000: 190, 2010: 160, 2020: 60}
TAGS = {"schlager-melodifestivalen", "eurovision", "jul"}
GUEST = re.compile(r" feat\. .*$")
JOINED = re.compile(r" feat\. |, | & ")

NAMESAKES = [{"The Teddy Bears", "Teddybears"}]
"""Different artists whose names a reader could take for one."""

# The first and last year in which a recording by these can have come out for the first time.
# Written apart from the rows, so that a slip of a decade or a wrong artist shows.
ACTIVE = {
    "50 Cent": (2000, 2025),
    "ABBA": (1973, 2022),
    "AC/DC": (1974, 2025),
    "Ace of Base": (1992, 2010),
    "Adele": (2007, 2025),
    "Aerosmith": (1973, 2025),
    "Agnetha Fältskog": (1967, 2025),
    "Alcazar": (1999, 2018),
    "Alicia Keys": (2001, 2025),
    "Amy Winehouse": (2003, 2011),
    "Anni-Frid Lyngstad": (1967, 1996),
    "Aqua": (1996, 2011),
    "Arctic Monkeys": (2005, 2025),
    "Aretha Franklin": (1956, 2018),
    "Ariana Grande": (2011, 2025),
    "Avicii": (2009, 2019),
    "Backstreet Boys": (1995, 2025),
    "Basshunter": (2004, 2025),
    "Bee Gees": (1963, 2001),
    "Beyoncé": (2002, 2025),
    "Bill Withers": (1967, 1985),
    "Billie Eilish": (2015, 2025),
    "Billy Joel": (1971, 2025),
    "Björn Skifs": (1970, 2025),
    "Black Eyed Peas": (1998, 2025),
    "Blondie": (1976, 2025),
    "Blur": (1990, 2025),
    "Bob Dylan": (1962, 2025),
    "Bob Marley & The Wailers": (1963, 1983),
    "Bobby Darin": (1956, 1973),
    "Bon Jovi": (1983, 2025),
    "Boney M.": (1975, 1986),
    "Britney Spears": (1998, 2023),
    "Bruce Springsteen": (1973, 2025),
    "Bruno Mars": (2010, 2025),
    "Bryan Adams": (1979, 2025),
    "Buddy Holly": (1956, 1960),
    "Carola": (1983, 2025),
    "Céline Dion": (1981, 2025),
    "Cher": (1964, 2025),
    "Christina Aguilera": (1998, 2025),
    "Chuck Berry": (1955, 2017),
    "Cliff Richard": (1958, 2025),
    "Coldplay": (1998, 2025),
    "Cornelis Vreeswijk": (1964, 1987),
    "Creedence Clearwater Revival": (1968, 1972),
    "Daft Punk": (1994, 2021),
    "Danny Saucedo": (2006, 2025),
    "David Bowie": (1964, 2017),
    "David Guetta": (2001, 2025),
    "Dean Martin": (1946, 1985),
    "Deep Purple": (1968, 2025),
    "Depeche Mode": (1981, 2025),
    "Destiny's Child": (1997, 2013),
    "Diana Ross": (1970, 2025),
    "Dire Straits": (1978, 1993),
    "Donna Summer": (1968, 2012),
    "Dr. Alban": (1990, 2025),
    "Drake": (2006, 2025),
    "Dua Lipa": (2015, 2025),
    "Duran Duran": (1981, 2025),
    "E-Type": (1993, 2025),
    "Eagles": (1972, 2007),
    "Ed Sheeran": (2010, 2025),
    "Édith Piaf": (1935, 1963),
    "Electric Light Orchestra": (1971, 1986),
    "Elton John": (1968, 2025),
    "Elvis Presley": (1954, 1977),
    "Eminem": (1996, 2025),
    "Europe": (1983, 2025),
    "Eva Dahlgren": (1978, 2025),
    "Fats Domino": (1949, 2006),
    "Fleetwood Mac": (1967, 2003),
    "Foo Fighters": (1995, 2025),
    "Frank Sinatra": (1939, 1994),
    "Genesis": (1968, 1998),
    "George Michael": (1984, 2019),
    "Gorillaz": (2000, 2025),
    "Green Day": (1989, 2025),
    "Guns N' Roses": (1986, 2025),
    "Gyllene Tider": (1978, 2025),
    "Hank Williams": (1946, 1953),
    "Harry Belafonte": (1949, 1988),
    "Harry Styles": (2017, 2025),
    "Hep Stars": (1964, 1970),
    "Håkan Hellström": (2000, 2025),
    "Imagine Dragons": (2009, 2025),
    "Iron Maiden": (1979, 2025),
    "Jackie Wilson": (1957, 1975),
    "James Brown": (1956, 2006),
    "Janis Joplin": (1969, 1971),
    "Jay-Z": (1995, 2025),
    "Jennifer Lopez": (1999, 2025),
    "Jerry Lee Lewis": (1956, 2022),
    "John Lennon": (1969, 1984),
    "Johnny Cash": (1955, 2014),
    "Justin Bieber": (2009, 2025),
    "Justin Timberlake": (2002, 2025),
    "Katy Perry": (2007, 2025),
    "Kelly Clarkson": (2002, 2025),
    "Kent": (1995, 2016),
    "Kim Wilde": (1981, 2025),
    "Kiss": (1974, 2012),
    "Kraftwerk": (1970, 2009),
    "Kylie Minogue": (1987, 2025),
    "Lady Gaga": (2008, 2025),
    "Laleh": (2005, 2025),
    "Lars Winnerbäck": (1996, 2025),
    "Lasse Berghagen": (1964, 2023),
    "Led Zeppelin": (1969, 1982),
    "Lena Philipsson": (1984, 2025),
    "Leonard Cohen": (1967, 2019),
    "Linkin Park": (1999, 2025),
    "Lionel Richie": (1981, 2025),
    "Little Richard": (1951, 2020),
    "Loreen": (2005, 2025),
    "Madness": (1979, 2025),
    "Madonna": (1982, 2025),
    "Magnus Uggla": (1975, 2025),
    "Mariah Carey": (1990, 2025),
    "Marie Fredriksson": (1984, 2019),
    "Maroon 5": (2002, 2025),
    "Marvin Gaye": (1961, 1985),
    "Metallica": (1982, 2025),
    "Michael Jackson": (1971, 2014),
    "Miley Cyrus": (2007, 2025),
    "Miss Li": (2006, 2025),
    "Monica Zetterlund": (1956, 1995),
    "Muse": (1998, 2025),
    "Måns Zelmerlöw": (2005, 2025),
    "Nat King Cole": (1940, 1965),
    "Nelly Furtado": (1999, 2025),
    "Nirvana": (1988, 2002),
    "Nordman": (1993, 2025),
    "Oasis": (1993, 2009),
    "Olivia Newton-John": (1966, 2022),
    "Olivia Rodrigo": (2019, 2025),
    "Otis Redding": (1960, 1970),
    "P!nk": (2000, 2025),
    "Patsy Cline": (1955, 1963),
    "Pet Shop Boys": (1984, 2025),
    "Phil Collins": (1981, 2010),
    "Pink Floyd": (1967, 2022),
    "Post Malone": (2015, 2025),
    "Prince": (1978, 2017),
    "Queen": (1973, 1995),
    "R.E.M.": (1981, 2011),
    "Rammstein": (1994, 2025),
    "Ray Charles": (1949, 2004),
    "Red Hot Chili Peppers": (1984, 2025),
    "Rednex": (1994, 2010),
    "Rihanna": (2005, 2025),
    "Ritchie Valens": (1958, 1960),
    "Robbie Williams": (1996, 2025),
    "Robyn": (1994, 2025),
    "Rod Stewart": (1964, 2025),
    "Roxette": (1986, 2016),
    "Roy Orbison": (1956, 1992),
    "Sabrina Carpenter": (2014, 2025),
    "Sam Cooke": (1951, 1965),
    "Sanna Nielsen": (1996, 2025),
    "Santana": (1969, 2025),
    "Shakira": (1990, 2025),
    "Simon & Garfunkel": (1957, 1975),
    "Simply Red": (1985, 2025),
    "Siw Malmkvist": (1955, 2010),
    "Slade": (1969, 1991),
    "Spice Girls": (1996, 2007),
    "Status Quo": (1968, 2019),
    "Stevie Wonder": (1962, 2020),
    "Supertramp": (1970, 2002),
    "Sven-Ingvars": (1961, 2025),
    "Swedish House Mafia": (2010, 2025),
    "T. Rex": (1970, 1977),
    "Take That": (1991, 2025),
    "Taylor Swift": (2006, 2025),
    "Ted Gärdestad": (1971, 1997),
    "The Animals": (1964, 1983),
    "The Ark": (1996, 2011),
    "The Beach Boys": (1961, 2012),
    "The Beatles": (1962, 2023),
    "The Cardigans": (1994, 2005),
    "The Cure": (1978, 2025),
    "The Doors": (1967, 1978),
    "The Drifters": (1953, 1976),
    "The Everly Brothers": (1956, 1989),
    "The Four Seasons": (1962, 1985),
    "The Jackson 5": (1968, 1975),
    "The Jimi Hendrix Experience": (1966, 1970),
    "The Killers": (2003, 2025),
    "The Kinks": (1964, 1994),
    "The Platters": (1953, 1970),
    "The Police": (1977, 1986),
    "The Rolling Stones": (1963, 2025),
    "The Smiths": (1983, 1987),
    "The Supremes": (1960, 1977),
    "The Temptations": (1961, 2022),
    "The Weeknd": (2010, 2025),
    "The Who": (1964, 2019),
    "Timbuktu": (1996, 2025),
    "Tina Turner": (1974, 2020),
    "Tom Jones": (1964, 2021),
    "U2": (1979, 2025),
    "Ulf Lundell": (1975, 2025),
    "Veronica Maggio": (2006, 2025),
    "Village People": (1977, 1985),
    "Wham!": (1982, 1986),
    "Whitney Houston": (1984, 2012),
    "Zara Larsson": (2008, 2025),
}


def head(artist: str) -> str:
    """The artist without guests."""
    return GUEST.sub("", artist)


def label(song: HitSong) -> str:
    return f"{song.artist} – {song.title} ({song.year})"


def test_there_are_enough_songs_in_every_decade() -> None:
    decades = Counter(song.year // 10 * 10 for song in songs())
    assert {decade: least for decade, least in LEAST.items() if decades[decade] < least} == {}
    assert len(songs()) >= 1300
    assert sum(song.swedish for song in songs()) >= 260


def test_years_are_within_the_catalogues_span() -> None:
    assert [label(s) for s in songs() if not FIRST_YEAR <= s.year <= LAST_YEAR] == []
    assert {song.year for song in songs()} == set(range(FIRST_YEAR, LAST_YEAR + 1))


def test_no_song_is_there_twice() -> None:
    """Case, accents, punctuation, guests and what stands in brackets make no second song."""
    seen = defaultdict(list)
    for song in songs():
        seen[fold(re.sub(r"\(.*?\)", "", song.title)), fold(head(song.artist))].append(label(song))
    assert [same for same in seen.values() if len(same) > 1] == []
    assert len({song_id(song.title, song.artist) for song in songs()}) == len(songs())


def test_titles_and_artists_are_tidy() -> None:
    """No "Remastered", no guests in titles, one space between words and none at the ends."""
    untidy = re.compile(r"remaster|\bfeat\b|\bft\.|\(live|karaoke|\||\s\s|\t|^\s|\s$|^$", re.I)
    assert [label(s) for s in songs() if untidy.search(s.title)] == []
    assert [label(s) for s in songs() if untidy.search(head(s.artist))] == []
    assert [label(s) for s in songs() if not (fold(s.title) and fold(s.artist))] == []


def test_an_artist_is_always_spelled_the_same_way() -> None:
    """Alone, in company and as a guest; "The" or no "The" too."""
    spellings = defaultdict(set)
    for song in songs():
        for name in {head(song.artist), *JOINED.split(song.artist)}:
            spellings[artist_key(name)].add(name)
    assert [names for names in spellings.values() if len(names) > 1] == NAMESAKES


def test_languages_genres_and_tags_are_from_the_fixed_sets() -> None:
    assert {song.language for song in songs()} == LANGUAGES
    assert {song.genre for song in songs()} == GENRES
    assert {tag for song in songs() for tag in song.mixes} == TAGS


def test_what_is_sung_in_swedish_is_swedish() -> None:
    assert [label(s) for s in songs() if s.language == "sv" and not s.swedish] == []


def test_an_artist_is_swedish_or_not() -> None:
    """Only those who sing in both kinds of language may have rows of both kinds."""
    kinds = defaultdict(set)
    for song in songs():
        if song.language != "sv":
            kinds[song.artist].add(song.swedish)
    assert [artist for artist, both in kinds.items() if len(both) > 1] == []


def test_artists_were_active_when_their_songs_came_out() -> None:
    wrong = [
        label(song)
        for song in songs()
        if (span := ACTIVE.get(head(song.artist))) and not span[0] <= song.year <= span[1]
    ]
    assert wrong == []


def test_the_table_of_active_years_covers_the_most_frequent_artists() -> None:
    """And nobody who is not in the catalogue: a name spelled otherwise would check nothing."""
    frequent = Counter(head(song.artist) for song in songs())
    assert set(ACTIVE) - set(frequent) == set()
    assert [name for name, count in frequent.items() if count >= 4 and name not in ACTIVE] == []
    assert len(ACTIVE) >= 150


@pytest.mark.parametrize(
    ("title", "artist", "year"),
    [
        ("Sugar", "Maroon 5", 2014),
        ("Cruel Summer", "Taylor Swift", 2019),
        ("You're Beautiful", "James Blunt", 2004),
        ("Mr. Brightside", "The Killers", 2003),
        ("Wind of Change", "Scorpions", 1990),
        ("Top of the World", "Carpenters", 1972),
        ("Take a Chance on Me", "ABBA", 1977),
        ("Jump", "Van Halen", 1983),
        ("Addicted to Love", "Robert Palmer", 1985),
        ("I Will Always Love You", "Dolly Parton", 1974),
        ("I Will Always Love You", "Whitney Houston", 1992),
        ("Hurt", "Johnny Cash", 2002),
    ],
)
def test_the_year_is_that_of_the_first_release(title: str, artist: str, year: int) -> None:
    """An album before the single counts; a cover has the year of the cover."""
    assert [s.year for s in songs() if (s.title, s.artist) == (title, artist)] == [year]


@pytest.mark.rule("MUS-02")
@pytest.mark.parametrize("mix", MIXES, ids=lambda mix: mix.id)
def test_every_mix_is_big_enough(mix: HitMix) -> None:
    """With twice as many songs as needed, it is playable long before every recording is found."""
    chosen = songs_in(mix)
    assert len(chosen) >= 40
    assert len({fold(song.title) for song in chosen}) >= 20
    assert len({fold(head(song.artist)) for song in chosen}) >= 20


def test_the_mixes_are_the_promised_ones_under_ids_made_of_their_names() -> None:
    ids = [mix.id for mix in MIXES]
    decades = ["50-tal", "60-tal", "70-tal", "80-tal", "90-tal", "00-tal", "10-tal", "20-tal"]
    assert ids[:9] == ["all-time-hits", *decades]
    assert {
        "svenska-favoriter",
        "schlager-melodifestivalen",
        "rock",
        "disco-dance",
        "eurovision",
    } <= set(ids)
    assert ids == [mix_id(mix.name) for mix in MIXES]
    assert len(set(ids)) == len(ids)


def test_mixes_hold_what_their_names_say() -> None:
    mixes = {mix.id: songs_in(mix) for mix in MIXES}
    assert {song.year for song in mixes["80-tal"]} == set(range(1980, 1990))
    assert all(song.swedish for song in mixes["svenska-favoriter"])
    assert all("jul" in song.mixes for song in set(songs()) - set(mixes["all-time-hits"]))
    assert "Waterloo" in {song.title for song in mixes["eurovision"]}
    assert "Fångad av en stormvind" in {s.title for s in mixes["schlager-melodifestivalen"]}


def test_the_catalogue_is_read_once() -> None:
    assert songs() is songs()
