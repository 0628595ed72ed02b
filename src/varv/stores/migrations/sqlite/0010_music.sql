-- The catalogue: songs and where their years come from, recordings, mixes, flags (MUS-01).
CREATE TABLE music_songs (
    id TEXT PRIMARY KEY,
    title TEXT NOT NULL,
    artist TEXT NOT NULL,
    year INTEGER NOT NULL,
    source TEXT NOT NULL,
    language TEXT NOT NULL,
    genre TEXT NOT NULL,
    swedish INTEGER NOT NULL,
    world TEXT NOT NULL,
    origin TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE music_claims (
    song TEXT NOT NULL,
    source TEXT NOT NULL,
    year INTEGER NOT NULL,
    detail TEXT NOT NULL,
    PRIMARY KEY (song, source)
) WITHOUT ROWID;
CREATE TABLE music_recordings (
    id TEXT PRIMARY KEY,
    song TEXT NOT NULL,
    kind TEXT NOT NULL,
    locator TEXT NOT NULL,
    quality INTEGER NOT NULL,
    seconds REAL NOT NULL,
    isrc TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE music_mixes (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    position INTEGER NOT NULL,
    premium INTEGER NOT NULL,
    origin TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE music_members (
    mix TEXT NOT NULL,
    song TEXT NOT NULL,
    origin TEXT NOT NULL,
    PRIMARY KEY (mix, song)
) WITHOUT ROWID;
CREATE TABLE music_files (
    path TEXT PRIMARY KEY,
    size INTEGER NOT NULL,
    modified INTEGER NOT NULL,
    verdict TEXT NOT NULL,
    detail TEXT NOT NULL,
    song TEXT NOT NULL,
    recording TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE music_flags (
    song TEXT NOT NULL,
    game TEXT NOT NULL,
    round INTEGER NOT NULL,
    note TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (song, game, round)
) WITHOUT ROWID;
CREATE TABLE music_lookups (
    service TEXT NOT NULL,
    key TEXT NOT NULL,
    answer TEXT NOT NULL,
    PRIMARY KEY (service, key)
) WITHOUT ROWID;
CREATE TABLE music_meta (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE music_generation (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    number INTEGER NOT NULL
);
INSERT INTO music_generation (one, number) VALUES (1, 0);
