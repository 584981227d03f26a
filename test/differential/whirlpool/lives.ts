import fc from 'fast-check';
import {
  namedAddress,
  token,
  withTransferFee,
  writeMint,
  writeTokenAccount,
  writeWallet,
} from '../../../programs/raydium-cpmm/tests/fixture.ts';
import {
  CONFIG,
  layOut,
  type Pool,
  swapPool,
  USER,
  USER_TOKENS,
} from '../../../programs/whirlpool/tests/fixture.ts';
import {
  changeLiquidity,
  closePosition,
  collectFees,
  initializePool,
  initializePoolV2,
  initializeTickArray,
  type LiquidityAccounts,
  openPosition,
  positionOf,
  updateFees,
} from '../../../programs/whirlpool/tests/instructions.ts';
import {
  changeLiquidityV2,
  closePosition2022,
  collectFeesV2,
  collectReward,
  collectRewardV2,
  initializeDynamicTickArray,
  openPosition2022,
} from '../../../programs/whirlpool/tests/instructions-v2.ts';
import { deriveFeeTierAddress } from '../../../src/protocols/whirlpool/program/addresses.ts';
import { swap, swapV2 } from '../../../src/protocols/whirlpool/venue/instructions.ts';
import {
  decodePosition,
  decodeWhirlpool,
  encodeFeeTier,
  encodeWhirlpoolsConfig,
} from '../../../src/protocols/whirlpool/program/layout.ts';
import { TICK_ARRAY_SIZE, WHIRLPOOL_PROGRAM } from '../../../src/protocols/whirlpool/program/program.ts';
import { computeTickArrayStart } from '../../../src/protocols/whirlpool/program/tick-array.ts';
import { computeSqrtPriceAtTick } from '../../../src/protocols/whirlpool/program/tick-math.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import type { Comparison } from '../comparison.ts';
import type { Twin } from '../twin.ts';
import { REWARDS, writeRewards } from './rewards.ts';

/** A pool from its making on, with what is done to it. */
export interface PlannedLife {
  readonly tickSpacing: number;
  readonly tick: number;
  /** One bit for each of its tick arrays, set where that is of the dynamic form. */
  readonly forms: number;
  /** Whether one of its tokens withholds something from transfers, so that only the newer instructions fit. */
  readonly withFees: boolean;
  readonly steps: readonly Step[];
}

type Step =
  | { readonly kind: 'open'; readonly from: number; readonly width: number; readonly token: PositionToken }
  | {
      readonly kind: 'increase' | 'decrease';
      readonly position: number;
      readonly liquidity: bigint;
      readonly limit: boolean;
      /** Whether all there is goes out, whatever `liquidity` says. */
      readonly whole: boolean;
      readonly v2: boolean;
    }
  | { readonly kind: 'update' | 'collect' | 'close'; readonly position: number; readonly v2: boolean }
  | { readonly kind: 'reward'; readonly position: number; readonly index: number; readonly v2: boolean }
  | { readonly kind: 'swap'; readonly amount: bigint; readonly aToB: boolean; readonly exactIn: boolean };

/** Whether a position's token is one of SPL Token or of Token-2022. */
type PositionToken = 'plain' | 'extended';

/** Orders of magnitude are as likely as each other. */
const magnitude = (most: number) =>
  fc
    .tuple(fc.integer({ min: 0, max: most }), fc.bigInt(1n, 0xffffn))
    .map(([bits, lead]) => ((lead << BigInt(bits)) >> 8n) + 1n);

const position = fc.nat(7);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('open' as const),
      from: fc.integer({ min: -60, max: 40 }),
      width: fc.integer({ min: -1, max: 90 }),
      token: fc.constantFrom('plain' as const, 'extended' as const),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('increase' as const, 'increase' as const, 'decrease' as const),
      position,
      liquidity: magnitude(50),
      limit: fc.boolean(),
      whole: fc.boolean(),
      v2: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('update' as const, 'collect' as const, 'close' as const),
      position,
      v2: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('reward' as const),
      position,
      index: fc.integer({ min: 0, max: 3 }),
      v2: fc.boolean(),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('swap' as const),
      amount: magnitude(36),
      aToB: fc.boolean(),
      exactIn: fc.boolean(),
    }),
  },
);

export const lives: fc.Arbitrary<PlannedLife> = fc.record({
  tickSpacing: fc.constantFrom(1, 8, 64, 128),
  tick: fc.integer({ min: -50_000, max: 50_000 }),
  forms: fc.oneof(fc.constant(31), fc.nat(31)),
  withFees: fc.boolean(),
  steps: fc.array(step, { minLength: 30, maxLength: 60 }),
});

export interface Life {
  readonly pool: Pool;
  readonly index: number;
  readonly tickSpacing: number;
  readonly base: number;
  readonly withFees: boolean;
  readonly positions: LiquidityAccounts[];
}

const PLENTY = 1n << 62n;

export function advance(networks: Twin, now: bigint): void {
  networks.both((network) => network.setUnixTime(now));
}

