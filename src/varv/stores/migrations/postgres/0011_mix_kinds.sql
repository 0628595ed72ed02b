-- A mix is base, premium, or sold singly (ENT-01).
ALTER TABLE music_mixes ADD COLUMN kind TEXT COLLATE "C" NOT NULL DEFAULT 'base';
UPDATE music_mixes SET kind = 'premium' WHERE premium;
ALTER TABLE music_mixes ALTER COLUMN kind DROP DEFAULT;
ALTER TABLE music_mixes DROP COLUMN premium;
