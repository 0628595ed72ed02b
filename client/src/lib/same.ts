/**
 * What has not changed stays the same object, so that only what has changed is drawn again. `next`
 * comes fresh from JSON and is used up.
 */
export function keepSame<T>(prev: unknown, next: T): T {
  if (prev === next || typeof prev !== 'object' || typeof next !== 'object' || !prev || !next) return next;
  if (Array.isArray(prev) !== Array.isArray(next)) return next;
  const before = prev as Record<string, unknown>;
  const after = next as Record<string, unknown>;
  const keys = Object.keys(after);
  let same = keys.length === Object.keys(before).length;
  for (const key of keys) {
    after[key] = keepSame(before[key], after[key]);
    if (after[key] !== before[key] || !(key in before)) same = false;
  }
  return same ? (prev as T) : next;
}
