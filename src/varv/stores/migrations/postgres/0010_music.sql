-- The catalogue: songs and where their years come from, recordings, mixes, flags (MUS-01).
CREATE TABLE music_songs (
    id TEXT COLLATE "C" PRIMARY KEY,
    title TEXT COLLATE "C" NOT NULL,
    artist TEXT COLLATE "C" NOT NULL,
    year INTEGER NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    language TEXT COLLATE "C" NOT NULL,
    genre TEXT COLLATE "C" NOT NULL,
    swedish BOOLEAN NOT NULL,
    world TEXT COLLATE "C" NOT NULL,
    origin TEXT COLLATE "C" NOT NULL
);
CREATE TABLE music_claims (
    song TEXT COLLATE "C" NOT NULL,
    source TEXT COLLATE "C" NOT NULL,
    year INTEGER NOT NULL,
    detail TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (song, source)
);
CREATE TABLE music_recordings (
    id TEXT COLLATE "C" PRIMARY KEY,
    song TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    locator TEXT COLLATE "C" NOT NULL,
    quality INTEGER NOT NULL,
    seconds DOUBLE PRECISION NOT NULL,
    isrc TEXT COLLATE "C" NOT NULL
);
CREATE TABLE music_mixes (
    id TEXT COLLATE "C" PRIMARY KEY,
    name TEXT COLLATE "C" NOT NULL,
    position INTEGER NOT NULL,
    premium BOOLEAN NOT NULL,
    origin TEXT COLLATE "C" NOT NULL
);
CREATE TABLE music_members (
    mix TEXT COLLATE "C" NOT NULL,
    song TEXT COLLATE "C" NOT NULL,
    origin TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (mix, song)
);
CREATE TABLE music_files (
    path TEXT COLLATE "C" PRIMARY KEY,
    size BIGINT NOT NULL,
    modified BIGINT NOT NULL,
    verdict TEXT COLLATE "C" NOT NULL,
    detail TEXT COLLATE "C" NOT NULL,
    song TEXT COLLATE "C" NOT NULL,
    recording TEXT COLLATE "C" NOT NULL
);
CREATE TABLE music_flags (
    song TEXT COLLATE "C" NOT NULL,
    game TEXT COLLATE "C" NOT NULL,
    round INTEGER NOT NULL,
    note TEXT COLLATE "C" NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (song, game, round)
);
CREATE TABLE music_lookups (
    service TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    answer TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (service, key)
);
CREATE TABLE music_meta (
    key TEXT COLLATE "C" PRIMARY KEY,
    value TEXT COLLATE "C" NOT NULL
);
CREATE TABLE music_generation (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    number BIGINT NOT NULL
);
INSERT INTO music_generation (one, number) VALUES (1, 0);
