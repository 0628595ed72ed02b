/** Web storage that may be full, forbidden or absent (private windows, embedded browsers). */

function read(area: () => Storage, key: string): string | null {
  try {
    return area().getItem(key);
  } catch {
    return null;
  }
}

function write(area: () => Storage, key: string, value: string | null): void {
  try {
    if (value === null) area().removeItem(key);
    else area().setItem(key, value);
  } catch {
    // Nothing to do: the game goes on, it only remembers less.
  }
}

export interface Shelf {
  get<T>(key: string): T | null;
  set(key: string, value: unknown): void;
}

function shelf(area: () => Storage): Shelf {
  return {
    get<T>(key: string): T | null {
      const text = read(area, key);
      if (text === null) return null;
      try {
        return JSON.parse(text) as T;
      } catch {
        return null;
      }
    },
    set(key, value) {
      write(area, key, value === null || value === undefined ? null : JSON.stringify(value));
    },
  };
}

/** Kept on this device. */
export const kept = shelf(() => localStorage);
/** Kept for this tab, through a reload. */
export const tab = shelf(() => sessionStorage);
