import { expect, vi } from 'vitest';
import type { SharedInstance } from './shared-instance.ts';

/** Seconds that a round has left, so that no test meets its end. */
const LEAST_LEFT = 60;
const PATH = '/prediction/v1/events?provider=bisonfi&includeMarkets=true';

/** A side of a round, as far as tests read it. */
export interface ListedSide {
  readonly marketId: string;
  readonly tradable: boolean;
  readonly closeTime: number;
  readonly rulesPrimary: string;
  readonly pricing: { readonly buyYesPriceUsd: number | null };
}

/** A round, as far as tests read it. */
export interface ListedRound {
  readonly eventId: string;
  readonly markets: readonly ListedSide[];
}

/**
 * Waits for a round that is traded for a while still, and puts the price of its feed back to that of its opening. Both sides
 * are worth half a dollar then, at whatever time of the day the test runs. The price stays where it is.
 */
export async function openEvenRound(instance: SharedInstance): Promise<ListedRound> {
  const { eventId, markets } = await vi.waitFor(() => findLongest(instance), { interval: 500 });
  const [, opening] = /opening price of ([0-9,.]+) USD/.exec(markets[0]?.rulesPrimary ?? '') ?? [];
  await instance.admin('PUT', 'network/prices/BTC', { price: opening?.replaceAll(',', '') });
  return vi.waitFor(async () => {
    const round = (await listRounds(instance)).find((each) => each.eventId === eventId);
    const prices = round?.markets.map(({ pricing }) => pricing.buyYesPriceUsd ?? 0) ?? [0];
    expect(Math.min(...prices)).toBeGreaterThan(480_000);
    expect(Math.max(...prices)).toBeLessThan(540_000);
    return round as ListedRound;
  });
}

/** Returns the round that is traded longest, so that all tests of an instance take the same. */
async function findLongest(instance: SharedInstance): Promise<ListedRound> {
  const { unixTimestamp } = await instance.admin('GET', 'network');
  const left = ({ markets }: ListedRound) => (markets[0]?.closeTime ?? 0) - Number(unixTimestamp);
  const [longest] = (await listRounds(instance)).sort((a, b) => left(b) - left(a));
  expect(longest?.markets.every(({ tradable }) => tradable)).toBe(true);
  expect(longest === undefined ? 0 : left(longest)).toBeGreaterThan(LEAST_LEFT);
  return longest as ListedRound;
}

async function listRounds(instance: SharedInstance): Promise<ListedRound[]> {
  return (await instance.ask(PATH)).json.data;
}
