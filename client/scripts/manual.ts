/**
 * Makes docs/manual.*.md into HTML when the client is built: the players' manual is written once,
 * and the browser needs no parser for it. Its pictures become files of the client.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { marked } from 'marked';
import type { Plugin } from 'vite';

/** Words like QR-koden and DJ-kort are not parted at their hyphen (U+2060, a joiner without width). */
const PARTED = /(?<=\b(?:QR|DJ|Oracle))-(?=\p{L})/gu;
const PICTURE = /<img src="([^"]+)" width="(\d+)"/g;

/** Width and height in pixels, from the head of a lossy WebP file. */
function sizeOf(file: string): [number, number] {
  const head = readFileSync(file);
  if (head.toString('latin1', 8, 16) !== 'WEBPVP8 ') throw new Error(`${file} is not a lossy WebP picture`);
  return [head.readUInt16LE(26) & 0x3fff, head.readUInt16LE(28) & 0x3fff];
}

export function manual(): Plugin {
  return {
    name: 'manual',
    enforce: 'pre',
    transform(text, id) {
      if (!id.endsWith('.md')) return null;
      const pictures: string[] = [];
      const words = marked.parse(text, { async: false }).replace(/>[^<]+/g, (between) => between.replace(PARTED, '\u2060-\u2060'));
      const html = words.replace(PICTURE, (_, path: string, shown: string) => {
        const [width, height] = sizeOf(join(dirname(id), path));
        pictures.push(`import picture${pictures.length} from ${JSON.stringify(`./${path}`)};`);
        const room = `width="${shown}" height="${Math.round((height * Number(shown)) / width)}"`;
        return `<img loading="lazy" decoding="async" src="{{${pictures.length - 1}}}" ${room}`;
      });
      const code = JSON.stringify(html).replace(/\{\{(\d+)\}\}/g, '" + picture$1 + "');
      return { code: `${pictures.join('\n')}\nexport default ${code};`, map: null };
    },
  };
}
