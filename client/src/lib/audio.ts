/**
 * The sound. One element for the whole visit: phones let an element play later only if it has
 * played inside a tap once. Nothing that a lock screen can show tells the song.
 */

import chime from '../assets/chime.wav';
import silence from '../assets/silence.wav';

export type PlayResult = 'playing' | 'blocked' | 'failed';

type AudioSession = { type: string };

export class Sound {
  #element: HTMLAudioElement | null = null;
  #url: string | null = null;
  unlocked = false;

  constructor(private readonly changed: (playing: boolean) => void = () => {}) {}

  get playing(): boolean {
    return !!this.#element && !this.#element.paused && this.#url !== null;
  }

  get url(): string | null {
    return this.#url;
  }

  #get(): HTMLAudioElement {
    if (this.#element) return this.#element;
    const element = new Audio();
    element.preload = 'auto';
    element.addEventListener('playing', () => this.changed(this.playing));
    element.addEventListener('pause', () => this.changed(false));
    element.addEventListener('ended', () => this.changed(false));
    this.#element = element;
    return element;
  }

  /** Must run inside a tap, before anything is awaited. */
  test(): Promise<PlayResult> {
    this.#prepare();
    this.#url = null;
    const element = this.#get();
    element.src = chime;
    return this.#play(element);
  }

  /** Unlock without a sound, also inside a tap. */
  hush(): Promise<PlayResult> {
    const element = this.#get();
    if (this.#url === null) {
      element.src = silence;
      return this.#play(element);
    }
    // A song is loaded: its element needs the touch only, and must not be given silence to play.
    const touched = this.#play(element);
    element.pause();
    return touched;
  }

  load(url: string): void {
    if (this.#url === url) return;
    this.stop();
    this.#url = url;
    const element = this.#get();
    element.src = url;
    element.load();
  }

  play(title: string): Promise<PlayResult> {
    this.#prepare();
    this.#name(title);
    return this.#play(this.#get());
  }

  pause(): void {
    this.#element?.pause();
  }

  /** Silence, and forget the song. */
  stop(): void {
    if (!this.#element) return;
    this.#element.pause();
    this.#element.removeAttribute('src');
    this.#element.load();
    this.#url = null;
  }

  async #play(element: HTMLAudioElement): Promise<PlayResult> {
    try {
      await element.play();
      this.unlocked = true;
      return 'playing';
    } catch (error) {
      const name = error instanceof Error ? error.name : '';
      // Another song was put on meanwhile: it was allowed, and that is what counts.
      if (name === 'AbortError') {
        this.unlocked = true;
        return 'playing';
      }
      return name === 'NotAllowedError' ? 'blocked' : 'failed';
    }
  }

  /** Through iOS' mute switch. */
  #prepare(): void {
    const session = (navigator as { audioSession?: AudioSession }).audioSession;
    if (session) session.type = 'playback';
  }

  #name(title: string): void {
    if (!('mediaSession' in navigator) || typeof MediaMetadata === 'undefined') return;
    navigator.mediaSession.metadata = new MediaMetadata({ title, artist: 'Varv', album: '' });
  }
}
