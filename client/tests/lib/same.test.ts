import { describe, expect, it } from 'vitest';
import { keepSame } from '../../src/lib/same';

describe('what has not changed', () => {
  const before = { a: [{ x: 1 }, { x: 2 }], b: { c: null }, d: 'e' };
  const copy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

  it('stays the same object, whole', () => expect(keepSame(before, copy(before))).toBe(before));

  it('stays the same object, part by part', () => {
    const after = keepSame(before, { ...copy(before), d: 'f' });
    expect(after).not.toBe(before);
    expect(after.a).toBe(before.a);
    expect(after.d).toBe('f');
  });

  it('is told from what has grown, shrunk or changed its kind', () => {
    expect(keepSame(before.a, [...copy(before.a), { x: 3 }])).toHaveLength(3);
    expect(keepSame(before.a, copy(before.a).slice(0, 1))).toEqual([{ x: 1 }]);
    expect(keepSame({ a: 1, b: 2 } as object, { a: 1 })).toEqual({ a: 1 });
    expect(keepSame({ a: undefined, b: 1 } as object, { b: 1, c: 2 })).toEqual({ b: 1, c: 2 });
    expect(keepSame({ 0: 'a' } as object, ['a'])).toEqual(['a']);
    expect(keepSame(null, { a: 1 })).toEqual({ a: 1 });
    expect(keepSame({ a: 1 }, null)).toBeNull();
  });
});