/** Writes what pools are made under, then makes the pool and the tick arrays around its price, in both networks. */
export function openLife(
  comparison: Comparison,
  index: number,
  { tickSpacing, tick, forms, withFees }: PlannedLife,
): Life {
  const { networks } = comparison;
  const extensions = withFees ? [withTransferFee({ basisPoints: 137, maximumFee: 5_000_000n })] : [];
  const pool = layOut(tickSpacing, [token(`life ${index} a`, extensions), token(`life ${index} b`)]);
  networks.both((network) => {
    writeWallet(network, USER);
    writeConfig(network, tickSpacing);
    for (const side of [0, 1] as const) {
      writeMint(network, pool.tokens[side]);
      writeTokenAccount(network, USER_TOKENS[side], USER, pool.tokens[side], PLENTY);
    }
  });
  const span = TICK_ARRAY_SIZE * tickSpacing;
  const start = computeTickArrayStart(tick, tickSpacing);
  const price = computeSqrtPriceAtTick(tick) + 12_345n;
  const make = withFees ? initializePoolV2 : initializePool;
  const instructions = [
    make(CONFIG, pool, USER, tickSpacing, price),
    ...[-2, -1, 0, 1, 2].map((at, bit) => {
      const array = ((forms >> bit) & 1) === 1 ? initializeDynamicTickArray : initializeTickArray;
      return array(pool.address, USER, start + at * span);
    }),
  ];
  for (const instruction of instructions) {
    comparison.addPreparation(networks.difference(instruction), `making pool ${index}`);
  }
  networks.both((network) => writeRewards(network, pool));
  const base = Math.round(tick / tickSpacing) * tickSpacing;
  return { pool, index, tickSpacing, base, withFees, positions: [] };
}

export function writeConfig(network: Twin['standIn'], tickSpacing: number): void {
  const config = encodeWhirlpoolsConfig({
    feeAuthority: USER,
    collectProtocolFeesAuthority: USER,
    rewardEmissionsSuperAuthority: USER,
    defaultProtocolFeeRate: 1300,
    featureFlags: 0,
  });
  network.setData(CONFIG, WHIRLPOOL_PROGRAM, config);
  const tier = encodeFeeTier({ config: CONFIG, tickSpacing, defaultFeeRate: 3000 });
  network.setData(deriveFeeTierAddress(CONFIG, tickSpacing), WHIRLPOOL_PROGRAM, tier);
}

export function stepInstructions(networks: Twin, life: Life, step: Step): Instruction[] {
  if (step.kind === 'open') return [open(life, step)];
  if (step.kind === 'swap') return [swapNow(networks, life, step)];
  const accounts = life.positions[step.position % Math.max(1, life.positions.length)];
  if (accounts === undefined) return [];
  if (step.kind === 'reward') {
    const reward = REWARDS[step.index] ?? { ...REWARDS[0], index: step.index };
    return [(step.v2 ? collectRewardV2 : collectReward)(accounts, reward)];
  }
  if (!('liquidity' in step)) return [ending(life, accounts, step)];
  const most = step.limit ? 1_000_000n : U64_MAX;
  const limits = step.kind === 'increase' ? ([most, most] as const) : ([step.limit ? 5n : 0n, 0n] as const);
  const change = step.v2 || life.withFees ? changeLiquidityV2 : changeLiquidity;
  const liquidity = step.kind === 'decrease' && step.whole ? liquidityOf(networks, accounts) : step.liquidity;
  return [change(step.kind, accounts, liquidity, limits)];
}

function liquidityOf(networks: Twin, { position }: LiquidityAccounts): bigint {
  const account = networks.publicBuild.account(position.position);
  return account === null ? 1n : decodePosition(account.data).liquidity;
}

function ending(
  { withFees }: Life,
  accounts: LiquidityAccounts,
  { kind, v2 }: Extract<Step, { kind: 'update' | 'collect' | 'close' }>,
): Instruction {
  if (kind === 'update') return updateFees(accounts);
  if (kind === 'collect') return (v2 || withFees ? collectFeesV2 : collectFees)(accounts);
  const { position } = accounts;
  const plain = positionOf(position.mint, USER).token === position.token;
  return (plain ? closePosition : closePosition2022)(position, USER);
}

function open(life: Life, { from, width, token: of }: Extract<Step, { kind: 'open' }>): Instruction {
  const lower = life.base + from * life.tickSpacing;
  const upper = lower + width * life.tickSpacing;
  const mint = namedAddress(`life ${life.index} position ${life.positions.length}`);
  const position = positionOf(mint, USER, of === 'plain' ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM);
  const arrays = [
    computeTickArrayStart(lower, life.tickSpacing),
    computeTickArrayStart(upper, life.tickSpacing),
  ] as const;
  life.positions.push({ pool: life.pool, position, user: USER_TOKENS, arrays });
  // Names and addresses of metadata differ between builds, so that none are written here.
  return of === 'plain'
    ? openPosition(life.pool.address, USER, position, lower, upper)
    : openPosition2022(life.pool.address, USER, position, [lower, upper], false);
}

function swapNow(
  networks: Twin,
  { pool, tickSpacing, withFees }: Life,
  { amount, aToB, exactIn }: Extract<Step, { kind: 'swap' }>,
): Instruction {
  const account = networks.publicBuild.account(pool.address);
  const { tick } = decodeWhirlpool(account?.data ?? new Uint8Array(0));
  const at = { tick, tickSpacing, feeRate: 0, protocolFeeRate: 0, sqrtPrice: 0n, ranges: [] };
  const [source, destination] = aToB ? USER_TOKENS : [USER_TOKENS[1], USER_TOKENS[0]];
  const args = { amount, exactIn, otherAmountThreshold: exactIn ? 0n : U64_MAX, sqrtPriceLimit: 0n };
  return (withFees ? swapV2 : swap)(
    swapPool(pool, at),
    pool.tokens[aToB ? 0 : 1].mint,
    { authority: USER, source, destination },
    args,
  );
}
