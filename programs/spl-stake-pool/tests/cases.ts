import fc from 'fast-check';
import type {
  StakePoolFee,
  FutureFee,
  StakePoolAccount,
} from '../../../src/protocols/spl-stake-pool/layout.ts';
import type { TestNetwork } from '../../../src/testing/svm/network.ts';
import {
  EPOCH,
  namedAddress,
  NO_FEE,
  type StakePoolSpec,
  WORLD,
  writeStakePool,
  writeTokens,
  writeUser,
} from './fixture.ts';

export interface DealCase {
  readonly deposit: boolean;
  readonly amount: bigint;
  readonly pool: Partial<StakePoolAccount>;
  readonly reserve: bigint;
  readonly managerFrozen: boolean;
  /** The previous balance of the wrapper's accounts, both in tokens and in wrapped SOL. */
  readonly kept: bigint;
}

/** Small and large numbers are equally frequent, because rounding errors show in small numbers. */
const upTo = (bits: number): fc.Arbitrary<bigint> =>
  fc
    .tuple(fc.integer({ min: 0, max: bits }), fc.bigInt(0n, (1n << BigInt(bits)) - 1n))
    .map(([shift, value]) => value >> BigInt(shift));

export const fee: fc.Arbitrary<StakePoolFee> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(NO_FEE) },
  {
    weight: 12,
    arbitrary: fc.record({ denominator: fc.constantFrom(1000n, 10_000n), numerator: fc.bigInt(0n, 100n) }),
  },
  {
    weight: 4,
    arbitrary: fc
      .tuple(upTo(64), fc.bigInt(0n, 1000n))
      .map(([denominator, share]) => ({ denominator, numerator: (denominator * share) / 1000n })),
  },
);
const futureFee: fc.Arbitrary<FutureFee | null> = fc.option(
  fc.record({ epochs: fc.constantFrom<1 | 2>(1, 2), fee }),
);
const rarely = <T>(usual: T, arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 40, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary });

/** Deposits and withdrawals in pools of every kind. More than half of them succeed. */
export const dealCase: fc.Arbitrary<DealCase> = fc
  .record({
    deposit: fc.boolean(),
    totalLamports: fc.oneof({ weight: 30, arbitrary: upTo(60) }, fc.constant(0n)),
    /** Tokens per lamport, in thousandths. */
    rate: fc.oneof({ weight: 6, arbitrary: fc.bigInt(500n, 1000n) }, fc.bigInt(0n, 3000n)),
    dust: fc.bigInt(-1000n, 1000n),
    solDepositFee: fee,
    solReferralFee: fc.oneof(fc.constantFrom(0, 50), fc.integer({ min: 0, max: 100 })),
    solWithdrawalFee: fee,
    lastUpdateEpoch: fc.oneof(
      { weight: 40, arbitrary: fc.constant(EPOCH) },
      fc.constantFrom(EPOCH - 1n, EPOCH + 1n),
    ),
    solDepositAuthority: rarely(null, fc.constant(namedAddress('stranger'))),
    solWithdrawAuthority: rarely(null, fc.constant(namedAddress('stranger'))),
    nextEpochFee: futureFee,
    /** The reserve's part of the lamports under management, in hundredths. */
    inReserve: fc.oneof(fc.constant(100n), fc.bigInt(0n, 100n)),
    managerFrozen: rarely(false, fc.constant(true)),
    kept: upTo(40),
    /** In millionths of the maximum amount, or an amount of its own. */
    share: fc.oneof(fc.bigInt(0n, 1_000_000n), fc.bigInt(0n, 1000n)),
    own: fc.oneof({ weight: 6, arbitrary: fc.constant(null) }, fc.bigInt(0n, 20n), upTo(58)),
  })
  .map(({ deposit, rate, dust, inReserve, managerFrozen, kept, share, own, ...pool }) => {
    const supply = (pool.totalLamports * rate) / 1000n + dust;
    const tokenSupply = supply < 0n ? 0n : supply;
    const there = deposit ? pool.totalLamports : tokenSupply;
    return {
      deposit,
      managerFrozen,
      kept,
      pool: { ...pool, tokenSupply },
      reserve: (pool.totalLamports * inReserve) / 100n,
      amount: own ?? (there * share) / 1_000_000n,
    };
  });

/** Writes everything on which the case depends. The user has enough of both tokens. */
export function writeCase(
  network: TestNetwork,
  { amount, pool, reserve, managerFrozen, kept }: DealCase,
): void {
  const { mint, managerFeeAccount } = WORLD.pool;
  const { tokenSupply, manager } = writeStakePool(network, { pool, reserve });
  const held = { mint, owner: manager, amount: 0n, frozen: managerFrozen };
  writeTokens(network, managerFeeAccount, held);
  // The supply covers the user's tokens, except if the amount exceeds the whole supply.
  writeUser(network, amount > tokenSupply ? amount : tokenSupply, amount, amount + 10n ** 9n, kept);
}

const validator = fc.record({
  activeLamports: upTo(56),
  transientLamports: upTo(40),
  lastUpdateEpoch: rarely(EPOCH, fc.constant(EPOCH - 1n)),
  voteAccount: fc.constant(namedAddress('vote')),
});

/** Pools at the beginning of an epoch, or within one, with rewards or losses since the last update. */
export const updateCase: fc.Arbitrary<StakePoolSpec> = fc
  .record({
    pool: fc.record({
      totalLamports: upTo(58),
      tokenSupply: upTo(58),
      lastUpdateEpoch: fc.constantFrom(EPOCH - 2n, EPOCH - 1n, EPOCH - 1n, EPOCH, EPOCH + 1n),
      epochFee: fee,
      nextEpochFee: futureFee,
      nextStakeWithdrawalFee: futureFee,
      nextSolWithdrawalFee: futureFee,
      preferredDepositValidator: fc.option(fc.constant(namedAddress('vote'))),
    }),
    reserve: fc.oneof(upTo(58), fc.constant(null)),
    validators: fc.array(validator, { maxLength: 4 }),
  })
  .map(({ reserve, ...rest }) => ({ ...rest, reserve: reserve ?? (rest.pool.totalLamports * 21n) / 20n }));
