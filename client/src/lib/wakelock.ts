/** Keeps the screen awake: the Wake Lock API, or on plain HTTP a muted looping video. */

import still from '../assets/still.mp4';

interface Sentinel {
  release(): Promise<void>;
  addEventListener(name: 'release', fn: () => void): void;
}
type Locking = { wakeLock?: { request(kind: 'screen'): Promise<Sentinel> } };

export class WakeLock {
  #sentinel: Sentinel | null = null;
  #video: HTMLVideoElement | null = null;
  #wanted = false;
  readonly #again = () => {
    if (document.visibilityState === 'visible') void this.#take();
  };

  on(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    document.addEventListener('visibilitychange', this.#again);
    document.addEventListener('pointerdown', this.#again);
    void this.#take();
  }

  off(): void {
    this.#wanted = false;
    document.removeEventListener('visibilitychange', this.#again);
    document.removeEventListener('pointerdown', this.#again);
    void this.#sentinel?.release().catch(() => {});
    this.#sentinel = null;
    this.#video?.remove();
    this.#video = null;
  }

  async #take(): Promise<void> {
    if (!this.#wanted || this.#sentinel) return;
    const { wakeLock } = navigator as Locking;
    if (!wakeLock) return this.#roll();
    try {
      const sentinel = await wakeLock.request('screen');
      sentinel.addEventListener('release', () => (this.#sentinel = null));
      this.#sentinel = sentinel;
    } catch {
      // Refused (low battery, hidden): the next touch asks again.
    }
  }

  #roll(): void {
    if (!this.#video) {
      const video = document.createElement('video');
      video.muted = true;
      video.loop = true;
      video.playsInline = true;
      video.setAttribute('aria-hidden', 'true');
      video.className = 'keep-awake';
      video.tabIndex = -1;
      video.src = still;
      document.body.append(video);
      this.#video = video;
    }
    if (this.#video.paused) void this.#video.play().catch(() => {});
  }
}
