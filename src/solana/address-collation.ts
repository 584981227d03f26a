import type { Address } from './address.ts';

/** English collation of base58: digits, then letters without regard to case. */
const PRIMARY = new Uint8Array(128);
for (let code = 0x30; code <= 0x39; code++) PRIMARY[code] = code;
for (let code = 0x61; code <= 0x7a; code++) {
  PRIMARY[code] = code;
  PRIMARY[code - 0x20] = code;
}

/**
 * Orders addresses as `@solana/kit` does when it compiles a message: as an English dictionary would, small letters
 * before capitals where nothing else differs. It is `Intl.Collator` on base58 text, without its cost.
 */
export function collateAddresses(left: Address, right: Address): number {
  const length = Math.min(left.length, right.length);
  let byCase = 0;
  for (let i = 0; i < length; i++) {
    const a = left.charCodeAt(i);
    const b = right.charCodeAt(i);
    if (a === b) continue;
    const difference = (PRIMARY[a] ?? 0) - (PRIMARY[b] ?? 0);
    if (difference !== 0) return difference;
    if (byCase === 0) byCase = b - a;
  }
  return left.length - right.length || byCase;
}
