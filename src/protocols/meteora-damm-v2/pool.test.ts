import { describe, expect, it } from 'vitest';
import type { Account } from '../../chain/accounts.ts';
import { type Address, toAddress } from '../../solana/address.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { encodeMint } from '../../solana/programs/token/mint.ts';
import { meteoraDammV2 } from './venue.ts';
import { BaseFeeMode, CollectFeeMode, encodePool, type DammPoolAccount } from './program/layout.ts';
import type { MeteoraDammV2Pool } from './pool.ts';
import { MAX_SQRT_PRICE, METEORA_DAMM_V2_PROGRAM, MIN_SQRT_PRICE } from './program/program.ts';

describe('a quote', () => {
  it('takes the fee from the output, in its token', () => {
    const quote = { inAmount: 1_000_000n, outAmount: 989_999n, feeAmount: 10_000n };
    expect(quoteIn(usable())).toEqual({ ...quote, feeMint: MINTS[1] });
    expect(quoteIn(usable(), 1)).toEqual({ ...quote, feeMint: MINTS[0] });
  });

  it('takes the fee from the input where that is token B', () => {
    const pool = usable({ collectFeeMode: CollectFeeMode.TOKEN_B });
    expect(quoteIn(pool, 0)).toMatchObject({ outAmount: 989_999n, feeMint: MINTS[1] });
    expect(quoteIn(pool, 1)).toMatchObject({ outAmount: 989_999n, feeAmount: 10_000n, feeMint: MINTS[1] });
  });

  it('of an exact output is the least input that pays it', () => {
    const pool = usable();
    const exact = meteoraDammV2.quoteExactOut(pool, MINTS[0], 989_999n, CLOCK);
    expect(exact?.inAmount).toBe(1_000_000n);
  });

  it('follows a schedule: before, within and after it', () => {
    const baseFee = {
      cliff: 500_000_000n,
      mode: BaseFeeMode.TIME_LINEAR,
      periods: 4,
      middle: 60n,
      last: 100_000_000n,
    };
    const pool = usable({ baseFee, activationPoint: CLOCK.unixTimestamp });
    const feeAt = (seconds: bigint) =>
      quoteIn(pool, 0, { ...CLOCK, unixTimestamp: CLOCK.unixTimestamp + seconds })?.feeAmount ?? null;
    expect([-1n, 0n, 59n, 60n, 240n, 9999n].map(feeAt)).toEqual([
      null,
      500_000n,
      500_000n,
      400_000n,
      100_000n,
      100_000n,
    ]);
  });

  it('counts slots where the pool does', () => {
    const pool = usable({ activationType: 0, activationPoint: CLOCK.slot + 1n });
    expect(quoteIn(pool)).toBeNull();
    expect(quoteIn(pool, 0, { ...CLOCK, slot: CLOCK.slot + 1n })).not.toBeNull();
  });

  it('has a time of its opening only where that counts seconds', () => {
    const openedAt = (activationType: number) =>
      meteoraDammV2.openedAt?.(usable({ activationType, activationPoint: 350_000_000n }));
    expect(openedAt(0)).toBeNull();
    expect(openedAt(1)).toBe(350_000_000n);
  });

  it('is null while a rate limiter is active, but not before it and not in the other direction', () => {
    const baseFee = {
      cliff: 10_000_000n,
      mode: BaseFeeMode.RATE_LIMITER,
      periods: 10,
      middle: 100n,
      last: 1_000n,
    };
    const at = (activationPoint: bigint) => usable({ baseFee, activationPoint, collectFeeMode: 1 });
    expect(quoteIn(at(CLOCK.unixTimestamp), 1)).toBeNull();
    expect(quoteIn(at(CLOCK.unixTimestamp), 0)).not.toBeNull();
    expect(quoteIn(at(CLOCK.unixTimestamp - 101n), 1)).not.toBeNull();
  });

  it('is refused for what the pool does not trade, and out of the price range', () => {
    expect(meteoraDammV2.quoteExactIn(usable(), named(9), 1n, CLOCK)).toBeNull();
    const narrow = usable({ sqrtMinPrice: ((1n << 64n) * 999n) / 1000n });
    expect(meteoraDammV2.quoteExactIn(narrow, MINTS[0], 2_000_000_000n, CLOCK)).toBeNull();
    expect(meteoraDammV2.quoteExactOut(narrow, MINTS[0], 2_000_000_000n, CLOCK)).toBeNull();
  });
});

