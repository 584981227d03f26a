import type { PlanName } from './plans.ts';

/** Credits that a plan has in a calendar month, by UTC; what is beyond is overage. Null: they are not bounded. */
export const INCLUDED_CREDITS: Readonly<Record<PlanName, number | null>> = {
  free: null,
  developer: 25_000_000,
  launch: 100_000_000,
  pro: 500_000_000,
};
