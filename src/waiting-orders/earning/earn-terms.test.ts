import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ChainUnavailable } from '../../chain/chain.ts';
import type { Address } from '../../solana/address.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';
import { assertProperty } from '../../testing/random.ts';
import { createTestOrder } from '../../testing/waiting-orders/test-orders.ts';
import { ordinaryTokenAccount } from '../../testing/token-account.ts';
import { findSale } from '../order-sale.ts';
import type { WaitingOrder } from '../waiting-order.ts';
import { findEarnMint } from './earn-mint.ts';
import { RATE_ONE, toEarnedAtoms } from './earn-program.ts';
import { countEarnedInput, findOrderEarning, toEarnSale, toInputAtoms, toSharePrice } from './earn-sale.ts';
import { EarnYields } from './earn-yield.ts';

describe('findEarnMint', () => {
  it('finds the shares of stablecoins that are lent, and of nothing else', () => {
    expect(findEarnMint(EARN, USDC)).toBe(EARN_USDC);
    expect(findEarnMint(EARN, JUP)).toBeNull();
    expect(findEarnMint({ find: () => null }, USDC)).toBeNull();
  });
});

describe('toEarnSale', () => {
  it('sells the fewest shares that are worth the atoms of a round, and all of them in the last one', () => {
    assertProperty(
      fc.property(fc.bigInt(1n, 10n ** 15n), fc.bigInt(RATE_ONE, 3n * RATE_ONE), (atoms, rate) => {
        const market = { earnMint: EARN_USDC, rate };
        const sale = toEarnSale({ ...SALE, exactly: atoms }, market);
        const shares = sale.exactly ?? 0n;
        expect(sale.inputMint).toBe(EARN_USDC);
        expect(toEarnedAtoms(shares, market)).toBeGreaterThanOrEqual(atoms);
        expect(toEarnedAtoms(shares - 1n, market)).toBeLessThan(atoms);
        expect(toEarnSale({ ...SALE, exactly: null }, market).exactly).toBeNull();
      }),
      { cases: 500, short: 200, seed: 37 },
    );
  });

  it('prices a share by what it is worth', () => {
    expect(toSharePrice(2, { rate: (RATE_ONE * 5n) / 4n })).toBe(2.5);
    expect(toSharePrice(null, { rate: RATE_ONE })).toBeNull();
  });
});

describe('countEarnedInput', () => {
  it.each([
    [
      'a round, whatever it sells',
      { remaining: 90n, exactly: 30n },
      { inputAmount: 1n, isWhole: false },
      30n,
    ],
    [
      'all shares, whatever they are worth',
      { remaining: 30n, exactly: null },
      { inputAmount: 90n, isWhole: true },
      30n,
    ],
    ['a part', { remaining: 30n, exactly: null }, { inputAmount: 10n, isWhole: false }, 12n],
    [
      'a part that is worth more than is left',
      { remaining: 5n, exactly: null },
      { inputAmount: 10n, isWhole: false },
      4n,
    ],
  ] as const)('counts %s', (_, sale, sold, expected) => {
    expect(countEarnedInput(sale, sold, { rate: (RATE_ONE * 5n) / 4n })).toBe(expected);
  });
});

describe('findOrderEarning', () => {
  it('knows orders that hold their input, that earn, and whose lending does not answer', () => {
    expect(findOrderEarning(EARN, createTestOrder(1))).toBeNull();
    expect(findOrderEarning(EARN, ORDER)).toBe(MARKET);
    expect(findOrderEarning({ find: () => null }, ORDER)).toBe('unknown');
    expect(findOrderEarning({ find: () => ({ ...MARKET, earnMint: JUP }) }, ORDER)).toBe('unknown');
  });
});

describe('toInputAtoms', () => {
  it('counts shares by what they are worth, and what is left to sell while nobody knows that', () => {
    expect(toInputAtoms(EARN, createTestOrder(1), 80n)).toBe(80n);
    expect(toInputAtoms(EARN, ORDER, 88n)).toBe(110n);
    expect(toInputAtoms({ find: () => null }, ORDER, 88n)).toBe(100n);
  });
});

