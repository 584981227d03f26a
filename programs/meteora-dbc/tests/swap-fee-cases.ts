import fc from 'fast-check';
import type { DbcPoolFees } from '../../../src/protocols/meteora-dbc/program/config-terms.ts';
import type { DbcVolatility } from '../../../src/protocols/meteora-dbc/program/layout-pool.ts';
import { DbcBaseFeeMode, DbcCollectFeeMode } from '../../../src/protocols/meteora-dbc/program/program.ts';

/** The Unix second of every swap. */
export const NOW = 1_700_000_000n;
/** One basis point as a Q64.64, which is the only bin step. */
const BIN_STEP_Q64 = 1_844_674_407_370_955n;
const MIN_FEE = 2_500_000n;
const MAX_FEE = 990_000_000n;

/** Numbers with a random number of bits between the two limits. */
export const ofBits = (min: number, max: number): fc.Arbitrary<bigint> =>
  fc
    .tuple(fc.integer({ min, max }), fc.bigInt(0x8000n, 0xffffn))
    .map(([bits, lead]) => (bits >= 16 ? lead << BigInt(bits - 16) : lead >> BigInt(16 - bits)));

export const MILLION = 1_000_000n;
export const millionths = fc.bigInt(0n, MILLION);
const cliff = fc.oneof(fc.bigInt(MIN_FEE, 50_000_000n), fc.bigInt(MIN_FEE, MAX_FEE));

const baseFee = fc.oneof(
  { weight: 2, arbitrary: cliff.map((rate) => constant(rate)) },
  {
    weight: 3,
    arbitrary: fc
      .record({
        rate: cliff,
        mode: fc.constantFrom(DbcBaseFeeMode.LINEAR, DbcBaseFeeMode.EXPONENTIAL),
        periods: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 65_535 })),
        frequency: fc.oneof(fc.bigInt(1n, 600n), fc.bigInt(1n, 1n << 40n)),
        share: millionths,
      })
      .map(({ rate, mode, periods, frequency, share }) => ({
        cliffFeeNumerator: rate,
        firstFactor: periods,
        secondFactor: frequency,
        thirdFactor:
          mode === DbcBaseFeeMode.LINEAR
            ? max(((rate - MIN_FEE) * share) / MILLION / BigInt(periods), 0n)
            : (10_000n * share) / MILLION,
        baseFeeMode: mode,
      })),
  },
);

/** A fee that rises with the amount of purchases. It needs fees in the quote token. */
const rateLimiter = fc
  .record({
    rate: cliff,
    increment: fc.oneof(fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 9_899 })),
    duration: fc.bigInt(1n, 108_000n),
    reference: fc.oneof({ weight: 3, arbitrary: ofBits(4, 50) }, ofBits(1, 63)),
  })
  .map(({ rate, increment, duration, reference }) => ({
    cliffFeeNumerator: rate,
    firstFactor: increment,
    secondFactor: duration,
    thirdFactor: reference,
    baseFeeMode: DbcBaseFeeMode.RATE_LIMITER,
  }));

function constant(rate: bigint): DbcPoolFees['baseFee'] {
  return {
    cliffFeeNumerator: rate,
    firstFactor: 0,
    secondFactor: 0n,
    thirdFactor: 0n,
    baseFeeMode: DbcBaseFeeMode.LINEAR,
  };
}

/** A fee that follows volatility, with a state that swaps can produce. */
export const dynamicFee = fc
  .record({
    maxVolatilityAccumulator: fc.integer({ min: 0, max: 0xff_ffff }),
    variableFeeControl: fc.integer({ min: 0, max: 0xff_ffff }),
    filterPeriod: fc.integer({ min: 0, max: 100 }),
    decay: fc.integer({ min: 1, max: 1_200 }),
    reductionFactor: fc.integer({ min: 0, max: 10_000 }),
    elapsed: fc.oneof(fc.bigInt(0n, 90n), fc.bigInt(0n, 3_000n)),
    accumulated: millionths,
    referenced: millionths,
    moved: fc.bigInt(500_000n, 2_000_000n),
  })
  .map(({ decay, elapsed, accumulated, referenced, moved, ...rest }) => {
    const volatilityAccumulator = (BigInt(rest.maxVolatilityAccumulator) * accumulated) / MILLION;
    const decayPeriod = rest.filterPeriod + decay;
    const terms = { ...rest, decayPeriod, binStep: 1, binStepU128: BIN_STEP_Q64 };
    const volatilityReference = (volatilityAccumulator * referenced) / MILLION;
    const state = { lastUpdateTimestamp: NOW - elapsed, volatilityAccumulator, volatilityReference };
    return { terms, state, moved };
  });

/** The state of a fee that does not follow volatility. */
export const CALM: DbcVolatility = {
  lastUpdateTimestamp: 0n,
  sqrtPriceReference: 0n,
  volatilityAccumulator: 0n,
  volatilityReference: 0n,
};

/** A base fee, with the token in which it is taken. */
export const fees = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      baseFee,
      collectFeeMode: fc.constantFrom<number>(DbcCollectFeeMode.QUOTE_TOKEN, DbcCollectFeeMode.OUTPUT_TOKEN),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      baseFee: rateLimiter,
      collectFeeMode: fc.constant<number>(DbcCollectFeeMode.QUOTE_TOKEN),
    }),
  },
);

/** Returns the larger number. */
export function max(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
