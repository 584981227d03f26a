import { describe, expect, it } from 'vitest';
import type { Account } from '../../chain/accounts.ts';
import {
  createDbcAccount,
  createDbcReader,
  DBC_CASE,
  DBC_CLOCK,
  PLAIN_DBC_CONFIG,
  PLAIN_DBC_POOL,
} from '../../testing/protocols/dbc-cases.ts';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { SYSTEM_PROGRAM, SYSVAR_INSTRUCTIONS, TOKEN_2022_PROGRAM } from '../../solana/program-addresses.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import { encodeTransferFeeConfigExtension } from '../../solana/programs/token/transfer-fee.ts';
import type { DbcBaseFee, DbcPoolConfig } from './program/config-terms.ts';
import { type DbcVirtualPool, encodeDbcPool } from './program/layout-pool.ts';
import { METEORA_DBC_PROGRAM } from './program/program.ts';
import type { MeteoraDbcPool } from './pool.ts';
import { quoteFirstPurchase } from './quote.ts';
import { meteoraDbc } from './venue.ts';

describe('a quote', () => {
  it('takes the fee in quote tokens, from the payment or from the proceeds', () => {
    const bought = meteoraDbc.quoteExactIn(usable(), QUOTE, 1_000_000_000n, DBC_CLOCK);
    expect(bought).toMatchObject({ feeAmount: 10_000_000n, feeMint: QUOTE });
    const sold = meteoraDbc.quoteExactIn(traded(), BASE, 1_000_000_000n, DBC_CLOCK);
    expect(sold).toMatchObject({ feeMint: QUOTE });
  });

  it('takes the fee in base tokens from purchases where each output pays its own fee', () => {
    const bought = meteoraDbc.quoteExactIn(usable({ collectFeeMode: 1 }), QUOTE, 1_000_000n, DBC_CLOCK);
    expect(bought).toMatchObject({ feeMint: BASE });
  });

  it('follows a schedule from the creation of the pool on, also for a clock that has not seen it', () => {
    const config = feesOf({
      cliffFeeNumerator: 500_000_000n,
      firstFactor: 4,
      secondFactor: 60n,
      thirdFactor: 100_000_000n,
    });
    const feeAfter = (seconds: bigint) =>
      meteoraDbc.quoteExactIn(usable(config), QUOTE, 1_000_000n, {
        ...DBC_CLOCK,
        unixTimestamp: DBC_CLOCK.unixTimestamp + seconds,
      })?.feeAmount;
    expect([-3n, 0n, 59n, 60n, 240n, 9_999n].map(feeAfter)).toEqual([
      500_000n,
      500_000n,
      500_000n,
      400_000n,
      100_000n,
      100_000n,
    ]);
  });

  it('rises with the size of a purchase while a rate limiter is at work', () => {
    const share = (amount: bigint, seconds = 0n) => {
      const clock = { ...DBC_CLOCK, unixTimestamp: DBC_CLOCK.unixTimestamp + seconds };
      const { feeAmount = 0n } = meteoraDbc.quoteExactIn(usable(LIMITED), QUOTE, amount, clock) ?? {};
      return Number(feeAmount) / Number(amount);
    };
    expect(share(1_000_000n)).toBe(0.01);
    expect(share(2_000_000n)).toBeCloseTo((0.01 + 0.11) / 2, 9);
    expect(share(10_000_000n)).toBeGreaterThan(0.4);
    expect(share(10_000_000n, 101n)).toBe(0.01);
    expect(meteoraDbc.quoteExactIn(traded(LIMITED), BASE, 10_000_000n, DBC_CLOCK)).toMatchObject({
      feeMint: QUOTE,
    });
  });

  it('of a first purchase has the discount of the transaction that creates the pool', () => {
    const config = {
      ...feesOf({
        cliffFeeNumerator: 500_000_000n,
        firstFactor: 4,
        secondFactor: 60n,
        thirdFactor: 100_000_000n,
      }),
      enableFirstSwapWithMinFee: true,
    };
    expect(quoteFirstPurchase(usable(config), 1_000_000n, DBC_CLOCK)?.feeAmount).toBe(100_000n);
    expect(meteoraDbc.quoteExactIn(usable(config), QUOTE, 1_000_000n, DBC_CLOCK)?.feeAmount).toBe(500_000n);
    const plain = { ...config, enableFirstSwapWithMinFee: false };
    expect(quoteFirstPurchase(usable(plain), 1_000_000n, DBC_CLOCK)?.feeAmount).toBe(500_000n);
  });

  it('is null for what the curve cannot take or pay', () => {
    const whole = 1n << 40n;
    expect(meteoraDbc.quoteExactIn(usable(), BASE, 1_000_000n, DBC_CLOCK)).toBeNull();
    expect(meteoraDbc.quoteExactIn(usable(), QUOTE, whole, DBC_CLOCK)).toBeNull();
    expect(meteoraDbc.quoteExactOut(usable(), BASE, 1n, DBC_CLOCK)).toBeNull();
    expect(meteoraDbc.quoteExactIn(usable(), SYSTEM_PROGRAM, 1_000_000n, DBC_CLOCK)).toBeNull();
    expect(meteoraDbc.quoteExactIn(usable(), QUOTE, 0n, DBC_CLOCK)).toBeNull();
    expect(meteoraDbc.quoteExactIn(usable(), QUOTE, 1n, DBC_CLOCK)).toBeNull();
  });

  it('is null for a purchase that completes the curve without leaving what the migration needs', () => {
    const fills = { migrationQuoteThreshold: 1_000_000n, migrationBaseThreshold: 1n << 50n };
    const buys = (changes: Partial<DbcPoolConfig>, amount: bigint) =>
      meteoraDbc.quoteExactIn(usable(changes), QUOTE, amount, DBC_CLOCK) !== null;
    expect(buys(fills, 2_000_000n)).toBe(false);
    expect(buys(fills, 500_000n)).toBe(true);
    expect(buys({ ...fills, migrationBaseThreshold: 1n }, 2_000_000n)).toBe(true);
  });
});

