/** The result as a picture, drawn here: nothing leaves the phone unless the person shares it. */

import { STAR } from '../ui/Star.svelte';
import { decadeClass } from './decades';
import { t } from './i18n/index.svelte';
import type { Snapshot } from './protocol';
import { isUncounted, places } from './view';

const WIDTH = 1080;
const EDGE = 72;
const ROW = 190;

const COLOURS: Record<string, [string, string]> = {
  d50: ['#FBDD6A', '#22142A'], d60: ['#C9331C', '#FFF6E6'], d70: ['#F2924A', '#22142A'],
  d80: ['#E8559F', '#22142A'], d90: ['#6AD6C6', '#22142A'], d00: ['#2B62CE', '#FFF6E6'],
  d10: ['#1E7F45', '#FFF6E6'], d20: ['#B391FF', '#22142A'], dold: ['#B9A88F', '#22142A'],
};
const ROOM = '#1D1221';
const TEXT = '#FBF1E0';
const QUIET = '#CFBDCB';
const HAIR = '#49364F';
const display = (size: number, weight = 800) => `${weight} ${size}px "Big Shoulders Variable", sans-serif`;
const plain = (size: number) => `500 ${size}px "Hanken Grotesk Variable", sans-serif`;

export interface Layout {
  width: number;
  height: number;
  rows: number;
}

export function layout(players: number): Layout {
  return { width: WIDTH, height: 360 + ROW * players + 60, rows: players };
}

/** How wide a spine may be so that a whole timeline fits its shelf. */
export function spineWidth(cards: number, shelf = WIDTH - 2 * EDGE - 120): number {
  return Math.max(8, Math.min(58, Math.floor(shelf / Math.max(1, cards)) - 4));
}

function fit(ctx: CanvasRenderingContext2D, text: string, width: number): string {
  if (ctx.measureText(text).width <= width) return text;
  let cut = text;
  while (cut.length > 1 && ctx.measureText(`${cut}…`).width > width) cut = cut.slice(0, -1);
  return `${cut}…`;
}

function record(ctx: CanvasRenderingContext2D, x: number, y: number, r: number): void {
  const disc = (radius: number, fill: string) => {
    ctx.beginPath();
    ctx.arc(x, y, radius, 0, 7);
    ctx.fillStyle = fill;
    ctx.fill();
  };
  disc(r, '#0D0810');
  ctx.strokeStyle = '#3A2C40';
  ctx.lineWidth = 2;
  for (let groove = 0.5; groove < 0.97; groove += 0.045) {
    ctx.beginPath();
    ctx.arc(x, y, r * groove, 0, 7);
    ctx.stroke();
  }
  disc(r * 0.42, '#F4E9D3');
  disc(r * 0.05, '#0D0810');
}

function draw(ctx: CanvasRenderingContext2D, snapshot: Snapshot, title: string): void {
  const rows = places(snapshot);
  const { height } = layout(rows.length);
  ctx.fillStyle = ROOM;
  ctx.fillRect(0, 0, WIDTH, height);
  record(ctx, WIDTH - 150, 150, 190);
  ctx.textBaseline = 'alphabetic';
  ctx.fillStyle = TEXT;
  ctx.font = display(64, 900);
  ctx.fillText('Varv', EDGE, 120);
  ctx.font = display(92);
  ctx.fillText(fit(ctx, title, WIDTH - 2 * EDGE - 40), EDGE, 240);
  ctx.fillStyle = QUIET;
  ctx.font = plain(34);
  const date = new Date().toLocaleDateString(t.locale, { day: 'numeric', month: 'long', year: 'numeric' });
  ctx.fillText(`${t.fullLaps(snapshot.counted_cycles.length)}, ${date}`, EDGE, 296);

  rows.forEach((row, i) => {
    const top = 350 + i * ROW;
    ctx.fillStyle = TEXT;
    ctx.font = display(110, 900);
    ctx.textAlign = 'center';
    ctx.fillText(String(row.place), EDGE + 40, top + 130);
    ctx.textAlign = 'left';
    ctx.font = display(48);
    ctx.fillText(fit(ctx, row.player.name, 420), EDGE + 120, top + 44);
    ctx.fillStyle = QUIET;
    ctx.font = plain(30);
    ctx.textAlign = 'right';
    ctx.fillText(`${t.cards(row.cards)}, ${t.tiebreak(snapshot.edition, row.tiebreak)}`, WIDTH - EDGE, top + 44);
    ctx.textAlign = 'left';
    spines(ctx, row.player.timeline.filter((card) => !isUncounted(card, snapshot.counted_cycles)), EDGE + 120, top + 160);
  });
}

function spines(ctx: CanvasRenderingContext2D, cards: Snapshot['players'][number]['timeline'], x: number, base: number): void {
  const width = spineWidth(cards.length);
  ctx.fillStyle = HAIR;
  ctx.fillRect(x - 8, base, WIDTH - EDGE - x + 8, 8);
  cards.forEach((card, i) => {
    const [fill, ink] = COLOURS[decadeClass(card.year)] ?? ['#B9A88F', '#22142A'];
    const high = 92 + ((card.year * 7) % 4) * 4;
    const left = x + i * (width + 4);
    ctx.fillStyle = fill;
    ctx.fillRect(left, base - high, width, high);
    if (card.kind === 'start') {
      ctx.strokeStyle = TEXT;
      ctx.lineWidth = 4;
      ctx.strokeRect(left + 2, base - high + 2, width - 4, high - 4);
    }
    if (card.star) star(ctx, left + width / 2, base - 14, Math.min(22, width), ink);
    if (width < 26) return;
    ctx.save();
    ctx.translate(left + width / 2, base - high / 2 - (card.star ? 11 : 0));
    ctx.rotate(Math.PI / 2);
    ctx.fillStyle = ink;
    ctx.font = display(Math.min(40, width - 8));
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.fillText(String(card.year), 0, 2);
    ctx.restore();
  });
}

function star(ctx: CanvasRenderingContext2D, x: number, y: number, size: number, fill: string): void {
  ctx.save();
  ctx.translate(x - size / 2, y - size / 2);
  ctx.scale(size / 24, size / 24);
  ctx.fillStyle = fill;
  ctx.fill(new Path2D(STAR));
  ctx.restore();
}

/** Share it where the phone can, else save it. */
export async function sharePicture(snapshot: Snapshot, title: string): Promise<void> {
  await document.fonts?.ready;
  const size = layout(places(snapshot).length);
  const canvas = document.createElement('canvas');
  canvas.width = size.width;
  canvas.height = size.height;
  const ctx = canvas.getContext('2d');
  if (!ctx) throw new Error('no canvas');
  draw(ctx, snapshot, title);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, 'image/png'));
  if (!blob) throw new Error('no picture');
  const file = new File([blob], `varv-${snapshot.code}.png`, { type: 'image/png' });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file], title: t.pictureTitle });
      return;
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') return;
    }
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
