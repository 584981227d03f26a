import type { ExactJson } from '../../../../base/exact-json.ts';
import { getWhole } from '../../../../base/read-json.ts';

const NANO_IN_MICRO = 1_000n;

/** Returns an amount that an answer writes in millionths of a dollar, in billionths of a dollar; null if there is none. */
export function getMicroDollars(value: ExactJson | undefined, name: string): bigint | null {
  const micro = getWhole(value, name);
  return micro === null ? null : micro * NANO_IN_MICRO;
}
