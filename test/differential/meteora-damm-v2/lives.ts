import fc from 'fast-check';
import {
  namedAddress,
  token,
  withTransferFee,
  writeMint,
  writeTokenAccount,
  writeWallet,
} from '../../../programs/raydium-cpmm/tests/fixture.ts';
import { baseFee, NOW, poolCase, SLOT } from '../../../programs/meteora-damm-v2/tests/cases.ts';
import {
  layOut,
  type Pool,
  type PoolCase,
  parties,
  REFERRALS,
  USER,
  USER_TOKENS,
  writeConfig,
  writeDynamicConfig,
} from '../../../programs/meteora-damm-v2/tests/fixture.ts';
import {
  addLiquidity,
  type CustomPoolTerms,
  claimPositionFee,
  closePosition,
  createPosition,
  initializeCustomizablePool,
  initializePool,
  initializePoolWithDynamicConfig,
  lockInnerPosition,
  lockPosition,
  permanentLockPosition,
  refreshVesting,
  type PositionParties,
  removeAllLiquidity,
  removeLiquidity,
} from '../../../programs/meteora-damm-v2/tests/instructions.ts';
import {
  deriveDammPoolAddress,
  deriveDammVaultAddress,
} from '../../../src/protocols/meteora-damm-v2/program/addresses.ts';
import { swap2 } from '../../../src/protocols/meteora-damm-v2/instructions.ts';
import { readChanges } from '../../../src/protocols/meteora-damm-v2/program/layout.ts';
import { MAX_SQRT_PRICE } from '../../../src/protocols/meteora-damm-v2/program/program.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import type { Allowances, Twin } from '../twin.ts';

/** One instruction; `share` of what it could be, in millionths. */
export type Step =
  | {
      readonly kind: 'swap';
      readonly aToB: boolean;
      readonly mode: number;
      readonly share: bigint;
      readonly referral: boolean;
    }
  | {
      readonly kind: 'add' | 'remove';
      readonly position: 0 | 1;
      readonly share: bigint;
      readonly limit: bigint;
    }
  | { readonly kind: 'claim' | 'remove all' | 'create' | 'close'; readonly position: 0 | 1 }
  | {
      readonly kind: 'lock' | 'lock inner' | 'lock for ever' | 'refresh';
      readonly position: 0 | 1;
      readonly share: bigint;
      /** Points until the cliff; null for one without a point. */
      readonly delay: bigint | null;
      readonly frequency: bigint;
      readonly periods: number;
      readonly vestings: readonly (0 | 1)[];
    };

const MILLION = 1_000_000n;
const share = fc.oneof(fc.bigInt(0n, MILLION), fc.bigInt(0n, 20_000n), fc.bigInt(0n, 10n));
const position = fc.constantFrom<0 | 1>(0, 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant('swap' as const),
      aToB: fc.boolean(),
      mode: fc.constantFrom(0, 0, 1, 2, 3),
      share,
      referral: fc.constantFrom(false, false, true),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constantFrom('add' as const, 'remove' as const),
      position,
      share,
      limit: fc.constantFrom(0n, 0n, 1_000_000n, U64_MAX),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('claim' as const, 'remove all' as const, 'create' as const, 'close' as const),
      position,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        ...['lock' as const, 'lock inner' as const, 'lock for ever' as const],
        ...['refresh' as const, 'refresh' as const],
      ),
      position,
      share,
      delay: fc.constantFrom(null, null, 0n, 7n, 40n, -1n, 1n << 40n),
      frequency: fc.constantFrom(0n, 1n, 5n, 20n, U64_MAX),
      periods: fc.integer({ min: 0, max: 5 }),
      vestings: fc.constantFrom<readonly (0 | 1)[]>([], [0], [1], [0, 1], [1, 1]),
    }),
  },
);

