import type { LedgerOrder } from '../source/ledger-shapes.ts';

/** How an order stands, as the filter of the ledger names it. */
export type OrderOutcomeName = 'never-executed' | 'open' | 'succeeded' | 'failed' | 'unknown';

/** What an outcome is called, and its looks. */
export const OUTCOMES: Readonly<
  Record<OrderOutcomeName, readonly [label: string, tone: 'plain' | 'accent' | 'good' | 'warning' | 'danger']>
> = {
  'never-executed': ['not executed', 'plain'],
  open: ['running', 'accent'],
  succeeded: ['swapped', 'good'],
  failed: ['failed', 'danger'],
  unknown: ['not known', 'warning'],
};

/** Codes of an outcome that nobody knows, unless the transaction is on the chain. */
const UNKNOWN_CODES: ReadonlySet<number> = new Set([-1_001, -2_001]);

/** Returns how an order stands. */
export function getOrderOutcome({ execution }: Pick<LedgerOrder, 'execution'>): OrderOutcomeName {
  if (execution === null) return 'never-executed';
  const { code, slot } = execution;
  if (code === null) return 'open';
  if (code === 0) return 'succeeded';
  return UNKNOWN_CODES.has(code) && slot === null ? 'unknown' : 'failed';
}
