import type { LIMIT_NAMES } from './plan-columns.tsx';

/** An instance remembers the time of each request, so a limit bounds its memory too. */
export const MAX_LIMIT_ENTERED = 1_000_000;

export type LimitBucket = (typeof LIMIT_NAMES)[number][0];
export type LimitTexts = Readonly<Record<LimitBucket, string>>;

/** Returns the lowest limit that a plan can have. Without requests, callers need a key. */
export function getLowestLimit(name: string, bucket: LimitBucket): number {
  return name.startsWith('keyless') && bucket === 'main' ? 0 : 1;
}

/** Parses a limit as it was typed; null: it is none that the plan can have. */
export function parseLimit(text: string, lowest: number): number | null {
  if (!/^\d{1,7}$/.test(text.trim())) return null;
  const limit = Number(text.trim());
  return limit >= lowest && limit <= MAX_LIMIT_ENTERED ? limit : null;
}
