/** Commands on their way: numbered once, kept until answered, re-sent with the same id. */

import { randomId } from './ids';
import type { Command } from './protocol';
import type { Shelf } from './storage';

export interface Pending {
  id: string;
  command: Command;
}

export class Outbox {
  #items: Pending[];

  constructor(
    private readonly key: string,
    private readonly shelf: Shelf,
    private readonly changed: (items: readonly Pending[]) => void = () => {},
  ) {
    const stored = shelf.get<Pending[]>(key);
    this.#items = Array.isArray(stored) ? stored : [];
  }

  get items(): readonly Pending[] {
    return this.#items;
  }

  add(command: Command): Pending {
    const pending = { id: `c-${randomId()}`, command };
    this.#set([...this.#items, pending]);
    return pending;
  }

  /** Acknowledged or refused: either way it is over. */
  settle(id: string): Pending | null {
    const found = this.#items.find((item) => item.id === id) ?? null;
    if (found) this.#set(this.#items.filter((item) => item.id !== id));
    return found;
  }

  #set(items: Pending[]): void {
    this.#items = items;
    this.shelf.set(this.key, items.length ? items : null);
    this.changed(items);
  }
}
