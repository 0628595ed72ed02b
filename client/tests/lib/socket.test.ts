import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openEarly, openLine, socketUrl } from '../../src/lib/line';
import type { ServerMessage } from '../../src/lib/protocol';
import { Link, type LinkState } from '../../src/lib/socket';
import { make } from '../fixtures/build';

class Fake {
  static all: Fake[] = [];
  readyState = 0;
  sent: unknown[] = [];
  closed = false;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  onerror = null;
  constructor() {
    Fake.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.closed = true;
    this.readyState = 3;
  }
  accept(): void {
    this.readyState = 1;
    this.onopen?.();
  }
  say(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  die(code: number): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
  static get last(): Fake {
    return Fake.all.at(-1) as Fake;
  }
}

let states: LinkState[];
let heard: ServerMessage[];
let ended: number[];
let link: Link;

beforeEach(() => {
  vi.useFakeTimers();
  Fake.all = [];
  states = [];
  heard = [];
  ended = [];
  link = new Link('ws://x', {
    hello: () => ({ type: 'hello', token: 's', version: 41 }),
    message: (m) => heard.push(m),
    state: (s) => states.push(s),
    ended: (code) => ended.push(code),
  }, undefined, () => new Fake() as never);
  link.start();
});
afterEach(() => {
  link.close();
  vi.useRealTimers();
});

const online = () => {
  Fake.last.accept();
  Fake.last.say(make());
};

describe('the connection', () => {
  it('says hello first, with the token and the last version', () => {
    Fake.last.accept();
    expect(Fake.last.sent).toEqual([{ type: 'hello', token: 's', version: 41 }]);
    expect(states).not.toContain('open');
  });

  it('is open once the state has come', () => {
    online();
    expect(states.at(-1)).toBe('open');
    expect(heard[0]?.type).toBe('state');
  });

  it('gives up a socket that stays CONNECTING for 5 s', () => {
    const first = Fake.last;
    vi.advanceTimersByTime(5001);
    expect(first.closed).toBe(true);
    vi.advanceTimersByTime(300);
    expect(Fake.all.length).toBeGreaterThan(1);
  });

  it('probes a socket that says OPEN after a resume, and drops it after 2 s of silence', () => {
    online();
    const dead = Fake.last;
    document.dispatchEvent(new Event('visibilitychange'));
    expect(dead.sent.at(-1)).toEqual({ type: 'ping' });
    vi.advanceTimersByTime(2001);
    expect(dead.closed).toBe(true);
    expect(Fake.last).not.toBe(dead);
  });

  it('keeps a socket that answers the probe', () => {
    online();
    const alive = Fake.last;
    link.probe();
    alive.say({ type: 'pong' });
    vi.advanceTimersByTime(2500);
    expect(alive.closed).toBe(false);
  });

  it('reconnects at once when the phone is back, whatever the back-off says', () => {
    online();
    for (let i = 0; i < 4; i += 1) {
      Fake.last.die(1006);
      vi.advanceTimersByTime(1000);
    }
    Fake.last.die(1006);
    const before = Fake.all.length;
    window.dispatchEvent(new Event('online'));
    expect(Fake.all.length).toBe(before + 1);
  });

  it('is never away for longer than a second between tries', () => {
    online();
    for (let i = 0; i < 8; i += 1) {
      Fake.last.die(1012);
      const before = Fake.all.length;
      vi.advanceTimersByTime(1001);
      expect(Fake.all.length).toBe(before + 1);
    }
  });

  it.each([4401, 4403, 4404])('ends for good on %i', (code) => {
    online();
    Fake.last.die(code);
    vi.advanceTimersByTime(60_000);
    expect(ended).toEqual([code]);
    expect(Fake.all).toHaveLength(1);
  });

  it('survives nonsense', () => {
    online();
    Fake.last.onmessage?.({ data: '<html>' });
    expect(states.at(-1)).toBe('open');
  });

  it('sends nothing into the void', () => {
    expect(link.send({ type: 'ping' })).toBe(false);
    online();
    expect(link.send({ type: 'ping' })).toBe(true);
  });

  it('says hello at once on a line that is already open', () => {
    const early = new Fake();
    early.readyState = 1;
    const other = new Link('ws://x', {
      hello: () => ({ type: 'hello', token: 's', version: 0 }),
      message: () => {},
      state: () => {},
      ended: () => {},
    }, undefined, () => early as never);
    other.start();
    expect(early.sent).toEqual([{ type: 'hello', token: 's', version: 0 }]);
    vi.advanceTimersByTime(6000); // nobody gives it up for having been slow
    expect(early.closed).toBe(false);
    other.close();
  });

  it('speaks wss behind https', () => {
    expect(socketUrl('K7QX', { protocol: 'https:', host: 'a.b' })).toBe('wss://a.b/api/v1/games/K7QX/ws');
    expect(socketUrl('K7QX', { protocol: 'http:', host: 'a:8000' })).toBe('ws://a:8000/api/v1/games/K7QX/ws');
  });
});

describe('the line', () => {
  const made: Fake[] = [];
  beforeEach(() => {
    made.length = 0;
    const Socket = Object.assign(function (this: unknown, url: string) {
      const socket = Object.assign(new Fake(), { url });
      made.push(socket);
      return socket;
    }, { OPEN: 1 });
    vi.stubGlobal('WebSocket', Socket);
  });
  afterEach(() => vi.unstubAllGlobals());

  it('opened early is the one that is used, once', () => {
    openEarly('K7QX');
    expect(openLine(socketUrl('K7QX'))).toBe(made[0]);
    expect(openLine(socketUrl('K7QX'))).toBe(made[1]);
  });

  it('that died before anyone took it is replaced', () => {
    openEarly('K7QX');
    made[0]?.die(1008);
    expect(openLine(socketUrl('K7QX'))).toBe(made[1]);
  });

  it('to another game is closed, not used', () => {
    openEarly('K7QX');
    expect(openLine(socketUrl('ABCD'))).toBe(made[1]);
    expect(made[0]?.closed).toBe(true);
  });

  it('that the browser refuses stops nothing', () => {
    vi.stubGlobal('WebSocket', class { constructor() { throw new DOMException('no', 'SecurityError'); } });
    expect(() => openEarly('K7QX')).not.toThrow();
  });
});
