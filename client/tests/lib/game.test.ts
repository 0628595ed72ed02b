import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Game } from '../../src/lib/game.svelte';
import { Outbox } from '../../src/lib/outbox';
import { tab } from '../../src/lib/storage';
import { make } from '../fixtures/build';

class Socket {
  static all: Socket[] = [];
  readyState = 1;
  sent: { type: string; id?: string; command?: { type: string } }[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  constructor(readonly url: string) {
    Socket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as (typeof this.sent)[number]);
  }
  close(): void {}
  get commands() {
    return this.sent.filter((m) => m.type === 'command');
  }
  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
}
const last = () => Socket.all.at(-1) as Socket;
const seat = { code: 'K7QX', player: 'p1', token: 'secret', name: 'Maja', at: 0 };
let game: Game;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', Socket);
  sessionStorage.clear();
  Socket.all = [];
  game = new Game('K7QX', { seat }).connect();
});
afterEach(() => {
  game.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const open = () => {
  last().onopen?.();
  last().say(make());
};

describe('commands', () => {
  it('carry the round and the performance that was looked at', () => {
    open();
    game.submit('placement', 2);
    expect(last().commands[0]).toMatchObject({ command: { type: 'guess', round: 7, performance: 1, part: 'placement', choice: 2 } });
  });

  it('made offline are kept and sent once, in order, with their ids', () => {
    open();
    last().onclose?.({ code: 1006 });
    game.submit('title', 't2');
    game.submit('artist', 'a2');
    expect(game.pending).toHaveLength(2);
    vi.advanceTimersByTime(10);
    open();
    const sent = last().commands;
    expect(sent.map((m) => (m.command as unknown as { part: string }).part)).toEqual(['title', 'artist']);
    sent.forEach((m) => last().say({ type: 'ack', id: m.id, version: 1 }));
    expect(game.pending).toHaveLength(0);
    last().say(make());
    expect(last().commands).toHaveLength(2);
  });

  it('that were not acknowledged are sent again with the same id', () => {
    open();
    game.lock();
    const [first] = last().commands;
    last().onclose?.({ code: 1006 });
    vi.advanceTimersByTime(10);
    open();
    expect(last().commands[0]?.id).toBe(first?.id);
  });

  it('survive a reload of the page', () => {
    open();
    last().onclose?.({ code: 1006 });
    game.lock();
    game.close();
    game = new Game('K7QX', { seat }).connect();
    open();
    expect(last().commands.map((m) => m.command?.type)).toEqual(['lock_round']);
  });

  it('that are refused are over, and told', () => {
    const refused = vi.fn();
    game.events = { refused };
    open();
    game.lock();
    last().say({ type: 'refused', id: last().commands[0]?.id, code: 'conflict', reason: 'STALE', facts: {}, detail: '' });
    expect(game.pending).toHaveLength(0);
    expect(refused).toHaveBeenCalledOnce();
  });

  it('play and stop are never kept for later', () => {
    open();
    last().onclose?.({ code: 1006 });
    game.tell('play');
    expect(game.pending).toHaveLength(0);
  });
});

describe('my guess', () => {
  it('shows what is on its way', () => {
    open();
    game.submit('title', 't2');
    expect(game.guess).toEqual({ placement: null, title: 't2', artist: null });
    game.submit('title', null);
    expect(game.guess.title).toBeNull();
  });

  it('does not flicker when the acknowledgement comes before the state', () => {
    open();
    game.submit('placement', 3);
    last().say({ type: 'ack', id: last().commands[0]?.id, version: 2 });
    expect(game.guess.placement).toBe(3);
    last().say({ ...make({ viewer: { guess: { placement: 3, title: null, artist: null } } }), version: 2 });
    expect(game.guess.placement).toBe(3);
    expect(game.pending).toHaveLength(0);
  });

  it('forgets what was on its way to another song', () => {
    open();
    game.submit('title', 't2');
    last().say(make({ roundPart: { performance: 2 } }));
    expect(game.guess.title).toBeNull();
  });

  it('shows a prediction on its way', () => {
    open();
    game.predict('hard');
    expect(game.prediction).toBe('hard');
    last().say(make({ roundPart: { performance: 2 } }));
    expect(game.prediction).toBeNull();
  });
});

describe('what the server says', () => {
  it('sets clock, presence and playing', () => {
    open();
    last().say({ ...make(), now: Date.now() + 5000 });
    last().say({ type: 'presence', connected: ['p1', 'p3'] });
    last().say({ type: 'playing', playing: true });
    expect(game.skew).toBe(5000);
    expect(game.here('p3')).toBe(true);
    expect(game.here('p2')).toBe(false);
    expect(game.playing).toBe(true);
  });

  it.each([[4403, 'REMOVED'], [4404, 'UNKNOWN_GAME'], [4401, 'BAD_TOKEN']] as const)('close code %i means %s', (code, ending) => {
    open();
    last().onclose?.({ code });
    expect(game.ending).toBe(ending);
  });

  it('says that it restarts, and then is back', () => {
    open();
    last().say({ type: 'bye', reason: 'RESTARTING' });
    last().onclose?.({ code: 1012 });
    expect(game.restarting).toBe(true);
    vi.advanceTimersByTime(10);
    open();
    expect(game.restarting).toBe(false);
    expect(game.link).toBe('open');
  });
});

describe('the shared screen', () => {
  it('says so, with its ticket, and has no token', () => {
    const screen = new Game('K7QX', { screen: true, ticket: 'z' }).connect();
    last().onopen?.();
    expect(last().sent[0]).toEqual({ type: 'hello', screen: true, ticket: 'z' });
    expect(screen.token).toBeNull();
    screen.close();
  });
});

describe('the outbox', () => {
  it('gives every command its own id', () => {
    const box = new Outbox('k', tab);
    const ids = new Set(Array.from({ length: 50 }, () => box.add({ type: 'start_game' }).id));
    expect(ids.size).toBe(50);
    for (const { id } of box.items) box.settle(id);
    expect(tab.get('k')).toBeNull();
  });
});
