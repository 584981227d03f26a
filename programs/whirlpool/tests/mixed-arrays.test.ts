import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sampleCases } from '../../../src/testing/random.ts';
import {
  deriveFeeTierAddress,
  deriveTickArrayAddress,
} from '../../../src/protocols/whirlpool/program/addresses.ts';
import { whirlpool } from '../../../src/protocols/whirlpool/venue.ts';
import { swapV2 } from '../../../src/protocols/whirlpool/venue/instructions.ts';
import {
  decodePosition,
  decodeWhirlpool,
  encodeFeeTier,
  encodeWhirlpoolsConfig,
} from '../../../src/protocols/whirlpool/program/layout.ts';
import { TICK_ARRAY_SIZE, WHIRLPOOL_PROGRAM } from '../../../src/protocols/whirlpool/program/program.ts';
import {
  decodeTickArray,
  computeTickArrayStart,
} from '../../../src/protocols/whirlpool/program/tick-array.ts';
import { computeSqrtPriceAtTick } from '../../../src/protocols/whirlpool/program/tick-math.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';
import {
  namedAddress,
  token,
  writeMint,
  writeTokenAccount,
  writeWallet,
} from '../../raydium-cpmm/tests/fixture.ts';
import { CONFIG, layOut, type Pool, swapPool, USER, USER_TOKENS } from './fixture.ts';
import {
  changeLiquidity,
  collectFees,
  initializePool,
  initializeTickArray,
  type LiquidityAccounts,
  openPosition,
  positionOf,
  updateFees,
} from './instructions.ts';
import { initializeDynamicTickArray } from './instructions-v2.ts';

const SEED = 20_261_125;

it(`pools of mixed arrays live as those of fixed ones do, and swap as quoted (seed ${SEED})`, () => {
  const [plain, mixed] = [network(), network()];
  const all = sampleCases(lives, SUITE);
  let [swapped, refused] = [0, 0];
  for (const [index, life] of all.entries()) {
    const { tickSpacing, tick, forms, steps } = life;
    const [one, other] = [plain, mixed].map((each) => new Life(each, index, tickSpacing, tick)) as [
      Life,
      Life,
    ];
    one.begin(forms.map((form) => (form === 'missing' ? form : 'fixed')));
    other.begin(forms);
    for (const each of [AROUND_PRICE, ...steps]) {
      const [expected, actual] = [one.take(each), other.take(each)];
      expect(actual?.error, actual?.logs.join('\n')).toEqual(expected?.error);
      if (actual?.error != null) refused++;
      else if (each.kind === 'swap') swapped++;
    }
    expect(other.summary()).toEqual(one.summary());
    for (const start of one.starts()) expect(other.ticks(start)).toEqual(one.ticks(start));
    other.checkRooms();
  }
  expect(swapped).toBeGreaterThan(4 * all.length);
  expect(refused).toBeGreaterThan(2 * all.length);
});

const SUITE = { cases: 50, short: 10, seed: SEED };
const NOW = 1_700_000_000n;
const PLENTY = 1n << 62n;
/** The arrays around the price that may exist. */
const AROUND = [-3, -2, -1, 0, 1, 2, 3];

type Step =
  | { readonly kind: 'open'; readonly from: number; readonly width: number; readonly bits: number }
  | { readonly kind: 'increase' | 'decrease'; readonly position: number; readonly part: bigint }
  | { readonly kind: 'collect'; readonly position: number }
  | { readonly kind: 'swap'; readonly bits: number; readonly aToB: boolean; readonly exactIn: boolean };

const position = fc.nat(7);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('open' as const),
      from: fc.integer({ min: -180, max: 120 }),
      width: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 160 })),
      bits: fc.integer({ min: 30, max: 50 }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('increase' as const, 'decrease' as const),
      position,
      part: fc.bigInt(1n, 100n),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('collect' as const), position }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('swap' as const),
      bits: fc.integer({ min: 8, max: 38 }),
      aToB: fc.boolean(),
      exactIn: fc.boolean(),
    }),
  },
);

