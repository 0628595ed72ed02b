/** One seat's visit to a game: the game, its sound, and which sheet is open. */

import { getContext, setContext } from 'svelte';
import type { Game } from './game.svelte';
import type { Jukebox } from './jukebox.svelte';
import type { Part } from './protocol';
import { tab } from './storage';

export type Dialog =
  | { kind: 'menu' | 'code' | 'flag' | 'people' | 'links' | 'screen' | 'bots' | 'settings' | 'about' }
  | { kind: 'finish' | 'abort' | 'change' | 'lock' }
  | { kind: 'player' | 'remove'; id: string }
  | { kind: 'joker'; part: Part };

export class Room {
  dialog = $state.raw<Dialog | null>(null);
  #seen = $state<number | null>(null);

  constructor(
    readonly game: Game,
    readonly box: Jukebox,
  ) {
    this.#seen = tab.get(`varv.seen.${game.code}`);
  }

  /** The revealed round that this person has left behind, also after a reload. */
  get seen(): number | null {
    return this.#seen;
  }

  set seen(round: number | null) {
    this.#seen = round;
    tab.set(`varv.seen.${this.game.code}`, round);
  }

  readonly open = (dialog: Dialog): void => {
    this.dialog = dialog;
  };

  readonly close = (): void => {
    this.dialog = null;
  };
}

const KEY = Symbol('room');
export const provideRoom = (room: Room): Room => setContext(KEY, room);
export const useRoom = (): Room => getContext<Room>(KEY);
