import type { BudgetView } from './operation-shape.ts';

/** Parts of a bar: coordinates that together are 1. */
export interface BudgetShares {
  readonly spent: number;
  readonly held: number;
  readonly left: number;
}

const STEPS = 10_000n;

/** Divides the bar of a budget. What is held is a part of what counts as spent, and shown apart. */
export function computeShares({
  spent,
  held,
  limit,
}: Pick<BudgetView, 'spent' | 'held' | 'limit'>): BudgetShares {
  const all = toShare(spent ?? 0n, limit);
  const ofHeld = Math.min(toShare(held ?? 0n, limit), all);
  return { spent: all - ofHeld, held: ofHeld, left: 1 - all };
}

/** Formats a part of a whole in percent, rounded down, so that only a whole is 100 %. */
export function formatShare(part: bigint, whole: bigint): string {
  if (whole <= 0n) return 'all';
  const tenths = (part * 1_000n) / whole;
  return part > 0n && tenths === 0n ? 'less than 0.1 %' : `${tenths / 10n}.${tenths % 10n} %`;
}

function toShare(part: bigint, whole: bigint): number {
  if (whole <= 0n) return 1;
  return Math.min(Math.max(Number((part * STEPS) / whole) / Number(STEPS), 0), 1);
}