/** Most lives have some liquidity from the start. */
const AROUND_PRICE: Step = { kind: 'open', from: -30, width: 60, bits: 48 };

/**
 * Each array of one of the two pools is fixed, dynamic or missing. In the other pool, all existing ones are fixed.
 */
const lives = fc.record({
  tickSpacing: fc.constantFrom(1, 8, 64, 128),
  tick: fc.integer({ min: -50_000, max: 50_000 }),
  forms: fc.array(fc.constantFrom('fixed', 'dynamic', 'dynamic', 'missing'), {
    minLength: AROUND.length,
    maxLength: AROUND.length,
  }),
  steps: fc.array(step, { minLength: 15, maxLength: 25 }),
});

/** The life of one pool in a network of its own, so that positions of other pools cannot have the same names. */
class Life {
  readonly network: TestNetwork;
  readonly pool: Pool;
  readonly #index: number;
  readonly #spacing: number;
  readonly #tick: number;
  readonly #positions: LiquidityAccounts[] = [];

  constructor(network: TestNetwork, index: number, spacing: number, tick: number) {
    this.network = network;
    this.#index = index;
    this.#spacing = spacing;
    this.#tick = tick;
    this.pool = layOut(spacing, [token(`mixed ${index} a`), token(`mixed ${index} b`)]);
    const tier = encodeFeeTier({ config: CONFIG, tickSpacing: spacing, defaultFeeRate: 3000 });
    network.setData(deriveFeeTierAddress(CONFIG, spacing), WHIRLPOOL_PROGRAM, tier);
    for (const side of [0, 1] as const) {
      writeMint(network, this.pool.tokens[side]);
      writeTokenAccount(network, USER_TOKENS[side], USER, this.pool.tokens[side], PLENTY);
    }
  }