describe('a pool', () => {
  it.each([
    ['whose curve is complete', {}, { quoteReserve: 1n << 32n }, /curve is complete/],
    ['that has migrated', {}, { isMigrated: 1 }, /has migrated/],
    ['with a base fee of an unknown kind', feesOf({ baseFeeMode: 3 }), {}, /base fee mode is 3/],
    ['with fees taken in an unknown way', { collectFeeMode: 2 }, {}, /collecting fees is 2/],
    ['that counts neither slots nor seconds', { activationType: 2 }, {}, /activation type is 2/],
    ['without a curve', { curve: [] }, {}, /no liquidity/],
  ] as [string, Partial<DbcPoolConfig>, Partial<DbcVirtualPool>, RegExp][])(
    '%s is unusable',
    (_, config, pool, reason) => {
      expect(decode(config, pool)).toEqual({ unusable: expect.stringMatching(reason) });
    },
  );

  it('is unusable while an account is missing or not what it should be', () => {
    const none = createDbcAccount(SYSTEM_PROGRAM, new Uint8Array(0));
    for (const address of [DBC_CASE.config, BASE, QUOTE, DBC_CASE.pool]) {
      expect(decode({}, {}, new Map([[address, none]]))).toEqual({ unusable: expect.any(String) });
    }
    const charging = createDbcAccount(
      TOKEN_2022_PROGRAM,
      encodeMint({ ...MINT, extensions: [chargesTransfers()] }),
    );
    expect(decode({}, {}, new Map([[QUOTE, charging]]))).toEqual({
      unusable: expect.stringContaining('withholds fees'),
    });
  });

  it('depends on its configuration and both mints, the second of which the configuration names', () => {
    const account = poolAccount();
    const read = createDbcReader({ config: PLAIN_DBC_CONFIG, pool: PLAIN_DBC_POOL });
    expect(meteoraDbc.dependencies(DBC_CASE.pool, account)).toEqual([DBC_CASE.config, BASE]);
    expect(meteoraDbc.furtherDependencies?.(account, read)).toEqual([QUOTE]);
    expect(meteoraDbc.furtherDependencies?.(account, () => null)).toEqual([]);
  });

  it('is unusable with a curve or a price that the program never writes', () => {
    const point = { sqrtPrice: 1n << 55n, liquidity: 1n << 106n };
    expect([
      decode({ curve: [{ ...point, sqrtPrice: 1n << 54n }, point] }),
      decode({ curve: [{ ...point, sqrtPrice: 1n << 56n }, point] }),
      decode({ migrationSqrtPrice: 1n << 57n }),
      decode({ sqrtStartPrice: 1n }),
      decode({}, { sqrtPrice: 0n }),
      decode({}, { sqrtPrice: (1n << 54n) - 1n }),
      decode({}, { sqrtPrice: (1n << 55n) + 1n }),
    ]).toEqual([
      { unusable: 'the prices of its curve do not rise' },
      { unusable: 'the prices of its curve do not rise' },
      { unusable: 'its curve ends before the price of the migration' },
      { unusable: 'its curve starts at the price 1' },
      { unusable: 'its price 0 is not on its curve' },
      { unusable: `its price ${(1n << 54n) - 1n} is not on its curve` },
      { unusable: `its price ${(1n << 55n) + 1n} is not on its curve` },
    ]);
    const moved = (sqrtPrice: bigint) =>
      meteoraDbc.advance?.(usable(), DBC_CASE.pool, poolAccount({ sqrtPrice }));
    expect([moved(0n), moved(1n << 56n)]).toEqual([null, null]);
  });

  it('is not followed once it has migrated', () => {
    expect(meteoraDbc.isPool(poolAccount())).toBe(true);
    expect(meteoraDbc.isPool(poolAccount({ quoteReserve: 1n << 32n }))).toBe(true);
    expect(meteoraDbc.isPool(poolAccount({ isMigrated: 1 }))).toBe(false);
    expect(meteoraDbc.isPool({ ...poolAccount(), owner: SYSTEM_PROGRAM })).toBe(false);
  });

  it('is decoded again when anything but its trades changes', () => {
    const pool = usable();
    const moved = (changes: Partial<DbcVirtualPool>) =>
      meteoraDbc.advance?.(pool, DBC_CASE.pool, poolAccount(changes));
    expect(moved({ sqrtPrice: 1n << 55n, quoteReserve: 7n })).toEqual(
      decode({}, { sqrtPrice: 1n << 55n, quoteReserve: 7n }),
    );
    expect(moved({ creator: QUOTE })).toMatchObject({ mints: [BASE, QUOTE] });
    expect(moved({ baseMint: QUOTE })).toBeNull();
    expect(moved({ quoteReserve: 1n << 32n })).toBeNull();
    expect(moved({ isMigrated: 1 })).toBeNull();
  });

  it('tells since when it trades if it counts seconds', () => {
    expect(meteoraDbc.openedAt?.(usable())).toBe(DBC_CLOCK.unixTimestamp);
    expect(meteoraDbc.openedAt?.(usable({ activationType: 0 }))).toBeNull();
  });
});

