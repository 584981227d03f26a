import type { Address } from './address.ts';

/** Primary sort keys of base58 characters in English collation: digits first, then letters regardless of case. */
const PRIMARY = new Uint8Array(128);
for (let code = 0x30; code <= 0x39; code++) PRIMARY[code] = code;
for (let code = 0x61; code <= 0x7a; code++) {
  PRIMARY[code] = code;
  PRIMARY[code - 0x20] = code;
}

/**
 * Compares two addresses in the order that `@solana/kit` uses when it compiles a message: alphabetical, with lower
 * case before upper case as the tie-breaker. The result is that of `Intl.Collator` on base58 text, at a lower cost.
 *
 * Returns a negative number when `left` comes first, a positive one when `right` does, and 0 when they are equal.
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
