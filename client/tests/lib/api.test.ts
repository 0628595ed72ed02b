import { afterEach, expect, it, vi } from 'vitest';
import { api, Problem } from '../../src/lib/api';

const card = { code: 'K7QX', edition: 'dj', state: 'LOBBY', players: 1, max_players: 10, joinable: true };
const answer = (body: unknown, status = 200) => vi.fn(async () => new Response(JSON.stringify(body), { status }));
afterEach(() => vi.unstubAllGlobals());

it('a card asked for ahead is used once, and only for its game', async () => {
  const fetched = answer(card);
  vi.stubGlobal('fetch', fetched);
  api.ahead('K7QX');
  expect(await api.game('K7QX')).toEqual(card);
  expect(fetched).toHaveBeenCalledTimes(1);
  await api.game('K7QX');
  expect(fetched).toHaveBeenCalledTimes(2);
  api.ahead('K7QX');
  await api.game('M2PT');
  expect(fetched).toHaveBeenLastCalledWith('/api/v1/games/M2PT', expect.anything());
});

it('a card asked for ahead that does not come is said when it is wanted, not before', async () => {
  vi.stubGlobal('fetch', answer({ reason: 'GAME_UNKNOWN', code: 'not_found' }, 404));
  api.ahead('ZZZZ');
  await new Promise((done) => setTimeout(done));
  const refused = api.game('ZZZZ');
  await expect(refused).rejects.toBeInstanceOf(Problem);
  await expect(refused).rejects.toMatchObject({ status: 404, reason: 'GAME_UNKNOWN' });
});

it('a rejoin whose answer was lost is asked for again with the same key', async () => {
  const lost = vi.fn(async () => Promise.reject(new TypeError('offline')));
  vi.stubGlobal('fetch', lost);
  await expect(api.rejoin('K7QX', 'once')).rejects.toMatchObject({ reason: 'OFFLINE' });
  const found = answer({ player: 'p2', token: 's' });
  vi.stubGlobal('fetch', found);
  expect(await api.rejoin('K7QX', 'once')).toEqual({ player: 'p2', token: 's' });
  const key = (call: unknown[]) => (call[1] as { headers: Record<string, string> }).headers['Idempotency-Key'];
  const keys = [...lost.mock.calls, ...found.mock.calls].map(key);
  expect(keys[0]).toBeTruthy();
  expect(keys[1]).toBe(keys[0]);
});