const fee = fc.record({
  basisPoints: fc.integer({ min: 0, max: 1000 }),
  maximumFee: fc.constantFrom(0n, 5000n, U64_MAX),
});
/** What happens to a pool from its creation on. */
export const lives = fc.record({
  fees: fc.tuple(fc.option(fee, { freq: 2 }), fc.option(fee, { freq: 2 })),
  pool: poolCase,
  baseFee,
  config: fc.constantFrom('none' as const, 'static' as const, 'dynamic' as const),
  /** Points from now to the opening. Builds for tests allow at most 30 instead of 31 days. */
  point: fc.constantFrom(null, null, 0n, 20n, -1n, 1n << 30n),
  wrong: fc.constantFrom('nothing', 'nothing', 'nothing', 'nothing', 'mode', 'liquidity', 'price', 'fee'),
  steps: fc.array(step, { minLength: 30, maxLength: 30 }),
});
export type Life = typeof lives extends fc.Arbitrary<infer T> ? T : never;

/** The pool of a life and its two positions: its maker's, and one that comes and goes. */
export interface Lived {
  readonly index: number;
  readonly pool: Pool;
  readonly positions: readonly [PositionParties, PositionParties];
}

/** Creates the pool in both networks, with sound terms if its own are refused; returns what differs. */
export function createPool(
  networks: Twin,
  index: number,
  life: Life,
  allowed: Allowances,
): [Lived, string | null] {
  const made = layOut([
    token(`damm life ${index} a`, life.fees[0] === null ? [] : [withTransferFee(life.fees[0])]),
    token(`damm life ${index} b`, life.fees[1] === null ? [] : [withTransferFee(life.fees[1])]),
  ]);
  const terms = termsOf(life);
  const config = namedAddress(`damm config ${index}`);
  const pool = life.config === 'none' ? made : underConfig(made, config);
  networks.both((network) => {
    writeWallet(network, USER);
    for (const side of [0, 1] as const) {
      writeMint(network, pool.tokens[side]);
      writeTokenAccount(network, USER_TOKENS[side], USER, pool.tokens[side], U64_MAX >> 1n);
      writeTokenAccount(network, REFERRALS[side], USER, pool.tokens[side], 0n);
    }
    if (life.config === 'static') writeConfig(network, config, terms);
    if (life.config === 'dynamic') writeDynamicConfig(network, config, USER);
  });
  const positionOf = (name: string): PositionParties => ({
    owner: USER,
    tokens: USER_TOKENS,
    positionMint: namedAddress(`damm position ${index} ${name}`),
  });
  const positions = [positionOf('first'), positionOf('second')] as const;
  const creations = {
    none: () => initializeCustomizablePool(pool, positions[0], terms),
    static: () => initializePool(pool, positions[0], { config, ...terms }),
    dynamic: () => initializePoolWithDynamicConfig(pool, positions[0], { config, authority: USER, ...terms }),
  };
  const creation = creations[life.config]();
  const different = networks.difference(creation, allowed);
  if (different !== null || networks.publicBuild.account(pool.address) !== null) {
    return [{ index, pool, positions }, different];
  }
  const sound = initializeCustomizablePool(made, positions[0], { ...terms, ...soundTerms(terms) });
  return [{ index, pool: made, positions }, networks.difference(sound, allowed)];
}

function underConfig(pool: Pool, config: Parameters<typeof deriveDammPoolAddress>[0]): Pool {
  const address = deriveDammPoolAddress(config, ...pool.mints);
  const vaults = [
    deriveDammVaultAddress(address, pool.mints[0]),
    deriveDammVaultAddress(address, pool.mints[1]),
  ] as const;
  return { ...pool, address, vaults };
}

function termsOf({ pool, baseFee, wrong, point }: Life): CustomPoolTerms {
  const now = pool.activationType === 0 ? SLOT : NOW;
  const terms: CustomPoolTerms = {
    ...pick(pool),
    baseFee,
    hasAlphaVault: false,
    activationPoint: point === null ? null : now + point,
  };
  if (wrong === 'mode') return { ...terms, collectFeeMode: 3 };
  if (wrong === 'liquidity') return { ...terms, liquidity: 0n };
  if (wrong === 'price') return { ...terms, sqrtPrice: MAX_SQRT_PRICE + 1n };
  return wrong === 'fee' ? { ...terms, baseFee: { ...baseFee, last: baseFee.last * 3n + 1n } } : terms;
}

