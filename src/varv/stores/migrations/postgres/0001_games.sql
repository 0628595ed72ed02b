CREATE TABLE games (
    code TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    edition TEXT NOT NULL,
    state TEXT NOT NULL,
    players INTEGER NOT NULL,
    seq BIGINT NOT NULL,
    seating BIGINT NOT NULL DEFAULT 0,
    created BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    successor TEXT
);

-- GAME-23: an owner has at most one unfinished game.
CREATE UNIQUE INDEX one_unfinished_game ON games (owner) WHERE state <> 'FINISHED';
CREATE INDEX games_by_time ON games (updated);

-- The primary key decides who was first.
CREATE TABLE events (
    code TEXT NOT NULL,
    seq BIGINT NOT NULL,
    name TEXT NOT NULL,
    schema INTEGER NOT NULL,
    data TEXT NOT NULL,
    at BIGINT NOT NULL,
    PRIMARY KEY (code, seq)
);

CREATE TABLE snapshots (
    code TEXT PRIMARY KEY,
    seq BIGINT NOT NULL,
    schema TEXT NOT NULL,
    data TEXT NOT NULL
);

CREATE TABLE commands (
    code TEXT NOT NULL,
    actor TEXT NOT NULL,
    id TEXT NOT NULL,
    fingerprint BYTEA NOT NULL,
    version BIGINT NOT NULL,
    PRIMARY KEY (code, actor, id)
);

CREATE TABLE seats (
    code TEXT NOT NULL,
    player TEXT NOT NULL,
    token BYTEA,
    skill TEXT,
    PRIMARY KEY (code, player)
);

CREATE TABLE tickets (
    hash BYTEA PRIMARY KEY,
    code TEXT NOT NULL,
    player TEXT NOT NULL,
    expires BIGINT NOT NULL,
    used_by BYTEA
);
CREATE INDEX tickets_of_a_game ON tickets (code);

CREATE TABLE idempotency (
    key BYTEA PRIMARY KEY,
    code TEXT NOT NULL,
    fingerprint BYTEA NOT NULL,
    answer TEXT NOT NULL
);
CREATE INDEX idempotency_of_a_game ON idempotency (code);

CREATE TABLE owners (
    id TEXT PRIMARY KEY,
    token BYTEA NOT NULL UNIQUE,
    created BIGINT NOT NULL
);

CREATE TABLE entitlements (
    owner TEXT NOT NULL,
    entitlement TEXT NOT NULL,
    PRIMARY KEY (owner, entitlement)
);

CREATE TABLE secrets (
    name TEXT PRIMARY KEY,
    value BYTEA NOT NULL
);
