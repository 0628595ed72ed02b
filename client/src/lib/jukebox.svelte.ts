/** Ties the sound to the game: who plays, when it starts by itself, and telling the others. */

import { app } from './app.svelte';
import { Sound } from './audio';
import type { Game } from './game.svelte';
import { t } from './i18n/index.svelte';

export class Jukebox {
  sounding = $state(false);
  /** The browser wants a tap before it lets sound out. */
  blocked = $state(false);
  readonly sound = new Sound((playing) => this.#changed(playing));
  #song = '';
  #loaded = false;
  #channel: BroadcastChannel | null = null;

  constructor(private readonly game: Game, private readonly screen = false) {
    if (typeof BroadcastChannel === 'undefined') return;
    // Two tabs of one seat: the one that starts last plays, the other falls silent.
    this.#channel = new BroadcastChannel(`varv.sound.${game.code}`);
    this.#channel.onmessage = () => this.sound.pause();
  }

  get url(): string | null {
    return (this.screen ? this.game.screenAudio : this.game.viewer?.audio)?.url ?? null;
  }

  /** The sound comes out of this device. */
  get here(): boolean {
    return this.url !== null || this.sound.url !== null;
  }

  get playing(): boolean {
    return this.here ? this.sounding : this.game.playing;
  }

  /** The play button belongs on this screen. */
  get mine(): boolean {
    return (this.game.viewer?.plays_audio ?? false) || (this.here && this.sounding);
  }

  /** After every state: a new song stops the old one, and starts by itself where it may. */
  follow(): void {
    const { round, before } = this.game;
    const song = round ? `${round.number}.${round.performance ?? 0}` : '';
    const changed = song !== this.#song;
    if (changed) {
      this.#song = song;
      this.#loaded = false;
      this.blocked = false;
      this.sound.stop();
      this.sounding = false;
    }
    const fresh = changed && before !== null && round?.state === 'GUESSING';
    if (this.url && !this.#loaded && !this.sounding) {
      this.#loaded = true;
      this.sound.load(this.url);
      // Not asked whether it is unlocked: the tap that started the round may still be unlocking it.
      if (this.screen ? this.game.playing : fresh) void this.play();
    } else if (fresh && !this.url && this.game.viewer?.plays_audio) {
      this.game.tell('play');
    }
  }

  /** A paired screen does as it is told. */
  obey(playing: boolean): void {
    if (!this.screen || !this.url) return;
    if (playing) void this.play();
    else this.sound.pause();
  }

  toggle(): void {
    if (!this.here) return this.game.tell(this.game.playing ? 'stop' : 'play');
    if (this.sounding) this.sound.pause();
    else void this.play();
  }

  async play(): Promise<void> {
    const url = this.sound.url;
    const result = await this.sound.play(t.lap(this.game.snapshot?.cycle?.number ?? 1));
    // The round went on while it loaded: nobody misses that song.
    if (url !== this.sound.url) return;
    this.blocked = result === 'blocked';
    if (result === 'failed') app.toast(t.soundBroken);
    if (result === 'playing') this.#channel?.postMessage('mine');
  }

  /** Inside a tap: phones let an element play later only if it has played in one before. */
  unlock(): void {
    if (!this.sound.unlocked && this.sound.url === null) void this.sound.hush();
  }

  #changed(playing: boolean): void {
    if (playing === this.sounding) return;
    this.sounding = playing;
    const apart = this.game.snapshot?.options.audio === 'everyone' && !this.game.viewer?.is_host;
    if (!this.screen && !apart && this.game.viewer?.plays_audio) this.game.tell(playing ? 'play' : 'stop');
  }

  close(): void {
    this.sound.stop();
    this.#channel?.close();
  }
}
