/**
 * One connection that comes back by itself. It knows about dying phones: a socket that says OPEN
 * after a resume is probed, one that stays CONNECTING is given up, and every sign of life from the
 * browser (visible, shown again, online) reconnects at once.
 */

import { openLine } from './line';
import type { ClientMessage, ServerMessage } from './protocol';

export type LinkState = 'connecting' | 'open' | 'lost' | 'closed';

export interface LinkHandlers {
  hello: () => ClientMessage;
  message: (message: ServerMessage) => void;
  state: (state: LinkState) => void;
  /** The server said goodbye for good; nothing reconnects after this. */
  ended: (code: number) => void;
}

export interface Timing {
  connect: number;
  probe: number;
  beat: number;
  backoff: readonly number[];
}

const TIMING: Timing = { connect: 5000, probe: 2000, beat: 12000, backoff: [0, 200, 400, 800, 1000] };
const FINAL = new Set([4401, 4403, 4404]);

type SocketLike = Pick<WebSocket, 'send' | 'close' | 'readyState'> & {
  onopen: (() => void) | null;
  onmessage: ((event: { data: unknown }) => void) | null;
  onclose: ((event: { code: number }) => void) | null;
  onerror: (() => void) | null;
};

export class Link {
  #socket: SocketLike | null = null;
  #tries = 0;
  #wait: ReturnType<typeof setTimeout> | undefined;
  #connecting: ReturnType<typeof setTimeout> | undefined;
  #probing: ReturnType<typeof setTimeout> | undefined;
  #beating: ReturnType<typeof setInterval> | undefined;
  #closed = false;
  #off: (() => void)[] = [];

  constructor(
    private readonly url: string,
    private readonly on: LinkHandlers,
    private readonly timing: Timing = TIMING,
    private readonly open: (url: string) => SocketLike = (u) => openLine(u) as unknown as SocketLike,
  ) {}

  start(): void {
    this.#listen();
    this.#beating = setInterval(() => this.probe(), this.timing.beat);
    this.#connect();
  }

  /** False when there is nothing to send on: the caller keeps it and sends again after `open`. */
  send(message: ClientMessage): boolean {
    if (this.#socket?.readyState !== 1) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  /** Ask whether anyone is there; silence for `probe` ms means that the socket is dead. */
  probe(): void {
    if (this.#closed) return;
    if (this.#socket?.readyState !== 1) return this.wake();
    if (this.#probing !== undefined) return;
    this.send({ type: 'ping' });
    this.#probing = setTimeout(() => this.#drop(), this.timing.probe);
  }

  /** Reconnect now, whatever the back-off says. */
  wake(): void {
    if (this.#closed || this.#socket) return;
    clearTimeout(this.#wait);
    this.#tries = 0;
    this.#connect();
  }

  close(): void {
    this.#closed = true;
    for (const off of this.#off) off();
    clearInterval(this.#beating);
    this.#clear();
    clearTimeout(this.#wait);
    this.#forget()?.close(1000);
    this.on.state('closed');
  }

  #connect(): void {
    this.#clear();
    if (this.#closed) return;
    this.on.state('connecting');
    let socket: SocketLike;
    try {
      socket = this.open(this.url);
    } catch {
      return this.#again();
    }
    this.#socket = socket;
    this.#connecting = setTimeout(() => this.#drop(), this.timing.connect);
    const opened = () => {
      clearTimeout(this.#connecting);
      socket.send(JSON.stringify(this.on.hello()));
    };
    socket.onopen = opened;
    socket.onmessage = (event) => this.#receive(event.data);
    socket.onclose = (event) => this.#lost(event.code);
    socket.onerror = null;
    if (socket.readyState === 1) opened();
  }

  #receive(data: unknown): void {
    clearTimeout(this.#probing);
    this.#probing = undefined;
    let message: ServerMessage;
    try {
      message = JSON.parse(String(data)) as ServerMessage;
    } catch {
      return;
    }
    if (message.type === 'state') {
      this.#tries = 0;
      this.on.message(message);
      this.on.state('open');
      return;
    }
    this.on.message(message);
  }

  /** Give up a socket that no longer answers; its own close event may take minutes to come. */
  #drop(): void {
    const socket = this.#forget();
    this.#clear();
    socket?.close();
    this.#lost(1006);
  }

  #forget(): SocketLike | null {
    const socket = this.#socket;
    this.#socket = null;
    if (socket) socket.onopen = socket.onmessage = socket.onclose = null;
    return socket;
  }

  #lost(code: number): void {
    this.#forget();
    this.#clear();
    if (this.#closed) return;
    if (FINAL.has(code)) {
      this.close();
      this.on.ended(code);
      return;
    }
    this.on.state('lost');
    this.#again();
  }

  #again(): void {
    const { backoff } = this.timing;
    const delay = backoff[Math.min(this.#tries, backoff.length - 1)] ?? 1000;
    this.#tries += 1;
    clearTimeout(this.#wait);
    this.#wait = setTimeout(() => this.#connect(), delay);
  }

  #clear(): void {
    clearTimeout(this.#connecting);
    clearTimeout(this.#probing);
    this.#probing = undefined;
  }

  #listen(): void {
    const alive = () => {
      if (document.visibilityState === 'visible') this.probe();
    };
    const listen = (target: EventTarget, name: string, fn: () => void) => {
      target.addEventListener(name, fn);
      this.#off.push(() => target.removeEventListener(name, fn));
    };
    listen(document, 'visibilitychange', alive);
    listen(window, 'pageshow', alive);
    listen(window, 'online', alive);
    listen(window, 'offline', () => this.#socket?.readyState !== 1 || this.probe());
  }
}
