import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Game } from '../../src/lib/game.svelte';
import { Staging } from '../../src/lib/staging.svelte';

/** A game in this round and state, as it was before and is now. */
const game = (state: string, before: string | null = 'LOCKED', number = 3) =>
  ({ round: { number, state }, before: before && { round: { number: 3, state: before } } }) as unknown as Game;
const stages = ['year', 'names', 'rows', 'verdict'] as const;
const reached = (staging: Staging) => stages.filter((stage) => staging.reached(stage));

let still = false;
beforeEach(() => {
  still = false;
  vi.useFakeTimers();
  vi.stubGlobal('matchMedia', () => ({ matches: still }));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('a reveal', () => {
  it('that was watched comes in stages', () => {
    const staging = new Staging();
    staging.follow(game('REVEALED'));
    expect([staging.live, reached(staging)]).toEqual([true, ['year']]);
    vi.advanceTimersByTime(1500);
    expect(reached(staging)).toEqual(['year', 'names']);
    vi.advanceTimersByTime(1300);
    expect(reached(staging)).toEqual(['year', 'names', 'rows']);
    vi.advanceTimersByTime(1100);
    expect(reached(staging)).toEqual([...stages]);
  });

  it('can be skipped', () => {
    const staging = new Staging();
    staging.follow(game('REVEALED'));
    staging.skip();
    expect(reached(staging)).toEqual([...stages]);
    vi.advanceTimersByTime(5000);
    expect(reached(staging)).toEqual([...stages]);
  });

  it('that one comes back to is all there', () => {
    const staging = new Staging();
    staging.follow(game('REVEALED', null));
    expect([staging.live, reached(staging)]).toEqual([false, [...stages]]);
  });

  it('without motion has the answer at once, the table a frame later, and then the Oracle', () => {
    still = true;
    const staging = new Staging();
    staging.follow(game('REVEALED'));
    expect([staging.live, reached(staging)]).toEqual([false, ['year', 'names']]);
    vi.advanceTimersToNextFrame();
    expect(reached(staging)).toEqual(['year', 'names', 'rows']);
    vi.advanceTimersToNextFrame();
    expect([staging.live, reached(staging)]).toEqual([false, [...stages]]);
  });

  it('of dj begins its second half where the first ended', () => {
    const staging = new Staging();
    staging.follow(game('REVEALED_TIMELINE'));
    vi.advanceTimersByTime(5000);
    expect(reached(staging)).toEqual([...stages]);
    staging.follow(game('REVEALED_FULL', 'REVEALED_TIMELINE'));
    expect(reached(staging)).toEqual(['year', 'names']);
  });

  it('is not begun again by a state that changes something else, nor goes on when it is left', () => {
    const staging = new Staging();
    staging.follow(game('REVEALED'));
    vi.advanceTimersByTime(1500);
    staging.follow(game('REVEALED', 'REVEALED'));
    expect(reached(staging)).toEqual(['year', 'names']);
    staging.stop();
    vi.advanceTimersByTime(5000);
    expect(reached(staging)).toEqual(['year', 'names']);
  });
});
