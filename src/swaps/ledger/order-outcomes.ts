/**
 * How an order stands. `open`: it runs, or the instance that ran it was killed. `unknown`: the execution was answered that
 * nobody knows yet whether the swap was made.
 */
export const ORDER_OUTCOMES = ['never-executed', 'open', 'succeeded', 'failed', 'unknown'] as const;
export type OrderOutcome = (typeof ORDER_OUTCOMES)[number];