describe('EarnYields', () => {
  it('shows what the shares are worth above what is left of the deposit', async () => {
    const { yields } = openYields(100n);
    expect(await yields.of([ORDER, createTestOrder(2)])).toEqual(new Map([[ORDER.id, 2.5]]));
    expect(await openYields(79n).yields.of([ORDER])).toEqual(new Map([[ORDER.id, 0]]));
  });

  it('shows nothing without a price, a market or an account, nor of an order that has ended', async () => {
    expect(await openYields(100n, { price: null }).yields.of([ORDER])).toEqual(new Map());
    expect(await openYields(100n, { rate: null }).yields.of([ORDER])).toEqual(new Map());
    expect(await openYields(null).yields.of([ORDER])).toEqual(new Map());
    for (const state of ['cancelled', 'fill_success', 'depositing', 'deposit_failed'] as const) {
      expect(await openYields(100n).yields.of([{ ...ORDER, state }])).toEqual(new Map());
    }
  });

  it('reads an account once in a quarter of an hour, and after each change of its order', async () => {
    const world = openYields(100n);
    await world.yields.of([ORDER]);
    await world.yields.of([ORDER]);
    expect(world.reads).toBe(1);
    await world.yields.of([{ ...ORDER, revision: ORDER.revision + 1 }]);
    expect(world.reads).toBe(2);
    world.now += 15 * 60_000;
    expect((await world.yields.of([ORDER])).size).toBe(1);
    expect(world.reads).toBe(3);
  });

  it('shows nothing while the network does not answer', async () => {
    const world = openYields(100n);
    world.isDown = true;
    expect(await world.yields.of([ORDER])).toEqual(new Map());
  });
});

const [USDC, JUP] = ['USDC', 'JUP'].map((symbol) => getGenesisToken(symbol).mint) as [Address, Address];
const EARN_USDC = '9BEcn9aPEmhSPbPQeFGjidRiEKki46fVQDyPpSQXPA2D' as Address;
const MARKET = { earnMint: EARN_USDC, rate: (RATE_ONE * 5n) / 4n };
/** Tokens that are no stablecoins are lent too. */
const EARN = { find: (mint: Address) => (mint === USDC ? MARKET : { ...MARKET, earnMint: JUP }) };
const ORDER: WaitingOrder = createTestOrder(1, {
  plan: {
    kind: 'time_based',
    rounds: 2,
    intervalMs: 60_000,
    beginAt: 1,
    band: null,
    earnMint: EARN_USDC,
  },
  inputMint: USDC,
  remaining: 100n,
});
const SALE = findSale(createTestOrder(1), 'single');

/** What one order has earned of which the chain shows so many shares, at a price of ten cents for an atom. */
function openYields(
  shares: bigint | null,
  { price = 0.1, rate = MARKET.rate }: { readonly price?: number | null; readonly rate?: bigint | null } = {},
) {
  const account = { lamports: 1n, owner: USDC, executable: false, rentEpoch: 0n };
  const data = ordinaryTokenAccount({ mint: EARN_USDC, owner: ORDER.vault, amount: shares ?? 0n });
  const world: { reads: number; now: number; isDown: boolean; readonly yields: EarnYields } = {
    reads: 0,
    now: 1_800_000_000_000,
    isDown: false,
    yields: new EarnYields({
      chain: {
        getAccounts: async (addresses) => {
          if (world.isDown) throw new ChainUnavailable('a test says so');
          world.reads++;
          return addresses.map((address) => ({
            address,
            slot: 1n,
            account: shares === null ? null : { ...account, data },
          }));
        },
      },
      earn: { find: () => (rate === null ? null : { ...MARKET, rate }) },
      dollarsPerAtom: () => price,
      now: (): number => world.now,
    }),
  };
  return world;
}
