/** The game as this device sees it: what the server last said, and what is on its way there. */

import { socketUrl } from './line';
import { Outbox, type Pending } from './outbox';
import { keepSame } from './same';
import type {
  Audio, Command, CommandType, Difficulty, Guess, Notice, Part, Player, RefusedMessage, Round,
  RoundState, ServerMessage, Snapshot, Viewer,
} from './protocol';
import type { Seat } from './session';
import { Link, type LinkState } from './socket';
import { tab } from './storage';

export type Ending = 'REMOVED' | 'UNKNOWN_GAME' | 'BAD_TOKEN';

export interface Events {
  notice?: (notice: Notice) => void;
  refused?: (refusal: RefusedMessage, pending: Pending | null) => void;
  playing?: (playing: boolean) => void;
}

export type Role = { seat: Seat } | { screen: true; ticket: string | null };

/** Said in passing: worth nothing once the moment is over, so never kept for later. */
const FLEETING = new Set<CommandType>(['play', 'stop']);

export class Game {
  readonly code: string;
  snapshot = $state.raw<Snapshot | null>(null);
  viewer = $state.raw<Viewer | null>(null);
  screenAudio = $state.raw<Audio | null>(null);
  connected = $state.raw<readonly string[]>([]);
  pending = $state.raw<readonly Pending[]>([]);
  playing = $state(false);
  link = $state<LinkState>('connecting');
  restarting = $state(false);
  ending = $state<Ending | null>(null);
  /** Server time minus ours, in ms: deadlines are in server time. */
  skew = $state(0);
  /** The state that this device watched turn into the present one, for staging a reveal. */
  before = $state.raw<Snapshot | null>(null);
  events: Events = {};

  #version = 0;
  #link: Link | null = null;
  #outbox: Outbox;
  /** Acknowledged, but the state that shows it has not come: until then it is still on its way. */
  readonly #acked = new Map<string, number>();

  constructor(code: string, private readonly role: Role) {
    this.code = code;
    const who = 'seat' in role ? role.seat.player : 'screen';
    this.#outbox = new Outbox(`varv.outbox.${code}.${who}`, tab, (items) => (this.pending = items));
    this.pending = this.#outbox.items;
  }

  get token(): string | null {
    return 'seat' in this.role ? this.role.seat.token : null;
  }

