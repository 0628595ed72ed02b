/** Seats on this device: a seat belongs to a token, never to a name, and is found again by its code. */

import { kept } from './storage';

export interface Seat {
  code: string;
  player: string;
  token: string;
  name: string;
  at: number;
}

const KEY = 'varv.seats';
const MOST = 12;

function all(): Seat[] {
  const seats = kept.get<Seat[]>(KEY);
  return Array.isArray(seats) ? seats.filter((s) => s && s.code && s.token) : [];
}

export function seatIn(code: string): Seat | null {
  return all().find((seat) => seat.code === code) ?? null;
}

/** Newest first. */
export function seats(): Seat[] {
  return all().sort((a, b) => b.at - a.at);
}

export function takeSeat(seat: Omit<Seat, 'at'>): Seat {
  const taken = { ...seat, at: Date.now() };
  const others = seats().filter((s) => s.code !== seat.code);
  kept.set(KEY, [taken, ...others].slice(0, MOST));
  return taken;
}

/** The name that the server gave ("Anna 2"), for the list of seats. */
export function nameSeat(code: string, name: string): void {
  const seat = seatIn(code);
  if (seat && seat.name !== name) kept.set(KEY, all().map((s) => (s.code === code ? { ...s, name } : s)));
}

export function leaveSeat(code: string): void {
  kept.set(
    KEY,
    all().filter((seat) => seat.code !== code),
  );
}

/** A code as people type it: any case, with spaces; look-alikes are not in the alphabet. */
export function cleanCode(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, '').slice(0, 6);
}

/** How much room a code needs in the display face, in em, with the space between its letters: M and W are wide. */
export function codeEms(code: string): number {
  const wide: Record<string, number> = { M: 0.86, W: 0.88, N: 0.64 };
  return [...code].reduce((sum, letter) => sum + (wide[letter] ?? 0.55), 0);
}

/** The ticket that follows # in a link: `#rejoin=…`, `#ticket=…` or the ticket alone. */
export function ticketIn(link: string): string | null {
  const hash = link.split('#')[1];
  if (!hash) return null;
  const match = /^(?:rejoin|ticket)=(.+)$/.exec(hash);
  const ticket = match?.[1] ?? hash;
  try {
    return decodeURIComponent(ticket);
  } catch {
    return ticket; // mangled on its way: the server says that it does not know it
  }
}

export const rememberedName = (): string => kept.get<string>('varv.name') ?? '';
export const rememberName = (name: string): void => kept.set('varv.name', name);
