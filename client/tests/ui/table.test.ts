import { flushSync, mount, unmount, type Component, type ComponentProps } from 'svelte';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { language } from '../../src/lib/i18n/index.svelte';
import Act from '../../src/ui/Act.svelte';
import Card from '../../src/ui/Card.svelte';
import Options from '../../src/ui/Options.svelte';
import Timeline from '../../src/ui/Timeline.svelte';
import Years from '../../src/ui/Years.svelte';
import { player, TITLE_OPTIONS } from '../fixtures/build';

beforeAll(async () => {
  await language.use('sv');
  Element.prototype.animate ??= () => ({ cancel() {}, finished: Promise.resolve() }) as unknown as Animation;
});

let shown: Record<string, unknown> | null = null;
afterEach(() => {
  if (shown) void unmount(shown);
  document.body.innerHTML = '';
});

function show<C extends Component<any, any>>(part: C, props: ComponentProps<C>): HTMLElement {
  shown = mount(part as Component<Record<string, unknown>>, { target: document.body, props }) as Record<string, unknown>;
  flushSync();
  return document.body;
}
const all = (query: string) => Array.from(document.querySelectorAll<HTMLElement>(query));
const press = (node: HTMLElement | undefined, key: string) => {
  node?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
  flushSync();
};
const cards = player(0, 'oracle').timeline;

describe('the timeline', () => {
  it('has a gap before, between and after the cards, each with its name', () => {
    show(Timeline, { cards, mode: 'open', label: 'x' });
    const gaps = all('button.gap');
    expect(gaps).toHaveLength(cards.length + 1);
    expect(gaps[0]?.getAttribute('aria-label')).toBe('Lägg här: Före 1967');
    expect(gaps.at(-1)?.getAttribute('aria-label')).toBe('Lägg här: Efter 2010');
  });

  it('places on a tap', () => {
    const place = vi.fn();
    show(Timeline, { cards, mode: 'open', label: 'x', place });
    all('button.gap')[3]?.click();
    expect(place).toHaveBeenCalledWith(3);
  });

  it('moves the placed card with the arrow keys, and stops at the ends', () => {
    const place = vi.fn();
    show(Timeline, { cards, mode: 'open', label: 'x', position: 0, place });
    const card = all('.card--new')[0];
    press(card, 'ArrowLeft');
    expect(place).not.toHaveBeenCalled();
    press(card, 'ArrowRight');
    expect(place).toHaveBeenCalledWith(1);
  });

  it('walks between the gaps with the arrow keys', () => {
    show(Timeline, { cards, mode: 'open', label: 'x' });
    all('button.gap')[2]?.focus();
    press(all('button.gap')[2], 'ArrowRight');
    expect((document.activeElement as HTMLElement).dataset['gap']).toBe('3');
  });

  it('offers nothing once the card lies fast', () => {
    const place = vi.fn();
    show(Timeline, { cards, mode: 'final', label: 'x', position: 2, place });
    // The gaps keep their places, out of sight: only an open crate shows them.
    expect(all('.crate--open')).toHaveLength(0);
    expect(all('button:not(.gap)')).toHaveLength(0);
    for (const gap of all('button.gap')) (gap as HTMLElement).click();
    expect(place).not.toHaveBeenCalled();
    expect(document.body.textContent).toContain('Ligger fast');
  });

  it('grows its gaps to card size around a single card', () => {
    show(Timeline, { cards: cards.slice(0, 1), mode: 'open', label: 'x' });
    expect(all('.gap--wide').map((g) => g.textContent?.trim())).toEqual(['Före 1967', 'Efter 1967']);
  });
});

describe('options', () => {
  it('are one radio group with one stop for the tabulator', () => {
    show(Options, { options: TITLE_OPTIONS, chosen: 't2', label: 'Titel', choose: () => {} });
    const radios = all('[role="radio"]');
    expect(radios).toHaveLength(10);
    expect(radios.filter((r) => r.tabIndex === 0).map((r) => r.textContent?.trim())).toEqual(['Joyride']);
    expect(radios.filter((r) => r.getAttribute('aria-checked') === 'true')).toHaveLength(1);
  });

  it('are chosen by a tap, walked with arrows, and left alone when closed', () => {
    const choose = vi.fn();
    show(Options, { options: TITLE_OPTIONS, chosen: null, label: 'Titel', choose });
    const radios = all('[role="radio"]');
    press(radios[0], 'ArrowDown');
    expect(document.activeElement).toBe(radios[2]);
    expect(choose).not.toHaveBeenCalled();
    radios[4]?.click();
    expect(choose).toHaveBeenCalledWith('t4');
  });
});

describe('the action', () => {
  it('does nothing while it is blocked, and says why', () => {
    const act = vi.fn();
    show(Act, { text: 'Lås', why: 'Tippa först.', act });
    const button = all('button')[0];
    button?.click();
    expect(act).not.toHaveBeenCalled();
    expect(button?.getAttribute('aria-disabled')).toBe('true');
    expect(document.getElementById(button?.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Tippa först.');
  });

  it('does nothing twice while it is on its way', () => {
    const act = vi.fn();
    show(Act, { text: 'Lås', sending: true, act });
    all('button')[0]?.click();
    expect(act).not.toHaveBeenCalled();
  });
});

describe('cards and strip', () => {
  it('a decade is colour and label', () => {
    show(Card, { card: { kind: 'song', year: 1876, title: 'Peer Gynt', artist: 'Edvard Grieg' } });
    expect(all('.card.dold')).toHaveLength(1);
    expect(document.body.textContent).toContain('1870-tal');
  });

  it('a card whose names are hidden says so', () => {
    show(Card, { card: { kind: 'timeline', year: 1991, title: null, artist: null } });
    expect(document.body.textContent).toContain('fodralet');
  });

  it("every decade is a button, and the joker's is framed", () => {
    const asked = vi.fn();
    show(Years, { cards, position: 3, decade: { from: 1990, to: 1999 }, show: asked });
    const buttons = all('.years button');
    expect(buttons).toHaveLength(8);
    buttons[4]?.click();
    expect(asked).toHaveBeenCalledWith(1990);
    expect(all('.years__joker')).toHaveLength(1);
    expect(all('.years__here')).toHaveLength(1);
  });
});
