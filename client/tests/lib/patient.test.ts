import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { patiently } from '../../src/lib/patient';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const failing = (times: number) => {
  let left = times;
  return vi.fn(async () => {
    if (left-- > 0) throw new TypeError('Failed to fetch dynamically imported module');
    return 'there';
  });
};

it('asks again every second until it is there, and says that it waits', async () => {
  const load = failing(2);
  const waiting = vi.fn();
  const got = patiently(load, waiting);
  await vi.advanceTimersByTimeAsync(2100);
  expect(await got).toBe('there');
  expect(load).toHaveBeenCalledTimes(3);
  expect(waiting).toHaveBeenCalledTimes(2);
});

it('asks at once when the line is back', async () => {
  const load = failing(1);
  const got = patiently(load);
  await vi.advanceTimersByTimeAsync(10);
  window.dispatchEvent(new Event('online'));
  await vi.advanceTimersByTimeAsync(0);
  expect(load).toHaveBeenCalledTimes(2);
  expect(await got).toBe('there');
});

it('asks again for a style that did not come, and waits for it', async () => {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = '/gone.css';
  Object.defineProperty(link, 'sheet', { value: null });
  document.head.append(link);
  const load = failing(1);
  const got = patiently(load);
  await vi.advanceTimersByTimeAsync(1100);
  const another = document.querySelector<HTMLLinkElement>('link[href="/gone.css"]');
  expect(another).not.toBe(link);
  expect(load).toHaveBeenCalledTimes(1);
  another?.dispatchEvent(new Event('load'));
  expect(await got).toBe('there');
  expect(load).toHaveBeenCalledTimes(2);
});
