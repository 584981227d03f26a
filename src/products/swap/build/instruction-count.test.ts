import { beforeAll, describe, expect, it } from 'vitest';
import { openTestMarket, type TestMarket } from '../../../../test/genesis-market/open.ts';
import { callsOf } from '../../../market/venue.ts';
import { VENUES } from '../../../market/venues/index.ts';
import type { Address } from '../../../solana/address.ts';
import { setComputeUnitLimit } from '../../../solana/programs/compute-budget.ts';
import { type BuiltSwap, buildSwap } from './build.ts';
import { parseBuildRequest } from './build-request.ts';

const LABELS = VENUES.map(({ label }) => label);

let market: TestMarket;

beforeAll(async () => {
  market = await openTestMarket();
});

/** How many instructions the aggregator's ran, its one event left out. */
function ran(built: BuiltSwap): number {
  const { setupInstructions, swapInstruction, cleanupInstruction, addressesByLookupTableAddress } = built;
  const all = [setComputeUnitLimit(1_400_000), ...setupInstructions, swapInstruction];
  if (cleanupInstruction !== null) all.push(cleanupInstruction);
  const lookupTables = (addressesByLookupTableAddress ?? {}) as Record<Address, Address[]>;
  const { error, inner } = market.network.simulate(all, { feePayer: market.wallet, lookupTables });
  expect(error).toBeNull();
  return (inner[all.indexOf(swapInstruction)]?.length ?? 0) - 1;
}

describe('a step over a pool', () => {
  it.each(LABELS)('of %s runs as many instructions as its venue says at most', async (label) => {
    const mints = market.genesis.tokens.map(({ mint }) => mint);
    let exact = 0;
    for (const inputMint of mints) {
      for (const outputMint of mints) {
        const markets = market.parts.pools.between(inputMint, outputMint);
        if (inputMint === outputMint || !markets.some(({ venue }) => venue.label === label)) continue;
        const query = { inputMint, outputMint, taker: market.wallet, dexes: label, mode: 'fast' };
        const built = await buildSwap(market.parts, parseBuildRequest({ ...query, amount: '10000' }, LABELS));
        const [step, ...more] = built.routePlan;
        const pool = markets.find((each) => each.pool.address === step?.swapInfo.ammKey);
        if (pool === undefined || more.length > 0) continue;
        const calls = callsOf(pool.venue, pool.pool);
        expect(ran(built)).toBeLessThanOrEqual(calls);
        if (ran(built) === calls) exact++;
      }
    }
    expect(exact).toBeGreaterThan(0);
  });
});
