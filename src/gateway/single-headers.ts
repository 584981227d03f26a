import type { IncomingMessage } from 'node:http';

/** Two of one of these would leave to chance, or to a proxy on the way, which of them is believed. */
const SINGLE = ['x-api-key', 'authorization', 'host', 'content-type', 'content-length', 'transfer-encoding'];
const LENGTHS = new Set(SINGLE.map((name) => name.length));

/** The first header that is given more than once though it may not be, or null. */
export function repeatedHeader({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): string | null {
  let seen = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const raw = rawHeaders[index] ?? '';
    if (!LENGTHS.has(raw.length)) continue;
    const place = SINGLE.indexOf(raw.toLowerCase());
    if (place < 0) continue;
    const bit = 1 << place;
    if ((seen & bit) !== 0) return SINGLE[place] ?? null;
    seen |= bit;
  }
  return null;
}