describe('a pool', () => {
  const noBinStep = { maxAccumulator: 1, control: 1, binStep: 1, binStepQ64: 0n };
  it.each([
    ['that is disabled', { status: 1 }, /disabled/],
    ['without liquidity', { liquidity: 0n }, /no liquidity/],
    ['with a base fee of an unknown kind', { baseFee: { ...PLAIN.baseFee, mode: 5 } }, /base fee mode is 5/],
    ['with fees taken in an unknown way', { collectFeeMode: 3 }, /collecting fees is 3/],
    ['that counts neither slots nor seconds', { activationType: 2 }, /activation type is 2/],
    ['of an unknown version', { feeVersion: 2 }, /fee version is 2/],
    ['of an unknown layout', { layoutVersion: 2 }, /layout version is 2/],
    [
      'whose dynamic fee divides by zero',
      { dynamicFee: { ...noBinStep, filterPeriod: 1, decayPeriod: 2, reductionBps: 0 } },
      /bin step of zero/,
    ],
  ] as [string, Partial<DammPoolAccount>, RegExp][])('%s is unusable', (_, changes, reason) => {
    expect(decode(changes)).toEqual({ unusable: expect.stringMatching(reason) });
  });

  it('is unusable while a mint is missing or not one', () => {
    const foreign = new Map([[MINTS[1], account(SYSTEM_PROGRAM, new Uint8Array(82))]]);
    expect(decode({}, foreign)).toEqual({ unusable: expect.stringContaining('no token program') });
    const cut = new Map([[POOL, account(METEORA_DAMM_V2_PROGRAM, new Uint8Array(100))]]);
    expect(decode({}, cut)).toEqual({ unusable: expect.stringContaining('not a valid') });
  });

  it('is unusable at a price that the program never writes', () => {
    for (const layoutVersion of [0, 1]) {
      const at = (sqrtPrice: bigint) => decode({ sqrtPrice, layoutVersion, sqrtMinPrice: 1n << 63n });
      expect(at(0n)).toEqual({ unusable: 'its price 0 is out of its range' });
      expect(at((1n << 63n) - 1n)).toEqual({ unusable: expect.stringContaining('out of its range') });
      expect(at(1n << 63n)).not.toHaveProperty('unusable');
      const pool = usable({ layoutVersion });
      const moved = encodePool({ ...PLAIN, layoutVersion, sqrtPrice: 0n });
      expect(meteoraDammV2.advance?.(pool, POOL, account(METEORA_DAMM_V2_PROGRAM, moved))).toBeNull();
    }
    expect(decode({ sqrtMinPrice: 0n })).toEqual({ unusable: 'its range of prices is not possible' });
    expect(decode({ collectFeeMode: CollectFeeMode.COMPOUNDING, amounts: [0n, 1n] })).toEqual({
      unusable: 'it holds only one of its tokens',
    });
  });

  it('is decoded again when its terms change, and only then', () => {
    const pool = usable();
    const moved = (changes: Partial<DammPoolAccount>) =>
      meteoraDammV2.advance?.(
        pool,
        POOL,
        account(METEORA_DAMM_V2_PROGRAM, encodePool({ ...PLAIN, ...changes })),
      );
    expect(moved({ sqrtPrice: 1n << 65n })).toMatchObject({ sqrtPrice: 1n << 65n, mints: MINTS });
    expect(moved({ status: 1 })).toBeNull();
    expect(moved({ liquidity: 0n })).toBeNull();
    expect(moved({ baseFee: { ...PLAIN.baseFee, cliff: 1n } })).toBeNull();
  });
});

it('an estimate comes close to the quote, up to the end of the prices', () => {
  for (const collectFeeMode of [0, 1, 2]) {
    const pool = usable({ collectFeeMode, sqrtMinPrice: 1n << 63n, sqrtMaxPrice: 1n << 65n });
    for (const side of [0, 1] as const) {
      for (const amount of [1_000_000n, 1_000_000_000n, 400_000_000_000n]) {
        const quote = meteoraDammV2.quoteExactIn(pool, MINTS[side], amount, CLOCK);
        const estimated = meteoraDammV2.estimate(pool, MINTS[side], Number(amount), CLOCK);
        expect(estimated / Number(quote?.outAmount)).toBeCloseTo(1, 4);
      }
    }
    const [most, more] = [10e12, 20e12].map((amount) =>
      meteoraDammV2.estimate(pool, MINTS[0], amount, CLOCK),
    );
    if (collectFeeMode !== 2) expect(more).toBe(most);
  }
});