  connect(): this {
    this.#link = new Link(socketUrl(this.code), {
      hello: () =>
        'seat' in this.role
          ? { type: 'hello', token: this.role.seat.token, version: this.#version }
          : { type: 'hello', screen: true, ...(this.role.ticket ? { ticket: this.role.ticket } : {}) },
      message: (message) => this.receive(message),
      state: (state) => this.#moved(state),
      ended: (code) => {
        this.ending ??= code === 4403 ? 'REMOVED' : code === 4404 ? 'UNKNOWN_GAME' : 'BAD_TOKEN';
      },
    });
    this.#link.start();
    return this;
  }

  close(): void {
    this.#link?.close();
    this.#link = null;
  }

  receive(message: ServerMessage): void {
    switch (message.type) {
      case 'state':
        this.#version = message.version;
        this.skew = message.now - Date.now();
        this.before = this.snapshot;
        this.snapshot = keepSame(this.snapshot, message.snapshot);
        this.viewer = keepSame(this.viewer, message.viewer);
        this.screenAudio = keepSame(this.screenAudio, message.audio ?? null);
        for (const [id, version] of this.#acked) if (version <= this.#version) this.#settle(id);
        break;
      case 'ack':
        if (message.version <= this.#version) this.#settle(message.id);
        else this.#acked.set(message.id, message.version);
        break;
      case 'refused': {
        const pending = message.id ? this.#outbox.settle(message.id) : null;
        this.events.refused?.(message, pending);
        break;
      }
      case 'presence':
        this.connected = message.connected;
        break;
      case 'playing':
        this.playing = message.playing;
        this.events.playing?.(message.playing);
        break;
      case 'notice':
        this.events.notice?.(message);
        break;
      case 'bye':
        if (message.reason === 'REMOVED') this.ending = 'REMOVED';
        if (message.reason === 'RESTARTING') this.restarting = true;
        break;
      case 'pong':
        break;
    }
  }

  #settle(id: string): void {
    this.#acked.delete(id);
    this.#outbox.settle(id);
  }

  #moved(state: LinkState): void {
    const opened = state === 'open' && this.link !== 'open';
    this.link = state;
    if (!opened) return;
    this.restarting = false;
    for (const { id, command } of this.#outbox.items) this.#link?.send({ type: 'command', id, command });
  }

  send(command: Command): void {
    const online = this.link === 'open';
    if (FLEETING.has(command.type) && !online) return;
    const { id } = this.#outbox.add(command);
    if (online) this.#link?.send({ type: 'command', id, command });
  }

  /* What the screens ask */

  get round(): Round | null {
    return this.snapshot?.round ?? null;
  }

  /** Names a song of this game: what was chosen for another one does not count. */
  get song(): string {
    return `${this.round?.number}.${this.round?.performance}`;
  }

  get me(): Player | null {
    return this.player(this.viewer?.player ?? null);
  }

  player(id: string | null): Player | null {
    return this.snapshot?.players.find((p) => p.id === id) ?? null;
  }

  may(type: CommandType): boolean {
    return this.viewer?.actions.includes(type) ?? false;
  }

  blocked(type: CommandType): string | null {
    return this.viewer?.blocked[type] ?? null;
  }

  here(id: string): boolean {
    return this.connected.includes(id);
  }

  waitingFor(type: CommandType): boolean {
    return this.pending.some((p) => p.command.type === type);
  }

  /** My guess as it will be once what is on its way has arrived. */
  get guess(): Guess {
    const guess: Guess = { placement: null, title: null, artist: null, ...this.viewer?.guess };
    for (const { command: c } of this.pending) {
      if (c.type !== 'guess' || !this.#isNow(c)) continue;
      (guess as Record<Part, unknown>)[c.part] = c.choice;
    }
    return guess;
  }

  get prediction(): Difficulty | null {
    const sent = this.pending.findLast(({ command: c }) => c.type === 'predict' && this.#isNow(c))?.command;
    return (sent?.type === 'predict' ? sent.difficulty : null) ?? this.viewer?.prediction ?? null;
  }

  /** My jokers, and how many of them lie on this song. */
  get jokers(): { have: number; laid: number } {
    return { have: this.me?.jokers ?? 0, laid: this.viewer?.jokers_registered.length ?? 0 };
  }

  /* What the screens do */

  /** Whether a command on its way is about the song that is being guessed now. */
  #isNow(about: { round: number; performance: number | null }): boolean {
    return about.round === this.round?.number && about.performance === this.round.performance;
  }

  #at(): { round: number; performance: number | null } {
    return { round: this.round?.number ?? 0, performance: this.round?.performance ?? null };
  }

  submit(part: Part, choice: number | string | null): void {
    this.send({ type: 'guess', ...this.#at(), part, choice });
  }

  useJoker(part: Part): void {
    this.send({ type: 'use_joker', ...this.#at(), part });
  }

  predict(difficulty: Difficulty): void {
    this.send({ type: 'predict', ...this.#at(), difficulty });
  }

  startRound(): void {
    this.send({ type: 'start_round', round: this.#at().round });
  }

  changeSong(): void {
    this.send({ type: 'change_song', ...this.#at() });
  }

  lock(): void {
    this.send({ type: 'lock_round', ...this.#at() });
  }

  unlock(): void {
    this.send({ type: 'unlock_round', round: this.#at().round });
  }

  reveal(to: RoundState): void {
    this.send({ type: 'reveal', round: this.#at().round, to });
  }

  abort(): void {
    this.send({ type: 'abort_round', round: this.#at().round });
  }

  next(): void {
    this.send({ type: 'next_round', round: this.#at().round });
  }

  tell(type: 'play' | 'stop'): void {
    this.send({ type, ...this.#at() });
  }
}