function soundTerms({ collectFeeMode }: CustomPoolTerms): Partial<CustomPoolTerms> {
  const mode = collectFeeMode > 2 ? 1 : collectFeeMode;
  return {
    baseFee: { cliff: 30_000_000n, mode: 1, periods: 10, middle: 20n, last: 900n },
    collectFeeMode: mode,
    compoundingBps: mode === 2 ? 2_500 : 0,
    activationPoint: null,
    sqrtMinPrice: 1n << 60n,
    sqrtMaxPrice: 1n << 66n,
    sqrtPrice: 1n << 64n,
    liquidity: 1n << 104n,
  };
}

function pick(pool: PoolCase) {
  const { compoundingBps, dynamicFee, sqrtMinPrice, sqrtMaxPrice, liquidity, sqrtPrice } = pool;
  const { activationType, collectFeeMode } = pool;
  const prices = { sqrtMinPrice, sqrtMaxPrice, sqrtPrice };
  return { compoundingBps, dynamicFee, ...prices, liquidity, activationType, collectFeeMode };
}

/** The instruction that the step is, at the pool's present state. */
export function instructionOf(networks: Twin, lived: Lived, step: Step): Instruction {
  const { pool, positions } = lived;
  const account = networks.publicBuild.account(pool.address);
  const { liquidity, amounts } =
    account === null ? { liquidity: 1n, amounts: [0n, 0n] as const } : readChanges(account.data);
  switch (step.kind) {
    case 'swap': {
      const of = amounts[step.aToB === (step.mode === 2) ? 1 : 0];
      const amount = (of * step.share) / MILLION;
      const feeSide = step.aToB ? 1 : (step.share & 1n) === 0n ? 0 : 1;
      const referral = step.referral ? { referral: REFERRALS[feeSide] } : {};
      const limit = step.mode === 2 ? U64_MAX : 0n;
      return swap2(pool, parties(step.aToB), { amounts: [amount, limit], mode: step.mode, ...referral });
    }
    case 'add':
    case 'remove': {
      const build = step.kind === 'add' ? addLiquidity : removeLiquidity;
      const limit = step.kind === 'add' ? U64_MAX - step.limit : step.limit;
      const delta = (liquidity * step.share) / MILLION;
      return build(pool, positions[step.position], delta, [limit, limit]);
    }
    case 'claim':
      return claimPositionFee(pool, positions[step.position]);
    case 'remove all':
      return removeAllLiquidity(pool, positions[step.position], [0n, 0n]);
    case 'create':
      return createPosition(pool, positions[step.position]);
    case 'close':
      return closePosition(pool, positions[step.position]);
    default:
      return lockOf(networks, lived, step, (liquidity * step.share) / MILLION);
  }
}

type Lock = Extract<Step, { readonly delay: bigint | null }>;

function lockOf(
  networks: Twin,
  { index, pool, positions }: Lived,
  step: Lock,
  liquidity: bigint,
): Instruction {
  const user = positions[step.position];
  const vesting = (which: 0 | 1) => namedAddress(`damm vesting ${index} ${step.position} ${which}`);
  if (step.kind === 'refresh') return refreshVesting(pool, user, step.vestings.map(vesting));
  if (step.kind === 'lock for ever') return permanentLockPosition(pool, user, liquidity);
  const { slot, unixTimestamp } = networks.publicBuild.svm.getClock();
  const data = networks.publicBuild.account(pool.address)?.data;
  const now = data?.[480] === 0 ? slot : unixTimestamp;
  const terms = {
    cliffPoint: step.delay === null ? null : now + step.delay,
    periodFrequency: step.frequency,
    cliffLiquidity: liquidity % 3n === 0n ? 0n : liquidity / 2n,
    liquidityPerPeriod: liquidity / 8n,
    periods: step.periods,
  };
  return step.kind === 'lock inner'
    ? lockInnerPosition(pool, user, terms)
    : lockPosition(pool, user, { ...terms, vesting: vesting(step.vestings[0] ?? 0) });
}
