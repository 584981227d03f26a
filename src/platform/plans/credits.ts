import type { PlanName } from './plans.ts';

/** Credits that a plan includes in each calendar month (UTC). Further credits are overage. Null: unlimited. */
export const INCLUDED_CREDITS: Readonly<Record<PlanName, number | null>> = {
  free: null,
  developer: 25_000_000,
  launch: 100_000_000,
  pro: 500_000_000,
};
