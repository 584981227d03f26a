import fc from 'fast-check';
import {
  namedAddress,
  token,
  writeMint,
  writeTokenAccount,
  writeWallet,
} from '../../../programs/constant-product/tests/fixture.ts';
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
  initializeTickArray,
  type LiquidityAccounts,
  openPosition,
  positionOf,
  updateFees,
} from '../../../programs/whirlpool/tests/instructions.ts';
import { feeTierAddress } from '../../../src/market/venues/whirlpool/addresses.ts';
import { swap } from '../../../src/market/venues/whirlpool/instructions.ts';
import {
  decodeWhirlpool,
  encodeFeeTier,
  encodeWhirlpoolsConfig,
} from '../../../src/market/venues/whirlpool/layout.ts';
import { TICK_ARRAY_SIZE, WHIRLPOOL_PROGRAM } from '../../../src/market/venues/whirlpool/program.ts';
import { tickArrayStart } from '../../../src/market/venues/whirlpool/tick-array.ts';
import { sqrtPriceAtTick } from '../../../src/market/venues/whirlpool/tick-math.ts';
import type { Instruction } from '../../../src/solana/instruction.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import type { Comparison } from '../comparison.ts';
import type { Twin } from '../twin.ts';

/** A pool from its making on, with what is done to it. */
export interface PlannedLife {
  readonly tickSpacing: number;
  readonly tick: number;
  readonly steps: readonly Step[];
}

type Step =
  | { readonly kind: 'open'; readonly from: number; readonly width: number }
  | {
      readonly kind: 'increase' | 'decrease';
      readonly position: number;
      readonly liquidity: bigint;
      readonly limit: boolean;
    }
  | { readonly kind: 'update' | 'collect' | 'close'; readonly position: number }
  | { readonly kind: 'swap'; readonly amount: bigint; readonly aToB: boolean; readonly exactIn: boolean };

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
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('increase' as const, 'increase' as const, 'decrease' as const),
      position,
      liquidity: magnitude(50),
      limit: fc.boolean(),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom('update' as const, 'collect' as const, 'close' as const),
      position,
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
  steps: fc.array(step, { minLength: 30, maxLength: 60 }),
});

export interface Life {
  readonly pool: Pool;
  readonly index: number;
  readonly tickSpacing: number;
  readonly base: number;
  readonly positions: LiquidityAccounts[];
}

const PLENTY = 1n << 62n;

export function advance(networks: Twin, now: bigint): void {
  networks.both((network) => network.setUnixTime(now));
}

/** Writes what pools are made under, then makes the pool and the tick arrays around its price, in both networks. */
export function openLife(comparison: Comparison, index: number, { tickSpacing, tick }: PlannedLife): Life {
  const { networks } = comparison;
  const pool = layOut(tickSpacing, [token(`life ${index} a`), token(`life ${index} b`)]);
  networks.both((network) => {
    writeWallet(network, USER);
    writeConfig(network, tickSpacing);
    for (const side of [0, 1] as const) {
      writeMint(network, pool.tokens[side]);
      writeTokenAccount(network, USER_TOKENS[side], USER, pool.tokens[side], PLENTY);
    }
  });
  const span = TICK_ARRAY_SIZE * tickSpacing;
  const start = tickArrayStart(tick, tickSpacing);
  const price = sqrtPriceAtTick(tick) + 12_345n;
  for (const instruction of [
    initializePool(CONFIG, pool, USER, tickSpacing, price),
    ...[-2, -1, 0, 1, 2].map((at) => initializeTickArray(pool.address, USER, start + at * span)),
  ]) {
    comparison.addPreparation(networks.difference(instruction), `making pool ${index}`);
  }
  const base = Math.round(tick / tickSpacing) * tickSpacing;
  return { pool, index, tickSpacing, base, positions: [] };
}

export function writeConfig(network: Twin['standIn'], tickSpacing: number): void {
  const config = encodeWhirlpoolsConfig({
    ...{ feeAuthority: USER, collectProtocolFeesAuthority: USER, rewardEmissionsSuperAuthority: USER },
    ...{ defaultProtocolFeeRate: 1300, featureFlags: 0 },
  });
  network.setData(CONFIG, WHIRLPOOL_PROGRAM, config);
  const tier = encodeFeeTier({ config: CONFIG, tickSpacing, defaultFeeRate: 3000 });
  network.setData(feeTierAddress(CONFIG, tickSpacing), WHIRLPOOL_PROGRAM, tier);
}

export function stepInstructions(networks: Twin, life: Life, step: Step): Instruction[] {
  if (step.kind === 'open') return [open(life, step)];
  if (step.kind === 'swap') return [swapNow(networks, life, step)];
  const accounts = life.positions[step.position % Math.max(1, life.positions.length)];
  if (accounts === undefined) return [];
  if (!('liquidity' in step)) return [ENDINGS[step.kind](accounts)];
  const most = step.limit ? 1_000_000n : U64_MAX;
  const limits = step.kind === 'increase' ? ([most, most] as const) : ([step.limit ? 5n : 0n, 0n] as const);
  return [changeLiquidity(step.kind, accounts, step.liquidity, limits)];
}

const ENDINGS = {
  update: updateFees,
  collect: collectFees,
  close: ({ position }: LiquidityAccounts) => closePosition(position, USER),
} as const;

function open(life: Life, { from, width }: Extract<Step, { kind: 'open' }>): Instruction {
  const lower = life.base + from * life.tickSpacing;
  const upper = lower + width * life.tickSpacing;
  const mint = namedAddress(`life ${life.index} position ${life.positions.length}`);
  const position = positionOf(mint, USER);
  const arrays = [tickArrayStart(lower, life.tickSpacing), tickArrayStart(upper, life.tickSpacing)] as const;
  life.positions.push({ pool: life.pool, position, user: USER_TOKENS, arrays });
  return openPosition(life.pool.address, USER, position, lower, upper);
}

function swapNow(
  networks: Twin,
  { pool, tickSpacing }: Life,
  { amount, aToB, exactIn }: Extract<Step, { kind: 'swap' }>,
): Instruction {
  const account = networks.publicBuild.account(pool.address);
  const { tick } = decodeWhirlpool(account?.data ?? new Uint8Array(0));
  const at = { ...{ tick, tickSpacing, feeRate: 0, protocolFeeRate: 0, sqrtPrice: 0n }, ranges: [] };
  const [source, destination] = aToB ? USER_TOKENS : [USER_TOKENS[1], USER_TOKENS[0]];
  const args = { amount, exactIn, otherAmountThreshold: exactIn ? 0n : U64_MAX, sqrtPriceLimit: 0n };
  return swap(
    swapPool(pool, at),
    pool.tokens[aToB ? 0 : 1].mint,
    { authority: USER, source, destination },
    args,
  );
}
