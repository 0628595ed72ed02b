CREATE TABLE games (
    code TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    edition TEXT NOT NULL,
    state TEXT NOT NULL,
    players INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    seating INTEGER NOT NULL DEFAULT 0,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    successor TEXT
) WITHOUT ROWID;

-- GAME-23: an owner has at most one unfinished game.
CREATE UNIQUE INDEX one_unfinished_game ON games (owner) WHERE state <> 'FINISHED';
CREATE INDEX games_by_time ON games (updated);

-- The primary key decides who was first.
CREATE TABLE events (
    code TEXT NOT NULL,
    seq INTEGER NOT NULL,
    name TEXT NOT NULL,
    schema INTEGER NOT NULL,
    data TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (code, seq)
) WITHOUT ROWID;

CREATE TABLE snapshots (
    code TEXT PRIMARY KEY,
    seq INTEGER NOT NULL,
    schema TEXT NOT NULL,
    data TEXT NOT NULL
);

CREATE TABLE commands (
    code TEXT NOT NULL,
    actor TEXT NOT NULL,
    id TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (code, actor, id)
) WITHOUT ROWID;

CREATE TABLE seats (
    code TEXT NOT NULL,
    player TEXT NOT NULL,
    token BLOB,
    skill TEXT,
    PRIMARY KEY (code, player)
) WITHOUT ROWID;

CREATE TABLE tickets (
    hash BLOB PRIMARY KEY,
    code TEXT NOT NULL,
    player TEXT NOT NULL,
    expires INTEGER NOT NULL,
    used_by BLOB
) WITHOUT ROWID;
CREATE INDEX tickets_of_a_game ON tickets (code);

CREATE TABLE idempotency (
    key BLOB PRIMARY KEY,
    code TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    answer TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX idempotency_of_a_game ON idempotency (code);

CREATE TABLE owners (
    id TEXT PRIMARY KEY,
    token BLOB NOT NULL UNIQUE,
    created INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE entitlements (
    owner TEXT NOT NULL,
    entitlement TEXT NOT NULL,
    PRIMARY KEY (owner, entitlement)
) WITHOUT ROWID;

CREATE TABLE secrets (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;
