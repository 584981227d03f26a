import fc from 'fast-check';
import type {
  AmmConfig,
  RaydiumPoolAccount,
  RaydiumSides,
} from '../../../src/protocols/raydium-cpmm/program/layout.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { type Fee, layOut, type Token, token, withTransferFee } from './fixture.ts';

/** The time of the cases. */
export const EPOCH = 500n;
export const NOW = 1_800_000_000n;

const MILLION = 1_000_000n;

type Kind = 'spl' | 'token-2022' | 'transfer fee';
type FeeSchedule = readonly [older: Fee, newer: Fee & { readonly epoch: bigint }];

export interface SwapCase {
  readonly kinds: RaydiumSides<Kind>;
  readonly schedules: RaydiumSides<FeeSchedule>;
  readonly vaultAmounts: RaydiumSides<bigint>;
  readonly config: Partial<AmmConfig>;
  readonly pool: Partial<RaydiumPoolAccount>;
  readonly inputSide: 0 | 1;
  readonly exact: 'in' | 'out';
  readonly amount: bigint;
}

/** Small and large numbers are equally frequent, because rounding errors show in small numbers. */
const upTo = (bits: number): fc.Arbitrary<bigint> =>
  fc
    .tuple(fc.integer({ min: 0, max: bits }), fc.bigInt(0n, (1n << BigInt(bits)) - 1n))
    .map(([shift, value]) => value >> BigInt(shift));

const kind: fc.Arbitrary<Kind> = fc.constantFrom('spl', 'spl', 'token-2022', 'transfer fee', 'transfer fee');
const fee: fc.Arbitrary<Fee> = fc.record({
  basisPoints: fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 0, max: 1000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 10_000 }) },
    { weight: 1, arbitrary: fc.constantFrom(1, 9999, 10_000) },
  ),
  maximumFee: fc.oneof(fc.constant(U64_MAX), fc.constant(0n), upTo(40)),
});
const schedule: fc.Arbitrary<FeeSchedule> = fc.tuple(
  fee,
  fc.record({
    basisPoints: fc.integer({ min: 0, max: 500 }),
    maximumFee: fc.oneof(fc.constant(U64_MAX), upTo(40)),
    epoch: fc.constantFrom(0n, EPOCH - 1n, EPOCH, EPOCH + 1n),
  }),
);
const config = fc
  .record({
    tradeFeeRate: fc.oneof(
      fc.constantFrom(0n, 1n, 2500n),
      fc.bigInt(0n, 20_000n),
      fc.bigInt(0n, MILLION - 1n),
    ),
    creatorFeeRate: fc.oneof(fc.constantFrom(0n, 500n), fc.bigInt(0n, 20_000n), fc.bigInt(0n, MILLION - 1n)),
    protocolFeeRate: fc.bigInt(0n, MILLION),
    fundFeeRate: fc.bigInt(0n, MILLION),
  })
  .map((rates) => ({
    ...rates,
    creatorFeeRate: rates.creatorFeeRate % (MILLION - rates.tradeFeeRate),
    fundFeeRate: rates.fundFeeRate % (MILLION - rates.protocolFeeRate + 1n),
  }));
const pair = <T>(each: fc.Arbitrary<T>) => fc.tuple(each, each);

/** Swaps in pools of every kind. About half of them succeed. */
export const swapCase: fc.Arbitrary<SwapCase> = fc
  .record({
    kinds: pair(kind),
    schedules: pair(schedule),
    vaultAmounts: pair(
      fc.oneof(
        { weight: 9, arbitrary: fc.bigInt(1n, (1n << 61n) - 1n) },
        { weight: 9, arbitrary: upTo(60).map((value) => value + 1n) },
      ),
    ),
    config,
    /**
     * The unpaid fees of protocol, fund and creator, in millionths of each vault. The last case leaves the pool
     * nothing.
     */
    owed: pair(
      fc.oneof(
        { weight: 20, arbitrary: fc.constant([0n, 0n, 0n]) },
        { weight: 20, arbitrary: fc.array(fc.bigInt(0n, 300_000n), { minLength: 3, maxLength: 3 }) },
        { weight: 1, arbitrary: fc.constant([MILLION, 0n, 0n]) },
      ),
    ),
    creatorFeeOn: fc.integer({ min: 0, max: 2 }),
    creatorFeeEnabled: fc.boolean(),
    status: fc.oneof({ weight: 40, arbitrary: fc.constantFrom(0, 3) }, fc.integer({ min: 0, max: 7 })),
    opensIn: fc.oneof({ weight: 40, arbitrary: fc.constantFrom(0n, -1n) }, fc.constant(1n)),
    inputSide: fc.constantFrom<0 | 1>(0, 1),
    exact: fc.constantFrom<'in' | 'out'>('in', 'out'),
    /** Null means a share of a reserve, or, if `nearReserve` is given, the whole reserve plus that difference. */
    amount: fc.oneof(
      { weight: 30, arbitrary: fc.constant(null) },
      { weight: 4, arbitrary: upTo(62) },
      { weight: 2, arbitrary: fc.bigInt(0n, 20n) },
      { weight: 1, arbitrary: fc.constant(U64_MAX) },
    ),
    share: fc.oneof(fc.bigInt(0n, MILLION), fc.bigInt(0n, 1000n)),
    nearReserve: fc.oneof(
      { weight: 14, arbitrary: fc.constant(null) },
      { weight: 1, arbitrary: fc.bigInt(-3n, 3n) },
    ),
  })
  .map(({ owed, creatorFeeOn, creatorFeeEnabled, status, opensIn, nearReserve, share, ...rest }) => {
    const fees = (whose: number): RaydiumSides<bigint> => [
      (rest.vaultAmounts[0] * (owed[0][whose] ?? 0n)) / MILLION,
      (rest.vaultAmounts[1] * (owed[1][whose] ?? 0n)) / MILLION,
    ];
    const [protocolFees, fundFees, creatorFees] = [fees(0), fees(1), fees(2)];
    const side = rest.exact === 'in' || rest.inputSide === 1 ? 0 : 1;
    const reserve = rest.vaultAmounts[side] - protocolFees[side] - fundFees[side] - creatorFees[side];
    const near = nearReserve === null ? (reserve * share) / MILLION : reserve + nearReserve;
    return {
      ...rest,
      amount: rest.amount ?? (near < 0n ? 0n : near),
      pool: {
        protocolFees,
        fundFees,
        creatorFees,
        creatorFeeOn,
        creatorFeeEnabled,
        status,
        openTime: NOW + opensIn,
      },
    };
  });

/** The tokens of a case, in the order of their mints. */
export function tokensOf({ kinds, schedules }: SwapCase): RaydiumSides<Token> {
  const each = (side: 0 | 1): Token => {
    const extensions = kinds[side] === 'transfer fee' ? [withTransferFee(...schedules[side])] : [];
    return token(
      `${kinds.join(' ')} ${NAMES.get(kinds.join(' '))?.[side]}`,
      extensions,
      kinds[side] !== 'spl',
    );
  };
  return [each(0), each(1)];
}

/** Names under which a pair of tokens sorts by its mints' bytes as it is given. */
const NAMES = new Map(
  (['spl', 'token-2022', 'transfer fee'] as const).flatMap((first) =>
    (['spl', 'token-2022', 'transfer fee'] as const).map((second) => {
      const name = `${first} ${second}`;
      const ordered = layOut([token(`${name} x`), token(`${name} y`)]).tokens[0].mint;
      return [name, ordered === token(`${name} x`).mint ? ['x', 'y'] : ['y', 'x']] as const;
    }),
  ),
);
