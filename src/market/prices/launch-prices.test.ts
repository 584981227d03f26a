import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Chain } from '../../chain/chain.ts';
import { SETTLED_CLOCK } from '../../protocol/venue/venue.ts';
import type { DbcBaseFee, DbcPoolConfig } from '../../protocols/meteora-dbc/program/config-terms.ts';
import { meteoraDbc } from '../../protocols/meteora-dbc/venue.ts';
import { address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { DBC_CASE, DBC_CLOCK, PLAIN_DBC_CONFIG } from '../../testing/protocols/dbc-cases.ts';
import { LaunchChain } from '../../testing/protocols/launch-chain.ts';
import { Pools } from '../pools/pools.ts';
import { measurePoolDepth } from './pool-depth.ts';
import { isDearPool, PoolPrices } from './pool-prices.ts';

let chain: LaunchChain;
let pools: Pools;
let prices: PoolPrices;
beforeEach(() => open(LARGE));
afterEach(() => pools.close());

describe('prices of a token on a bonding curve', () => {
  it('do not exist before anybody has bought it, since the curve could pay nothing for it', () => {
    expect(prices.dollarsPerAtom(TOKEN)).toBeNull();
    expect(prices.worthInDollars(TOKEN, 1n << 60n)).toBeNull();
    expect(measure()).toMatchObject({ price: 0, depth: 0 });
  });

  it('are those of the curve afterwards, and what it holds is what it can pay out', () => {
    raise(2n);
    const price = (1.5 * 2 ** -10) ** 2 / 1e6;
    expect((prices.dollarsPerAtom(TOKEN) ?? 0) / price).toBeCloseTo(1, 6);
    const raised = 0.99 * 0.5 * CAPACITY;
    expect((measure().held[1] ?? 0) / raised).toBeCloseTo(1, 6);
    expect((prices.worthInDollars(TOKEN, 1n << 60n) ?? 0) / (raised / 1e6)).toBeCloseTo(1, 6);
  });

  it('decide about no money while less has been raised than a sale of 1,000 dollars takes', () => {
    raise(1_000n);
    expect(prices.dollarsPerAtom(TOKEN)).toBeGreaterThan(0);
    expect(prices.worthInDollars(TOKEN, 1n << 60n)).toBeNull();
  });

  it('decide about no money while a sale is charged a tenth, and are shown', async () => {
    pools.close();
    await open({ ...LARGE, poolFees: { ...PLAIN_DBC_CONFIG.poolFees, baseFee: DEAR } });
    raise(2n);
    expect(prices.dollarsPerAtom(TOKEN)).toBeGreaterThan(0);
    expect(prices.worthInDollars(TOKEN, 1n << 60n)).toBeNull();
    const handle = pools.find(DBC_CASE.pool);
    if (handle === null) throw new Error('there is no pool');
    expect(isDearPool(handle, TOKEN, USDC, DBC_CLOCK)).toBe(true);
    expect(isDearPool(handle, TOKEN, USDC, SETTLED_CLOCK)).toBe(false);
    chain.now = { ...DBC_CLOCK, slot: DBC_CLOCK.slot + 250n, unixTimestamp: DBC_CLOCK.unixTimestamp + 100n };
    expect(prices.worthInDollars(TOKEN, 1n << 60n)).toBeGreaterThan(0);
  });

  it('leave those of dollars and SOL alone', () => {
    raise(2n);
    expect(prices.dollarsPerAtom(USDC)).toBe(1 / 1e6);
    expect(prices.dollarsPerAtom(WRAPPED_SOL_MINT)).toBeNull();
  });
});

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');
const TOKEN = DBC_CASE.baseMint;
const START = 1n << 54n;
/** Its curve raises 2^38 atoms of USDC, about 270,000 dollars, while the root of the price doubles. */
const CAPACITY = 2 ** 38;
const LARGE = {
  quoteMint: USDC,
  migrationQuoteThreshold: 1n << 38n,
  curve: [{ sqrtPrice: 1n << 56n, liquidity: 1n << 112n }],
};

/** Half of each swap for the first 100 seconds, then one percent. */
const DEAR: DbcBaseFee = {
  cliffFeeNumerator: 500_000_000n,
  firstFactor: 1,
  secondFactor: 100n,
  thirdFactor: 490_000_000n,
  baseFeeMode: 0,
};

async function open(config: Partial<DbcPoolConfig>): Promise<void> {
  chain = new LaunchChain(config);
  pools = await Pools.open(chain as unknown as Chain, [meteoraDbc]);
  prices = new PoolPrices(pools);
  chain.publish(DBC_CASE.pool);
  await vi.waitFor(() => expect(pools.find(DBC_CASE.pool)).not.toBeNull());
}

/** Announces that one of so many parts has been raised. */
function raise(parts: bigint): void {
  chain.publish(DBC_CASE.pool, {
    sqrtPrice: START + START / parts,
    quoteReserve: (1n << 38n) / parts,
  });
}

function measure() {
  const handle = pools.find(DBC_CASE.pool);
  if (handle === null) throw new Error('there is no pool');
  return measurePoolDepth(handle, TOKEN, USDC);
}
