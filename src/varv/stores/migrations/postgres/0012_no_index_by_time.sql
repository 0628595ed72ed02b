-- Every command changes when its game was last touched, and only the operator asks for it, of all games.
DROP INDEX games_by_time;
