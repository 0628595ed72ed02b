/**
 * The protocol under the names that the client uses. The shapes come from the server's schemas
 * (generated.ts); here is only what a JSON Schema does not say. Types only.
 */

import type * as G from './generated';

export type {
  AbortReason, CardKind, ChoiceView as Guess, CycleState, CycleView as Cycle, Decade, Difficulty, GameState,
  OptionView as Choice, Part, Placing as Ranked, PlayerView as Player, RefusedMessage, ResultView as Result,
  RoundState, Standing, Answer, AudioView as Audio, CardView as Card, GameCreated as Created, Link as RejoinLink,
  MixCard as Mix, OwnerCard as Owner, ScreenLink, Seated,
} from './generated';

export type Edition = 'dj' | 'oracle';
export type AudioMode = 'default' | 'everyone' | 'screen';
export type DifficultyScale = Record<G.Difficulty, [number, number]>;

export interface Options extends G.Options {
  audio: AudioMode;
}

export interface Round extends Omit<G.RoundView, 'difficulty_scale'> {
  difficulty_scale: DifficultyScale | null;
}

export interface Snapshot extends Omit<G.Snapshot, 'edition' | 'options' | 'round' | 'last_round'> {
  edition: Edition;
  options: Options;
  round: Round | null;
  last_round: Round | null;
}

/** Commands as the client sends them: parts, states and difficulties are words of the protocol. */
type Exact<C> = C extends G.SubmitGuess | G.UseJoker
  ? Omit<C, 'part'> & { part: G.Part }
  : C extends G.Predict
    ? Omit<C, 'difficulty'> & { difficulty: G.Difficulty }
    : C extends G.Reveal
      ? Omit<C, 'to'> & { to: G.RoundState }
      : C;
export type Command = Exact<G.Order['command']>;
export type CommandType = Command['type'];

export interface Viewer extends Omit<G.Viewer, 'actions' | 'blocked'> {
  actions: CommandType[];
  blocked: Partial<Record<CommandType, string>>;
}

export type ClientMessage = G.Hello | (Omit<G.Order, 'command'> & { command: Command }) | G.Ping;

export interface StateMessage extends Omit<G.State, 'snapshot' | 'viewer'> {
  snapshot: Snapshot;
  viewer: Viewer | null;
}

export type Notice = G.Notice;
export type ServerMessage =
  | StateMessage
  | G.Ack
  | G.RefusedMessage
  | G.Presence
  | G.Playing
  | G.Notice
  | G.Bye
  | G.Pong;

export interface LobbyCard extends G.GameCard {
  edition: Edition;
  state: G.GameState;
}

export interface History extends Omit<G.History, 'rounds' | 'snapshot'> {
  rounds: { cycle: number; round: Round }[];
  snapshot: Snapshot;
}
