/** The HTTP half of the protocol. Every failure is a Problem with a reason that i18n has words for. */

import { randomId } from './ids';
import type {
  AudioMode, Command, Created, Edition, History, LobbyCard, Mix, Owner, RejoinLink, ScreenLink, Seated,
} from './protocol';
import { tab } from './storage';

export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    readonly facts: Record<string, unknown> = {},
    readonly game: string | null = null,
  ) {
    super(reason);
  }
}

/** Why something failed, as i18n has words for it; '' if it was no answer of the server's. */
export const reasonOf = (error: unknown): string => (error instanceof Problem ? error.reason : '');

interface Call {
  method?: 'GET' | 'POST';
  token?: string | undefined;
  body?: unknown;
  key?: string | undefined;
}

async function call<T>(path: string, { method, token, body, key }: Call = {}): Promise<T> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (token) headers['Authorization'] = `Bearer ${token}`;
  if (key) headers['Idempotency-Key'] = key;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  let response: Response;
  try {
    response = await fetch(`/api/v1${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers,
      credentials: 'same-origin',
      cache: 'no-store',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new Problem(0, 'OFFLINE');
  }
  const text = await response.text();
  const data = parse(text);
  if (!response.ok) throw problem(response.status, data);
  return data as T;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function problem(status: number, data: unknown): Problem {
  const body = (data ?? {}) as {
    reason?: string;
    code?: string;
    facts?: Record<string, unknown>;
    game?: string;
  };
  const facts = body.facts ?? {};
  const game = body.game ?? (typeof facts['game'] === 'string' ? facts['game'] : null);
  return new Problem(status, body.reason ?? body.code?.toUpperCase() ?? `HTTP_${status}`, facts, game);
}

/** One key per intention, kept through reloads until it succeeds: a lost answer leaves no ghost. */
async function once<T>(name: string, body: unknown, go: (key: string) => Promise<T>): Promise<T> {
  const slot = `varv.once.${name}`;
  const text = JSON.stringify(body);
  const before = tab.get<{ text: string; key: string }>(slot);
  const key = before?.text === text ? before.key : randomId();
  tab.set(slot, { text, key });
  try {
    const answer = await go(key);
    tab.set(slot, null);
    return answer;
  } catch (error) {
    // A refusal is an answer too; only a lost one may be asked for again with the same key.
    if (error instanceof Problem && error.status > 0 && error.status < 500) tab.set(slot, null);
    throw error;
  }
}

export interface NewGame {
  edition: Edition;
  mix: string;
  name: string;
  language: string;
  options: { audio: AudioMode; guess_seconds: number | null };
}

/** The card of a game, asked for while the page that shows it is on its way. */
let early: { code: string; card: Promise<LobbyCard> } | null = null;

export const api = {
  mixes: async (): Promise<Mix[]> => (await call<{ mixes: Mix[] }>('/mixes')).mixes,
  owner: (): Promise<Owner> => call('/owner'),
  game: (code: string): Promise<LobbyCard> => {
    const card = early?.code === code ? early.card : call<LobbyCard>(`/games/${code}`);
    early = null;
    return card;
  },
  ahead: (code: string): void => {
    early = { code, card: call<LobbyCard>(`/games/${code}`) };
    early.card.catch(() => {});
  },
  create: (game: NewGame): Promise<Created> =>
    once('create', game, (key) => call('/games', { body: game, key })),
  join: (code: string, name: string): Promise<Seated> =>
    once('join', { code, name }, (key) => call(`/games/${code}/players`, { body: { name }, key })),
  rejoin: (code: string, ticket: string): Promise<Seated> =>
    once('rejoin', { code, ticket }, (key) => call(`/games/${code}/rejoin`, { body: { ticket }, key })),
  rejoinLink: (code: string, player: string, token?: string): Promise<RejoinLink> =>
    call(`/games/${code}/players/${player}/rejoin-link`, { method: 'POST', token }),
  command: (code: string, token: string, command: Command): Promise<{ version: number }> =>
    call(`/games/${code}/commands`, { token, body: { id: randomId(), command } }),
  bots: (code: string, token: string, count: number): Promise<unknown> =>
    call(`/games/${code}/bots`, { token, body: { count } }),
  again: (code: string, token: string): Promise<Omit<Created, 'owner_token'>> =>
    call(`/games/${code}/again`, { method: 'POST', token }),
  flag: (code: string, token: string, round: number, note: string): Promise<unknown> =>
    call(`/games/${code}/flags`, { token, body: note ? { round, note } : { round } }),
  history: (code: string, token: string): Promise<History> =>
    call(`/games/${code}/history`, { token }),
  screen: (code: string, token: string): Promise<ScreenLink> =>
    call(`/games/${code}/screens`, { method: 'POST', token }),
  qr: (code: string): string => `/api/v1/games/${code}/qr.svg`,
};
