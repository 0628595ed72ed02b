/** The stages of a reveal, one after the other, for those who watched it happen. */

import type { Game } from './game.svelte';
import { still } from './motion';

/** year: the flood; names: title and artist; rows: who was right; verdict: the Oracle. */
const STAGES = ['year', 'names', 'rows', 'verdict'] as const;
const HOLD = { year: 1500, names: 1300, rows: 1100 } as const;

export class Staging {
  at = $state(STAGES.length - 1);
  live = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;
  #key = '';

  /** Call after every state; a new reveal that was watched starts from its beginning. */
  follow(game: Game): void {
    const { round, before } = game;
    const key = `${round?.number}.${round?.state}`;
    if (key === this.#key) return;
    this.#key = key;
    this.stop();
    const watched = before?.round?.number === round?.number && before?.round?.state !== round?.state;
    this.live = watched && !still();
    if (!this.live) {
      // Without motion the answer comes first all the same; everyone's is a frame behind, the Oracle's two.
      this.at = STAGES.length - (watched ? 3 : 1);
      this.#soon();
      return;
    }
    // The second dj reveal begins where the first ended: the year is known.
    this.at = round?.state === 'REVEALED_FULL' ? 1 : 0;
    this.#hold(round?.state === 'REVEALED_TIMELINE');
  }

  reached(stage: (typeof STAGES)[number]): boolean {
    return this.at >= STAGES.indexOf(stage);
  }

  skip(): void {
    this.stop();
    this.at = STAGES.length - 1;
  }

  stop(): void {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
  }

  #soon(): void {
    if (this.at === STAGES.length - 1) return;
    this.#frame = requestAnimationFrame(() => {
      this.at += 1;
      this.#soon();
    });
  }

  #hold(noNames: boolean): void {
    const stage = STAGES[this.at];
    if (!stage || stage === 'verdict') return;
    const wait = noNames && stage === 'names' ? 500 : HOLD[stage];
    this.#timer = setTimeout(() => {
      this.at += 1;
      this.#hold(noNames);
    }, wait);
  }
}
