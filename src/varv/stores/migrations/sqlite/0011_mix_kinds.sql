-- A mix is base, premium, or sold singly (ENT-01). Older SQLite cannot drop a column.
CREATE TABLE music_mixes_by_kind (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    position INTEGER NOT NULL,
    kind TEXT NOT NULL,
    origin TEXT NOT NULL
) WITHOUT ROWID;
INSERT INTO music_mixes_by_kind (id, name, position, kind, origin)
SELECT id, name, position, CASE WHEN premium THEN 'premium' ELSE 'base' END, origin
FROM music_mixes;
DROP TABLE music_mixes;
ALTER TABLE music_mixes_by_kind RENAME TO music_mixes;
