/** Geometry of the record's rim and of seats around it. */

import type { Cycle } from './protocol';

export interface Arc {
  player: string;
  kind: 'done' | 'now' | 'to-come';
  d: string;
}

const CENTRE = 120;
const RADIUS = 115;

function point(angle: number): string {
  const x = CENTRE + RADIUS * Math.sin(angle);
  const y = CENTRE - RADIUS * Math.cos(angle);
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}

/** One notch per player, clockwise from the top, in the order of the rotation. */
export function lapArcs(cycle: Cycle, leader: string | null): Arc[] {
  const n = cycle.rotation.length;
  const gap = n > 1 ? 0.0435 : 0;
  return cycle.rotation.map((player, i) => {
    const from = (2 * Math.PI * i) / n + gap;
    const to = (2 * Math.PI * (i + 1)) / n - gap;
    const large = to - from > Math.PI ? 1 : 0;
    const kind = cycle.completed.includes(player) ? 'done' : player === leader ? 'now' : 'to-come';
    return { player, kind, d: `M${point(from)}A${RADIUS} ${RADIUS} 0 ${large} 1 ${point(to)}` };
  });
}

/** Where seat `i` of `n` sits on a circle, as fractions of its square; `up` in the upper half. */
export function seatAt(i: number, n: number): { left: number; top: number; up: boolean } {
  const angle = (2 * Math.PI * (i + 0.5)) / n;
  const top = 0.5 - 0.5 * Math.cos(angle);
  return { left: 0.5 + 0.5 * Math.sin(angle), top, up: top < 0.35 };
}
