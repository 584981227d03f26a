import { describe, expect, it } from 'vitest';
import type { PoolState, Trading } from '../../protocol/venue/venue.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import type { PoolHandle, UnusablePool } from '../pools/liquidity.ts';
import { type OrderedPool, type PoolFilter, PoolOrder } from './pool-order.ts';

describe('PoolOrder', () => {
  it('lists the pools with most dollars first, then those without a price, and last those that are unusable', async () => {
    const order = orderOf([poolOf(1, 50), poolOf(2, 900), poolOf(3, 100, [named(90), named(91)])], [BROKEN]);
    expect(listNames(await order.list(ALL))).toEqual([2, 1, 3, 9]);
  });

  it('counts a token that anybody can issue for no more than the other side', async () => {
    const order = orderOf([poolOf(1, 1, [WRAPPED_SOL_MINT, TOKEN], [100, 1e18]), poolOf(2, 150)], []);
    expect(listNames(await order.list(ALL))).toEqual([2, 1]);
  });

  it.each<[string, Partial<PoolFilter>, number[]]>([
    ['a token', { mint: TOKEN }, [1]],
    ['a venue', { venue: 'Broken' }, [9]],
    ['the beginning of a symbol', { words: ['bo'] }, [1]],
    ['several words', { words: ['bonk', 'sol'] }, [1]],
    ['a word that is no beginning', { words: ['onk'] }, []],
    ['the address of a pool', { words: [named(2).toLowerCase()] }, [2]],
    ['the address of a pool that is unusable', { words: [named(9).toLowerCase()] }, [9]],
  ])('filters by %s', async (_, filter, expected) => {
    const order = orderOf([poolOf(1, 10, [WRAPPED_SOL_MINT, TOKEN]), poolOf(2, 5)], [BROKEN]);
    expect(listNames(await order.list({ ...ALL, ...filter }))).toEqual(expected);
  });

  it('is found once for all requests of two seconds', async () => {
    let [reads, now] = [0, 10_000];
    const order = new PoolOrder({
      ...OPTIONS,
      pools: {
        all: () => {
          reads += 1;
          return [poolOf(1, 1)];
        },
        unusable: () => [],
      },
      now: () => now,
    });
    await Promise.all([order.list(ALL), order.list(ALL)]);
    await order.list(ALL);
    now += 1_999;
    await order.list(ALL);
    expect(reads).toBe(1);
    now += 1;
    await order.list(ALL);
    expect(reads).toBe(2);
    // A clock that was set back keeps nothing.
    now -= 9_000;
    await order.list(ALL);
    expect(reads).toBe(3);
  });

  it('finds the order again after it could not be found', async () => {
    let isBroken = true;
    const order = new PoolOrder({
      ...OPTIONS,
      pools: {
        all: () => {
          if (isBroken) throw new Error('broken');
          return [poolOf(1, 1)];
        },
        unusable: () => [],
      },
    });
    await expect(order.list(ALL)).rejects.toThrow('broken');
    isBroken = false;
    expect(listNames(await order.list(ALL))).toEqual([1]);
  });
});

const named = (byte: number): Address => toAddress(new Uint8Array(32).fill(byte));
const TOKEN = named(80);
const BROKEN: UnusablePool = { address: named(9), venue: 'Broken', reason: 'its vault is missing' };
const ALL: PoolFilter = { mint: null, venue: null, words: [] };
const OPTIONS = {
  dollarsPerAtom: (mint: Address) => (mint === named(90) || mint === named(91) ? null : 1),
  findSymbol: (mint: Address) => (mint === TOKEN ? 'BONK' : mint === WRAPPED_SOL_MINT ? 'SOL' : null),
  now: () => 0,
};

function orderOf(pools: readonly PoolHandle[], unusable: readonly UnusablePool[]): PoolOrder {
  return new PoolOrder({ ...OPTIONS, pools: { all: () => pools, unusable: () => unusable } });
}

/** A pool that can pay out so much of each token. */
function poolOf(
  byte: number,
  held: number,
  mints: PoolState['mints'] = [WRAPPED_SOL_MINT, named(70)],
  [first, second] = [held, held],
): PoolHandle {
  const venue: Partial<Trading> = {
    label: 'Venue',
    estimate: (pool, input, amount) => Math.min(amount, input === pool.mints[0] ? second : first),
  };
  return { venue: venue as Trading, pool: { address: named(byte), mints } };
}

function listNames(pools: readonly OrderedPool[]): readonly number[] {
  const names = new Map(Array.from({ length: 20 }, (_, byte) => [named(byte), byte]));
  return pools.map((each) => names.get(each.handle?.pool.address ?? BROKEN.address) ?? -1);
}
