/** The public protocol as TypeScript types, in the shape of docs/protocol.md. Types only. */

export type Edition = 'dj' | 'oracle';
export type Part = 'placement' | 'title' | 'artist';
export type Difficulty = 'easy' | 'medium' | 'hard';
export type GameState = 'LOBBY' | 'IN_PROGRESS' | 'FINISHED';
export type CycleState = 'ACTIVE' | 'BOUNDARY_DECISION' | 'FINISHED';
export type RoundState =
  | 'WAITING_FOR_DJ'
  | 'READY'
  | 'GUESSING'
  | 'LOCKED'
  | 'REVEALED_TIMELINE'
  | 'REVEALED_FULL'
  | 'REVEALED'
  | 'ABORTED';
export type CardKind = 'start' | 'timeline' | 'dj' | 'song' | 'oracle';
export type AudioMode = 'default' | 'everyone' | 'screen';

export interface Card {
  kind: CardKind;
  year: number;
  title?: string | null;
  artist?: string | null;
  star?: boolean | null;
  round?: number | null;
  cycle?: number | null;
}

export interface Options {
  audio: AudioMode;
  guess_seconds: number | null;
}

export interface MixInfo {
  id: string;
  name: string;
  songs: number;
}

export interface Player {
  id: string;
  name: string;
  bot: boolean;
  start_year: number | null;
  jokers: number;
  timeline: Card[];
  side_cards: Card[];
}

export interface Cycle {
  number: number;
  state: CycleState;
  rotation: string[];
  completed: string[];
}

export interface Choice {
  id: string;
  text: string;
}

export interface Answer {
  year: number;
  title?: string | null;
  artist?: string | null;
}

export interface Result {
  guess: { placement: number | null; title: Choice | null; artist: Choice | null };
  placement: boolean;
  title: boolean | null;
  artist: boolean | null;
  card: CardKind | null;
  position: number | null;
  star: boolean | null;
  joker_won: boolean | null;
  jokers_used: Part[] | null;
}

export type DifficultyScale = Record<Difficulty, [number, number]>;

export interface Round {
  number: number;
  state: RoundState;
  leader: string;
  leader_name: string;
  leader_removed: boolean;
  next_leader: string | null;
  performance: number | null;
  deadline: number | null;
  difficulty_scale: DifficultyScale | null;
  submitted: Record<string, Part[]>;
  predicted: boolean;
  answer: Answer | null;
  results: Record<string, Result> | null;
  difficulty: Difficulty | null;
  guessers: number | null;
  correct: number | null;
  prediction: Difficulty | null;
  prediction_correct: boolean | null;
  aborted_because: string | null;
}

export interface Standing {
  player: string;
  cards: number;
  tiebreak: number;
}

export interface Ranked extends Standing {
  place: number;
}

export interface Snapshot {
  code: string;
  edition: Edition;
  state: GameState;
  mix: MixInfo;
  min_players: number;
  max_players: number;
  start_years: [number, number];
  joinable: boolean;
  host: string;
  options: Options;
  players: Player[];
  cycle: Cycle | null;
  round: Round | null;
  last_round: Round | null;
  standings: Standing[];
  ranking: Ranked[] | null;
  counted_cycles: number[];
}

export interface Guess {
  placement: number | null;
  title: string | null;
  artist: string | null;
}

export interface Viewer {
  player: string;
  is_host: boolean;
  is_leader: boolean;
  plays_audio: boolean;
  actions: CommandType[];
  blocked: Partial<Record<CommandType, string>>;
  guess: Guess | null;
  open_parts: Part[];
  options: { title: Choice[] | null; artist: Choice[] | null };
  jokers_registered: Part[];
  joker_parts: Part[];
  decade: { from: number; to: number } | null;
  answer: Answer | null;
  prediction: Difficulty | null;
  audio: Audio | null;
}

export interface Audio {
  url: string;
}

export type Command =
  | { type: 'set_start_year'; year: number }
  | { type: 'remove_player'; player: string }
  | { type: 'configure'; mix?: string; options?: Partial<Options> }
  | { type: 'start_game' }
  | { type: 'finish_game' }
  | { type: 'start_cycle' }
  | { type: 'start_round'; round: number }
  | { type: 'change_song'; round: number; performance: number | null }
  | { type: 'lock_round'; round: number; performance: number | null }
  | { type: 'unlock_round'; round: number }
  | { type: 'reveal'; round: number; to: RoundState }
  | { type: 'abort_round'; round: number }
  | { type: 'next_round'; round: number }
  | { type: 'guess'; round: number; performance: number | null; part: Part; choice: number | string | null }
  | { type: 'use_joker'; round: number; performance: number | null; part: Part }
  | { type: 'predict'; round: number; performance: number | null; difficulty: Difficulty }
  | { type: 'play'; round: number; performance: number | null }
  | { type: 'stop'; round: number; performance: number | null };
export type CommandType = Command['type'];

export type ClientMessage =
  | { type: 'hello'; token: string; version: number }
  | { type: 'hello'; screen: true; ticket?: string }
  | { type: 'command'; id: string; command: Command }
  | { type: 'ping' };

export interface StateMessage {
  type: 'state';
  version: number;
  now: number;
  snapshot: Snapshot;
  viewer: Viewer | null;
  audio?: Audio | null;
}

export type Notice =
  | { type: 'notice'; kind: 'REJOINED'; player: string }
  | { type: 'notice'; kind: 'ABORTED_BY_HOST' }
  | { type: 'notice'; kind: 'AGAIN'; code: string; ticket: string }
  | { type: 'notice'; kind: 'SONG_PASSED_OVER' };

export interface RefusedMessage {
  type: 'refused';
  id?: string | null;
  code: string;
  reason: string;
  facts?: Record<string, unknown>;
  detail?: string;
}

export type ServerMessage =
  | StateMessage
  | { type: 'ack'; id: string; version: number }
  | RefusedMessage
  | { type: 'presence'; connected: string[] }
  | { type: 'playing'; playing: boolean }
  | Notice
  | { type: 'bye'; reason: string }
  | { type: 'pong' };

/* HTTP */

export interface Mix {
  id: string;
  name: string;
  songs: number;
  years: [number, number];
  playable: boolean;
  allowed: boolean;
}

export interface LobbyCard {
  code: string;
  edition: Edition;
  state: GameState;
  players: number;
  max_players: number;
  joinable: boolean;
}

export interface Owner {
  owner: string | null;
  premium: boolean;
  game: string | null;
}

export interface History {
  rounds: { cycle: number; round: Round }[];
  snapshot: Snapshot;
}
