/** Dragging a card to a gap. A bonus: taps and keys do the same. */

import { nearest } from './gaps';
import { buzz } from './haptics';

const THRESHOLD = 7;
const REACH = 110;
const EDGE = 56;

export class Drag {
  active = $state(false);
  x = $state(0);
  y = $state(0);
  over = $state<number | null>(null);

  #crate: () => HTMLElement | undefined;
  #drop: (position: number) => void;
  #origin: { x: number; y: number; id: number; node: HTMLElement } | null = null;
  #frame = 0;
  #just = false;

  constructor(crate: () => HTMLElement | undefined, drop: (position: number) => void) {
    this.#crate = crate;
    this.#drop = drop;
  }

  readonly down = (event: PointerEvent): void => {
    if (event.button !== 0 || this.#origin) return;
    const node = event.currentTarget as HTMLElement;
    this.#origin = { x: event.clientX, y: event.clientY, id: event.pointerId, node };
    node.setPointerCapture?.(event.pointerId);
    node.addEventListener('pointermove', this.#move);
    node.addEventListener('pointerup', this.#up);
    node.addEventListener('pointercancel', this.#cancel);
  };

  /** A click that ends a drag is not a tap. */
  readonly swallowed = (): boolean => {
    const just = this.#just;
    this.#just = false;
    return just;
  };

  #move = (event: PointerEvent): void => {
    if (!this.#origin || event.pointerId !== this.#origin.id) return;
    this.x = event.clientX;
    this.y = event.clientY;
    const far = Math.hypot(this.x - this.#origin.x, this.y - this.#origin.y) > THRESHOLD;
    if (!this.active && far) {
      this.active = true;
      buzz('tap');
      this.#frame = requestAnimationFrame(this.#scroll);
    }
    if (this.active) {
      event.preventDefault();
      this.#aim();
    }
  };

  #up = (event: PointerEvent): void => {
    if (event.pointerId !== this.#origin?.id) return;
    const { active, over } = this;
    this.#end();
    if (!active) return;
    this.#just = true;
    setTimeout(() => (this.#just = false), 50);
    if (over !== null) {
      buzz('land');
      this.#drop(over);
    }
  };

  #cancel = (): void => this.#end();

  #end(): void {
    const node = this.#origin?.node;
    node?.removeEventListener('pointermove', this.#move);
    node?.removeEventListener('pointerup', this.#up);
    node?.removeEventListener('pointercancel', this.#cancel);
    cancelAnimationFrame(this.#frame);
    this.#origin = null;
    this.active = false;
    this.over = null;
  }

  #aim(): void {
    const crate = this.#crate();
    if (!crate) return;
    const box = crate.getBoundingClientRect();
    if (this.y < box.top - REACH || this.y > box.bottom + REACH) {
      this.over = null;
      return;
    }
    const gaps = Array.from(crate.querySelectorAll<HTMLElement>('[data-gap]'));
    const middles = gaps.map((gap) => {
      const r = gap.getBoundingClientRect();
      return r.left + r.width / 2;
    });
    const at = gaps[nearest(middles, this.x)];
    this.over = at ? Number(at.dataset['gap']) : null;
  }

  /** Near an edge the crate moves by itself. */
  #scroll = (): void => {
    const crate = this.#crate();
    if (!crate || !this.active) return;
    const box = crate.getBoundingClientRect();
    const left = box.left + EDGE - this.x;
    const right = this.x - (box.right - EDGE);
    const pull = left > 0 ? -left : right > 0 ? right : 0;
    if (pull) {
      crate.scrollLeft += Math.sign(pull) * Math.min(14, Math.abs(pull) / 3);
      this.#aim();
    }
    this.#frame = requestAnimationFrame(this.#scroll);
  };
}