it('an estimate follows the fee through time, and is nothing while the program refuses', () => {
  const schedule = { cliff: 500_000_000n, periods: 4, middle: 60n };
  const limiter = {
    cliff: 10_000_000n,
    mode: BaseFeeMode.RATE_LIMITER,
    periods: 10,
    middle: 100n,
    last: 1_000n,
  };
  for (const baseFee of [
    { ...schedule, mode: BaseFeeMode.TIME_LINEAR, last: 100_000_000n },
    { ...schedule, mode: BaseFeeMode.TIME_EXPONENTIAL, last: 2_000n },
    { ...schedule, mode: BaseFeeMode.PRICE_LINEAR, middle: 100n | (200n << 32n), last: 100_000_000n },
    limiter,
  ]) {
    const pool = usable({ baseFee, activationPoint: CLOCK.unixTimestamp, collectFeeMode: 1 });
    for (const seconds of [-1n, 0n, 59n, 150n, 9_999n, 60n, 240n, -1n, 0n]) {
      const clock = { ...CLOCK, unixTimestamp: CLOCK.unixTimestamp + seconds };
      for (const side of [0, 1] as const) {
        const paid = Number(quoteIn(pool, side, clock)?.outAmount ?? 0n);
        const estimated = meteoraDammV2.estimate(pool, MINTS[side], 1_000_000, clock);
        expect(Math.abs(estimated - paid)).toBeLessThan(2);
      }
    }
  }
});

const CLOCK = { slot: 1_000n, epoch: 10n, unixTimestamp: 1_800_000_000n };
const POOL = named(1);
const MINTS = [named(2), named(3)] as const;
const MILLION_UNITS = 1_000_000_000_000n;

function named(number: number): Address {
  return toAddress(new Uint8Array(32).fill(number));
}

/** A million units of each token at a price of one, over all prices, for 1%. */
const PLAIN: DammPoolAccount = {
  baseFee: { cliff: 10_000_000n, mode: BaseFeeMode.TIME_LINEAR, periods: 0, middle: 0n, last: 0n },
  protocolFeePercent: 20,
  referralFeePercent: 20,
  compoundingBps: 0,
  dynamicFee: null,
  volatility: { lastUpdate: 0n, referencePrice: 0n, accumulator: 0n, reference: 0n },
  initSqrtPrice: 1n << 64n,
  mints: MINTS,
  vaults: [named(4), named(5)],
  whitelistedVault: SYSTEM_PROGRAM,
  liquidity: MILLION_UNITS << 64n,
  sqrtPrice: 1n << 64n,
  sqrtMinPrice: MIN_SQRT_PRICE,
  sqrtMaxPrice: MAX_SQRT_PRICE,
  amounts: [MILLION_UNITS, MILLION_UNITS],
  activationPoint: 0n,
  activationType: 1,
  status: 0,
  tokenFlags: [0, 0],
  layoutVersion: 1,
  collectFeeMode: CollectFeeMode.OUTPUT,
  kind: 1,
  feeVersion: 1,
  protocolFees: [0n, 0n],
  creator: SYSTEM_PROGRAM,
  positions: 1n,
};

function account(owner: Address, data: Uint8Array): Account {
  return { owner, data, lamports: 1n, executable: false, rentEpoch: 0n };
}

function decode(changes: Partial<DammPoolAccount> = {}, accounts: ReadonlyMap<Address, Account> = new Map()) {
  const mint = { mintAuthority: null, supply: 0n, decimals: 6, freezeAuthority: null, extensions: [] };
  const all = new Map([
    [POOL, account(METEORA_DAMM_V2_PROGRAM, encodePool({ ...PLAIN, ...changes }))],
    ...MINTS.map((each) => [each, account(TOKEN_PROGRAM, encodeMint(mint))] as const),
    ...accounts,
  ]);
  return meteoraDammV2.decode(POOL, (address) => all.get(address) ?? null);
}

function usable(changes: Partial<DammPoolAccount> = {}): MeteoraDammV2Pool {
  const pool = decode(changes);
  if ('unusable' in pool) throw new Error(pool.unusable);
  return pool;
}

function quoteIn(pool: MeteoraDammV2Pool, side: 0 | 1 = 0, clock = CLOCK) {
  return meteoraDammV2.quoteExactIn(pool, MINTS[side], 1_000_000n, clock);
}
