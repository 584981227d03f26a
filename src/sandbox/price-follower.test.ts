import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestChain } from '../testing/chain/embedded-chain.ts';
import type { EmbeddedChain } from '../chain/embedded/network.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import { KEPT_FEEDS } from '../protocol/genesis/price-feeds.ts';
import { getGenesisToken } from '../solana/known-tokens.ts';
import { Pools } from '../market/pools/pools.ts';
import { PoolPrices } from '../market/prices/pool-prices.ts';
import { decodeStakePool } from '../protocols/spl-stake-pool/layout.ts';
import { VENUES } from '../protocols/venues.ts';
import { address } from '../solana/address.ts';
import { decodeMint } from '../solana/programs/token/mint.ts';
import { buildGenesis } from './genesis/build-genesis.ts';
import { overlayAccounts, readStandIns } from './genesis/network-accounts.ts';
import { PriceFollower } from './price-follower.ts';
import { replaced } from '../testing/replaced.ts';
import { now } from '../testing/waits.ts';

let chain: EmbeddedChain;
let pools: Pools;
let follower: PriceFollower;
let genesisKeys: ReturnType<typeof buildGenesis>['keys'];
beforeAll(setUp);
afterAll(tearDown);

describe('PriceFollower', () => {
  it('brings every pool of a token to its price, by swaps that earn there', async () => {
    await chain.setPrice('SOL', '120');
    expect(await follower.follow()).toBeGreaterThan(10);
    expect(Math.abs(priceOf('SOL') / 120 - 1)).toBeLessThan(0.01);
    expect(Math.abs(priceOf('JitoSOL') / (120 * 1.228) - 1)).toBeLessThan(0.01);
    expect(Math.abs(priceOf('JUP') / 0.49 - 1)).toBeLessThan(0.02);
    const handles = [...pools.counterparts(SOL).values()].flat();
    expect(handles.length).toBeGreaterThan(10);
    const [registered, minted] = await stakePoolOf();
    expect(registered).toBe(minted);
  });

  it('follows prices that move later, until it is stopped', async () => {
    expect(follower.following).toBe(true);
    await chain.setPrice('SOL', '150');
    await expect.poll(() => Math.abs(priceOf('SOL') / 150 - 1), { interval: 200 }).toBeLessThan(0.01);
    await follower.stop();
    expect(follower.following).toBe(false);
    const before = priceOf('SOL');
    await chain.setPrice('SOL', '90');
    await chain.warp({ slots: 3 });
    expect(priceOf('SOL')).toBe(before);
  });

  it('moves all other pools when one cannot be quoted and a trade fails, and tells of both', async () => {
    await chain.setPrice('SOL', '90');
    const defects: string[] = [];
    const failing = {
      chain: replaced(chain, { faucet: failingOnce(chain.faucet, 'the faucet is dry') }),
      pools: replaced(pools, { counterparts: (mint) => withBroken(pools.counterparts(mint)) }),
      trader: genesisKeys.arbitrageur,
      timers: SYSTEM_TIMERS,
      onDefect: (error: unknown) => defects.push(error instanceof Error ? error.message : String(error)),
    };
    const other = new PriceFollower(failing);
    expect(await other.follow()).toBeGreaterThan(10);
    expect(Math.abs(priceOf('SOL') / 90 - 1)).toBeLessThan(0.01);
    expect(new Set(defects)).toEqual(new Set(['no such quote', 'the faucet is dry']));
    await other.stop();
  });

  it('tries again, when feeds are published, what failed before', async () => {
    await chain.setPrice('SOL', '100');
    // The first call reads the prices; the second one is of the pass that trades at them.
    const getAccounts = failingOnce(chain.getAccounts, 'the network is silent', 1);
    const other = new PriceFollower({
      chain: replaced(chain, { getAccounts }),
      pools,
      trader: genesisKeys.arbitrageur,
      timers: SYSTEM_TIMERS,
      onDefect: () => {},
    });
    await expect(other.follow()).rejects.toThrow('silent');
    expect(await other.follow()).toBeGreaterThan(10);
    expect(Math.abs(priceOf('SOL') / 100 - 1)).toBeLessThan(0.01);
    await other.stop();
  });
});

const SOL = getGenesisToken('SOL').mint;
const JITOSOL = getGenesisToken('JitoSOL').mint;
const JITO_POOL = address('Jito4APyf642JPZPx3hGc6WWJ8zPKtRbRs4P815Awbb');

async function setUp(): Promise<void> {
  const genesis = buildGenesis('price follower', BigInt(Math.floor(now() / 1000)));
  const standIns = await readStandIns(genesis.programs, new URL('../../programs/dist/', import.meta.url));
  genesisKeys = genesis.keys;
  chain = await startTestChain({
    seed: 'price follower',
    genesis: () => genesis.accounts,
    overlay: overlayAccounts(standIns, { accounts: [], programs: [] }),
    faucet: genesis.keys.faucet,
    mintAuthorities: [genesis.keys.mintAuthority],
    priceFeeds: KEPT_FEEDS,
  });
  pools = await Pools.open(chain, VENUES);
  follower = new PriceFollower({
    chain,
    pools,
    trader: genesis.keys.arbitrageur,
    timers: SYSTEM_TIMERS,
    onDefect: (error) => {
      throw error;
    },
  });
}

async function tearDown(): Promise<void> {
  await follower?.stop();
  pools?.close();
  await chain?.close();
}

function priceOf(symbol: string): number {
  const { mint, decimals } = getGenesisToken(symbol);
  return (new PoolPrices(pools).dollarsPerAtom(mint) ?? 0) * 10 ** decimals;
}

async function stakePoolOf(): Promise<readonly [bigint, bigint]> {
  const [pool, mint] = await chain.getAccounts([JITO_POOL, JITOSOL]);
  const { tokenSupply } = decodeStakePool(pool?.account?.data ?? new Uint8Array(0));
  return [tokenSupply, decodeMint(mint?.account?.data ?? new Uint8Array(0)).supply];
}

function failingOnce<Arguments extends unknown[], Answer>(
  call: (...args: Arguments) => Promise<Answer>,
  message: string,
  after = 0,
): (...args: Arguments) => Promise<Answer> {
  let calls = 0;
  return (...args) => (calls++ === after ? Promise.reject(new Error(message)) : call(...args));
}

/** The same pools, and with each of them one that throws. */
function withBroken(found: ReturnType<Pools['counterparts']>): ReturnType<Pools['counterparts']> {
  const quoteExactIn = () => {
    throw new Error('no such quote');
  };
  return new Map(
    [...found].map(([mint, handles]) => {
      const broken = handles.slice(0, 1).map((handle) => ({
        venue: replaced(handle.venue, { quoteExactIn }),
        pool: { ...handle.pool, address: mint },
      }));
      return [mint, [...handles, ...broken]];
    }),
  );
}