describe('a step', () => {
  it('has 15 accounts, and the instructions sysvar where purchases may be limited', () => {
    const step = (pool: MeteoraDbcPool, mint: Address) =>
      meteoraDbc.routeStep(pool, mint, { authority: named(7), source: named(8), destination: named(9) });
    const plain = step(usable(), QUOTE);
    expect(plain.swap).toEqual(Uint8Array.of(78));
    expect(plain.accounts).toHaveLength(16);
    const limited = step(usable(LIMITED), QUOTE);
    expect(limited.swap).toEqual(Uint8Array.of(88));
    expect(limited.accounts.slice(16).map(({ address }) => address)).toEqual([
      SYSVAR_INSTRUCTIONS,
      AGGREGATOR_PROGRAM,
    ]);
    expect(step(usable(LIMITED), BASE).swap).toEqual(Uint8Array.of(78));
  });

  it('is the only one of its pool in a transaction while purchases are limited', () => {
    const later = { ...DBC_CLOCK, unixTimestamp: DBC_CLOCK.unixTimestamp + 101n };
    expect(meteoraDbc.isOncePerTransaction?.(usable(LIMITED), QUOTE, DBC_CLOCK)).toBe(true);
    expect(meteoraDbc.isOncePerTransaction?.(usable(LIMITED), BASE, DBC_CLOCK)).toBe(false);
    expect(meteoraDbc.isOncePerTransaction?.(usable(LIMITED), QUOTE, later)).toBe(false);
    expect(meteoraDbc.isOncePerTransaction?.(usable(), QUOTE, DBC_CLOCK)).toBe(false);
  });
});

const { baseMint: BASE, quoteMint: QUOTE } = DBC_CASE;
const MINT = { mintAuthority: null, supply: 0n, decimals: 6, freezeAuthority: null, extensions: [] };

/** Purchases of more than 1,000,000 are charged ten percent more for each further 1,000,000, during 100 seconds. */
const LIMITED = feesOf({ firstFactor: 1_000, secondFactor: 100n, thirdFactor: 1_000_000n, baseFeeMode: 2 });

function feesOf(changes: Partial<DbcBaseFee>): Partial<DbcPoolConfig> {
  const { poolFees } = PLAIN_DBC_CONFIG;
  return { poolFees: { ...poolFees, baseFee: { ...poolFees.baseFee, ...changes } } };
}

function chargesTransfers() {
  const fee = { epoch: 0n, maximumFee: 1_000n, basisPoints: 100 };
  const authorities = { configAuthority: null, withdrawWithheldAuthority: null };
  return encodeTransferFeeConfigExtension({ ...authorities, withheldAmount: 0n, older: fee, newer: fee });
}

function named(number: number): Address {
  return toAddress(new Uint8Array(32).fill(number));
}

function poolAccount(changes: Partial<DbcVirtualPool> = {}): Account {
  return createDbcAccount(METEORA_DBC_PROGRAM, encodeDbcPool({ ...PLAIN_DBC_POOL, ...changes }));
}

function decode(
  config: Partial<DbcPoolConfig> = {},
  pool: Partial<DbcVirtualPool> = {},
  others: ReadonlyMap<Address, Account> = new Map(),
) {
  const accounts = {
    config: { ...PLAIN_DBC_CONFIG, ...config },
    pool: { ...PLAIN_DBC_POOL, ...pool },
  };
  return meteoraDbc.decode(DBC_CASE.pool, createDbcReader(accounts, others));
}

function usable(config: Partial<DbcPoolConfig> = {}, changes: Partial<DbcVirtualPool> = {}): MeteoraDbcPool {
  const pool = decode(config, changes);
  if ('unusable' in pool) throw new Error(pool.unusable);
  return pool;
}

/** A pool whose price has risen by half of a percent. */
function traded(config: Partial<DbcPoolConfig> = {}): MeteoraDbcPool {
  const sqrtPrice = (1n << 54n) + (1n << 54n) / 400n;
  const quoteReserve = ((1n << 106n) * (sqrtPrice - (1n << 54n))) >> 128n;
  return usable(config, { sqrtPrice, quoteReserve: quoteReserve + 1n });
}
