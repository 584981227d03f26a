import { beforeAll, describe, expect, it, vi } from 'vitest';
import { TestRound } from '../../../testing/genesis-market/forecasts.ts';
import { openTestMarket, type GenesisTestMarket } from '../../../testing/genesis-market/open.ts';
import { countSwapCalls } from '../../../protocol/venue/venue.ts';
import { VENUES } from '../../../protocols/venues.ts';
import { setComputeUnitLimit } from '../../../solana/programs/compute-budget.ts';
import { type BuiltSwap, buildSwap } from '../../../swaps/build/build.ts';
import { parseBuildRequest } from '../endpoints/build.ts';

let market: GenesisTestMarket;

beforeAll(async () => {
  market = await openTestMarket();
  const round = TestRound.open(market, market.chain.clock().unixTimestamp);
  await vi.waitFor(() => expect(market.pools.find(round.pool('down'))).not.toBeNull());
});

describe('a step over a pool', () => {
  it.each(LABELS)('%s runs at most as many instructions as its venue declares', async (label) => {
    const mints = market.genesis.tokens.map(({ mint }) => mint);
    let exact = 0;
    for (const inputMint of mints) {
      // Receipt tokens too, which are no tokens of the genesis by themselves.
      for (const [outputMint, handles] of market.pools.counterparts(inputMint)) {
        if (!handles.some(({ venue }) => venue.label === label)) continue;
        const query = { inputMint, outputMint, taker: market.wallet, dexes: label, mode: 'fast' };
        const built = await buildSwap(market, parseBuildRequest({ ...query, amount: '10000' }, LABELS));
        const [leg, ...more] = built.route.legs;
        const pool = handles.find((each) => each.pool.address === leg?.handle.pool.address);
        if (pool === undefined || more.length > 0) continue;
        const calls = countSwapCalls(pool.venue, pool.pool);
        expect(ran(built)).toBeLessThanOrEqual(calls);
        if (ran(built) === calls - (RARE_CALLS[label] ?? 0)) exact++;
      }
    }
    expect(exact).toBeGreaterThan(0);
  });
});

const LABELS = VENUES.map(({ label }) => label);

/** Declared instructions that most swaps do without: the event of the purchase that completes a curve. */
const RARE_CALLS: Readonly<Record<string, number>> = { 'Dynamic Bonding Curve': 1 };

/** Counts the instructions below the aggregator's, without its event. */
function ran(built: BuiltSwap): number {
  const { setup, swap, cleanup } = built;
  const all = [setComputeUnitLimit(1_400_000), ...setup, swap];
  if (cleanup !== null) all.push(cleanup);
  const lookupTables = built.lookupTables ?? {};
  const { error, inner } = market.network.simulate(all, { feePayer: market.wallet, lookupTables });
  expect(error).toBeNull();
  return (inner[all.indexOf(swap)]?.length ?? 0) - 1;
}