  begin(forms: readonly string[]): void {
    const price = computeSqrtPriceAtTick(this.#tick) + 12_345n;
    this.#done(initializePool(CONFIG, this.pool, USER, this.#spacing, price));
    for (const [i, form] of forms.entries()) {
      if (form === 'missing') continue;
      const make = form === 'dynamic' ? initializeDynamicTickArray : initializeTickArray;
      this.#done(make(this.pool.address, USER, this.starts()[i] ?? 0));
    }
  }

  starts(): number[] {
    const span = TICK_ARRAY_SIZE * this.#spacing;
    const current = computeTickArrayStart(this.#tick, this.#spacing);
    return AROUND.map((at) => current + at * span);
  }

  #done(instruction: Instruction): void {
    const { error, logs } = this.network.send([instruction]);
    if (error !== null) throw new Error(logs.join('\n'));
  }

  /** Returns the outcome of a step, or null if there is nothing to do. */
  take(each: Step): TestOutcome | null {
    if (each.kind === 'swap') return this.#swap(each);
    if (each.kind === 'open') return this.#open(each);
    const accounts = this.#positions[each.position % Math.max(1, this.#positions.length)];
    if (accounts === undefined) return null;
    if (each.kind === 'collect') return this.network.send([updateFees(accounts), collectFees(accounts)]);
    const { liquidity } = decodePosition(this.data(accounts.position.position));
    const part = (liquidity * each.part) / 100n + (each.kind === 'increase' ? 1n : 0n);
    const limits = each.kind === 'increase' ? ([U64_MAX, U64_MAX] as const) : ([0n, 0n] as const);
    return this.network.send([changeLiquidity(each.kind, accounts, part, limits)]);
  }

  #open({ from, width, bits }: Extract<Step, { kind: 'open' }>): TestOutcome {
    const base = Math.round(this.#tick / this.#spacing) * this.#spacing;
    const lower = base + from * this.#spacing;
    const upper = lower + width * this.#spacing;
    const mint = namedAddress(`mixed ${this.#index} position ${this.#positions.length}`);
    const position = positionOf(mint, USER);
    const arrays = [
      computeTickArrayStart(lower, this.#spacing),
      computeTickArrayStart(upper, this.#spacing),
    ] as const;
    const accounts = { pool: this.pool, position, user: USER_TOKENS, arrays };
    this.#positions.push(accounts);
    this.#done(openPosition(this.pool.address, USER, position, lower, upper));
    return this.network.send([changeLiquidity('increase', accounts, 1n << BigInt(bits), [U64_MAX, U64_MAX])]);
  }

  /** Swaps exactly the amounts that the venue quotes, or expects a failure if it does not quote. */
  #swap({ bits, aToB, exactIn }: Extract<Step, { kind: 'swap' }>): TestOutcome {
    const state = whirlpool.decode(this.pool.address, (address) => this.network.account(address));
    if ('unusable' in state) throw new Error(state.unusable);
    const [input, output] = aToB ? USER_TOKENS : ([USER_TOKENS[1], USER_TOKENS[0]] as const);
    const mint = this.pool.tokens[aToB ? 0 : 1].mint;
    const amount = 1n << BigInt(bits);
    const quoteOf = exactIn ? whirlpool.quoteExactIn : whirlpool.quoteExactOut;
    const quote = quoteOf(state, mint, amount, { slot: 0n, epoch: 0n, unixTimestamp: NOW });
    const held = () => [input, output].map((account) => this.network.tokenBalance(account));
    const before = held();
    const at = { tick: state.tick, tickSpacing: this.#spacing, sqrtPrice: 0n, ranges: [] };
    const args = { amount, exactIn, sqrtPriceLimit: 0n, otherAmountThreshold: exactIn ? 0n : U64_MAX };
    const user = { authority: USER, source: input, destination: output };
    const accounts = swapPool(this.pool, { ...at, feeRate: 0, protocolFeeRate: 0 });
    const outcome = this.network.send([swapV2(accounts, mint, user, args)]);
    const [spent, gained] = held().map((now, i) => now - (before[i] ?? 0n));
    const worth = outcome.error === null && gained !== 0n;
    expect(worth ? [-(spent ?? 0n), gained] : null).toEqual(quote && [quote.inAmount, quote.outAmount]);
    return outcome;
  }

  data(address: Address): Uint8Array {
    return this.network.account(address)?.data ?? new Uint8Array(0);
  }

  /** Returns everything that must not depend on the form of the arrays. */
  summary() {
    return {
      pool: decodeWhirlpool(this.data(this.pool.address)),
      positions: this.#positions.map(({ position }) => decodePosition(this.data(position.position))),
      balances: USER_TOKENS.map((account) => this.network.tokenBalance(account)),
    };
  }

  ticks(start: number) {
    const data = this.data(deriveTickArrayAddress(this.pool.address, start));
    return data.length === 0 ? [] : decodeTickArray(data, this.#spacing).ticks;
  }

  /** Checks that the arrays of the dynamic form are as long as their ticks require. */
  checkRooms(): void {
    for (const start of this.starts()) {
      const { length } = this.data(deriveTickArrayAddress(this.pool.address, start));
      if (length === 0 || length === 9988) continue;
      expect(length).toBe(148 + 112 * this.ticks(start).length);
    }
  }
}

function network(): TestNetwork {
  const made = new TestNetwork(['whirlpool']);
  made.setUnixTime(NOW);
  writeWallet(made, USER);
  const authority = { feeAuthority: USER, collectProtocolFeesAuthority: USER };
  const config = { ...authority, rewardEmissionsSuperAuthority: USER, featureFlags: 0 };
  const data = encodeWhirlpoolsConfig({ ...config, defaultProtocolFeeRate: 1300 });
  made.setData(CONFIG, WHIRLPOOL_PROGRAM, data);
  return made;
}
