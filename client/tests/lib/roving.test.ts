import { describe, expect, it } from 'vitest';
import { PAIRS, rove } from '../../src/lib/roving';

/** Five radios, the first one focused; which one is focused after each key. */
function walk(keys: string[], steps?: Parameters<typeof rove>[1]): number[] {
  document.body.innerHTML = `<div>${'<button role="radio"></button>'.repeat(5)}</div>`;
  const group = document.body.firstElementChild as HTMLElement;
  const radios = [...group.querySelectorAll('button')];
  group.addEventListener('keydown', (event) => rove(event, steps));
  radios[0]?.focus();
  return keys.map((key) => {
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    return radios.indexOf(document.activeElement as HTMLButtonElement);
  });
}

describe('arrow keys in a radio group', () => {
  it('move one on, and come round again', () => {
    expect(walk(['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'ArrowUp', 'ArrowRight'])).toEqual([1, 2, 1, 0, 4, 0]);
  });

  it('move by rows where two stand side by side', () => {
    expect(walk(['ArrowDown', 'ArrowRight', 'ArrowUp', 'ArrowUp'], PAIRS)).toEqual([2, 3, 1, 4]);
  });

  it('leave other keys alone', () => {
    expect(walk(['a', 'Tab', 'Home'])).toEqual([0, 0, 0]);
  });
});
