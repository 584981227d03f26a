import type { PlanName } from './plans.ts';

/** Credits that a plan has in a calendar month, by UTC; what is beyond is overage. Null: they are not bounded. */
export const INCLUDED_CREDITS: Readonly<Record<PlanName, number | null>> = {
  free: null,
  developer: 25_000_000,
  launch: 100_000_000,
  pro: 500_000_000,
};

const USUAL = 1;
const BY_PATH: Readonly<Record<string, number>> = {
  '/swap/v2/execute': 0,
  '/trigger/v1/execute': 0,
  '/recurring/v1/execute': 0,
  '/portfolio/v1/platforms': 5,
  '/portfolio/v1/positions': 100,
  '/tokens/v2/search': 10,
  '/tokens/v2/tag': 50,
};
const POSITIONS = '/portfolio/v1/positions/';
const POSITIONS_CREDITS = 100;
/** Of tokens: a category and an interval. */
const CATEGORY = /^\/tokens\/v2\/[^/]+\/[^/]+$/;
const CATEGORY_CREDITS = 5;

/** What a request costs that the endpoint with the route `path` answered: published per endpoint, 1 where nothing is. */
export function creditsOf(path: string): number {
  const known = BY_PATH[path];
  if (known !== undefined) return known;
  if (path.startsWith(POSITIONS)) return POSITIONS_CREDITS;
  return CATEGORY.test(path) ? CATEGORY_CREDITS : USUAL;
}
