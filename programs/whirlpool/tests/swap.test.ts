import { beforeEach, describe, expect, it } from 'vitest';
import { deriveTickArrayAddress } from '../../../src/protocols/whirlpool/program/addresses.ts';
import { whirlpool } from '../../../src/protocols/whirlpool/venue.ts';
import {
  type SwapArguments,
  type WhirlpoolSwapPool,
  swap,
  swapV2,
} from '../../../src/protocols/whirlpool/venue/instructions.ts';
import { decodeWhirlpool, type WhirlpoolSides } from '../../../src/protocols/whirlpool/program/layout.ts';
import { WHIRLPOOL_PROGRAM } from '../../../src/protocols/whirlpool/program/program.ts';
import { decodeTickArray } from '../../../src/protocols/whirlpool/program/tick-array.ts';
import { computeSqrtPriceAtTick } from '../../../src/protocols/whirlpool/program/tick-math.ts';
import { ByteReader } from '../../../src/solana/codec/byte-reader.ts';
import { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import { type Instruction, writable } from '../../../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';
import type { PoolCase } from '../../../src/testing/whirlpool/cases.ts';
import {
  namedAddress,
  type Token,
  token,
  withTransferFee,
  writeMint,
} from '../../raydium-cpmm/tests/fixture.ts';
import {
  layOut,
  NO_REWARD,
  type Pool,
  spanOf,
  swapPool,
  USER,
  USER_TOKENS,
  writeBalances,
  writePool,
} from './fixture.ts';
import { openForEach } from '../../../src/testing/opened.ts';

let pool: Pool;
const network = openForEach(() => new TestNetwork(['whirlpool']));
beforeEach(setUp);

describe('a swap', () => {
  it('logs what it did', () => {
    const [line = ''] = succeed().logs.filter((each) => each.startsWith('Program data: '));
    const from = new ByteReader(Buffer.from(line.slice('Program data: '.length), 'base64'), 'event');
    from.skip(8);
    expect(from.address()).toBe(pool.address);
    expect([from.bool(), from.u128(), from.u128()]).toEqual([true, AT.sqrtPrice, state().sqrtPrice]);
    expect([from.u64(), from.u64(), from.u64(), from.u64()]).toEqual([1_000_000n, 996_999n, 0n, 0n]);
    expect([from.u64(), from.u64()]).toEqual([2_610n, 390n]);
    from.end();
  });

  it('stops at a price limit and leaves the rest with the user', () => {
    const limit = computeSqrtPriceAtTick(-10);
    succeed({ amount: 34_000_000_000n, sqrtPriceLimit: limit });
    expect(state()).toMatchObject({ sqrtPrice: limit, tick: -10 });
    expect(spent()).toBeLessThan(1_000_000_000n);
  });

  it('refuses price limits that are out of range or on the wrong side of the price', () => {
    refuse(6034, { sqrtPriceLimit: AT.sqrtPrice });
    refuse(6034, { sqrtPriceLimit: AT.sqrtPrice, aToB: false });
    refuse(6011, { sqrtPriceLimit: 1n });
    refuse(6011, { sqrtPriceLimit: 1n << 100n, aToB: false });
  });

  it('refuses an amount of zero, and one beyond the user’s limit', () => {
    refuse(6035, { amount: 0n });
    refuse(6036, { otherAmountThreshold: 997_000n });
    succeed({ otherAmountThreshold: 996_999n });
    refuse(6037, { exactIn: false, otherAmountThreshold: 1_000n });
  });

  it('refuses to leave its tick arrays', () => {
    refuse(6038, { amount: PLENTY });
    refuse(6038, { amount: PLENTY, aToB: false });
    refuse(6038, { amount: 34_000_000_000n, accounts: down([0, 0, 0]) });
  });

  it('accepts its arrays in any order, but requires the first', () => {
    refuse(6023, { accounts: down([-SPAN, -2 * SPAN, SPAN]) });
    succeed({ amount: 36_000_000_000n, accounts: down([-2 * SPAN, 0, -SPAN]) });
  });

  it('passes through arrays that were never created if their addresses are given', () => {
    const far = { ...AT, ranges: [{ lower: -2 * SPAN - SPACING, upper: 64, liquidity: 1_000_000_000n }] };
    open([token('one'), token('two')], far);
    expect(network.account(deriveTickArrayAddress(pool.address, -SPAN))).toBeNull();
    succeed({ amount: 500_000_000n });
    expect(state().tick).toBeLessThan(-SPAN);
    open([token('one'), token('two')], far);
    refuse(6038, { amount: 500_000_000n, accounts: down([0, -2 * SPAN, -2 * SPAN]) });
  });

  it('refuses arrays of other pools and other accounts', () => {
    const mine = network.account(deriveTickArrayAddress(pool.address, 0));
    const other = namedAddress('an array of another pool');
    const data = Uint8Array.from(mine?.data ?? []);
    data[data.length - 1] = (data.at(-1) ?? 0) ^ 1;
    network.setData(other, WHIRLPOOL_PROGRAM, data);
    const as = (address: typeof other) => ({
      down: [0, 1, 2].map((start) => ({ address, start, ticks: [] })),
    });
    refuse(6056, { accounts: as(other) });
    refuse(3007, { accounts: as(pool.vaults[0]) });
    refuse(3002, { accounts: as(pool.address) });
    network.setData(other, WHIRLPOOL_PROGRAM, new Uint8Array(4));
    refuse(3001, { accounts: as(other) });
  });

  it('refuses a clock that stands before the pool’s last update', () => {
    open([token('one'), token('two')], AT, { rewardsUpdatedAt: NOW + 1n });
    refuse(6022, {});
    network.setUnixTime(-1n);
    refuse(6021, {});
  });

  it('lets rewards grow, and sets them off at the ticks that it crosses', () => {
    const reward = { ...NO_REWARD, mint: pool.vaults[0], emissionsPerSecond: 1n << 64n, growthGlobal: 5n };
    const rewards = [reward, NO_REWARD, NO_REWARD] as const;
    open([token('one'), token('two')], AT, { rewards, rewardsUpdatedAt: NOW - 10n });
    succeed({ amount: 34_000_000_000n });
    const growth = 5n + (10n << 64n) / 1_010_000_000_000n;
    expect(state().rewards[0]?.growthGlobal).toBe(growth);
    expect(state().rewardsUpdatedAt).toBe(NOW);
    const crossed = network.account(deriveTickArrayAddress(pool.address, -SPAN))?.data ?? new Uint8Array(0);
    // Tick −640 is the tenth from the end. The first reward follows the flag, the liquidity and the fees.
    const at = 12 + 78 * 113 + 1 + 64;
    expect(Buffer.from(crossed).readBigUInt64LE(at)).toBe(growth & ((1n << 64n) - 1n));
  });
});

describe('the dynamic form of tick arrays', () => {
  it('is walked like the fixed one, by program and quote', () => {
    const amount = 34_000_000_000n;
    succeed({ amount });
    const after = state();
    const fixed = network.account(deriveTickArrayAddress(pool.address, -SPAN))?.data ?? new Uint8Array(0);
    open([token('one'), token('two')], { ...AT, forms: 255 });
    const decoded = whirlpool.decode(pool.address, (at) => network.account(at));
    if ('unusable' in decoded) throw new Error(decoded.unusable);
    const clock = { slot: 0n, epoch: 0n, unixTimestamp: NOW };
    const quote = whirlpool.quoteExactIn(decoded, pool.tokens[0].mint, amount, clock);
    succeed({ amount });
    expect(state()).toEqual(after);
    expect(network.tokenBalance(USER_TOKENS[1]) - PLENTY).toBe(quote?.outAmount);
    const dynamic = network.account(deriveTickArrayAddress(pool.address, -SPAN))?.data ?? new Uint8Array(0);
    expect(dynamic.length).toBe(60 + 87 + 113);
    expect(decodeTickArray(dynamic, SPACING)).toEqual(decodeTickArray(fixed, SPACING));
  });
});

describe('swap_v2', () => {
  it('accepts more tick arrays after its accounts', () => {
    expect(network.send([withSlices([[6, 2]], [-SPAN, -2 * SPAN])]).error).toBeNull();
    expect(state().tick).toBeLessThan(-640);
  });

  it.each([
    [6048, [[2, 1]], [-SPAN]],
    [6049, [[6, 2]], [-SPAN]],
    [
      6053,
      [
        [6, 1],
        [6, 1],
      ],
      [-SPAN, -2 * SPAN],
    ],
    [6055, [[6, 4]], [-SPAN, -2 * SPAN, SPAN, 0]],
    [102, [[13, 1]], [-SPAN]],
  ] as [number, [number, number][], number[]][])('refuses with %i the slices %j', (code, slices, starts) => {
    expect(network.send([withSlices(slices, starts)]).error?.custom).toBe(code);
  });

  it('writes a mint’s transfer fee into a memo', () => {
    open([token('with fee', [withTransferFee({ basisPoints: 250, maximumFee: 9_000n })]), token('two')]);
    const { logs } = succeed({ v2: true });
    expect(logs.some((line) => line.includes('TFe: 250, 9000'))).toBe(true);
  });

  it('refuses mints with a transfer hook', () => {
    const hook = { type: 14, data: new Uint8Array(64).fill(7) };
    open([token('hooked', [hook]), token('two')]);
    refuse(6050, { v2: true });
  });

  it('refuses a transfer fee that does not invert', () => {
    const whole = withTransferFee({ basisPoints: 9_999, maximumFee: (1n << 64n) - 1n });
    open([token('all fee', [whole]), token('all fee too', [whole])]);
    refuse(6052, { v2: true, exactIn: false, amount: 1n << 60n, otherAmountThreshold: PLENTY });
  });

  it('requires the mints’ own token programs', () => {
    const wrong = { tokenPrograms: [SYSTEM_PROGRAM, SYSTEM_PROGRAM] as const };
    refuse(3008, { v2: true, accounts: wrong });
  });
});

const SPACING = 64;
const SPAN = spanOf(SPACING);
const NOW = 1_700_000_000n;
const PLENTY = 1n << 62n;

/** Liquidity around price 1, as far as three arrays reach on each side. */
const AT: PoolCase = {
  tickSpacing: SPACING,
  feeRate: 3000,
  protocolFeeRate: 1300,
  tick: 0,
  sqrtPrice: 1n << 64n,
  ranges: [
    { lower: -640, upper: 640, liquidity: 1_000_000_000_000n },
    { lower: -2 * SPAN, upper: 2 * SPAN, liquidity: 10_000_000_000n },
  ],
};

function setUp(): void {
  network.setUnixTime(NOW);
  open([token('one'), token('two')]);
}

function open(
  tokens: WhirlpoolSides<Token>,
  at: PoolCase = AT,
  changes: Parameters<typeof writePool>[3] = {},
): void {
  pool = layOut(at.tickSpacing, tokens);
  for (const each of pool.tokens) writeMint(network, each);
  writePool(network, pool, at, changes);
  writeBalances(network, pool, [PLENTY, PLENTY], [PLENTY, PLENTY]);
}

const ARGS: SwapArguments = {
  amount: 1_000_000n,
  otherAmountThreshold: 0n,
  sqrtPriceLimit: 0n,
  exactIn: true,
};

interface Wish extends Partial<SwapArguments> {
  readonly aToB?: boolean;
  readonly v2?: boolean;
  readonly accounts?: Partial<WhirlpoolSwapPool>;
}

function order({ aToB = true, v2 = false, accounts = {}, ...args }: Wish = {}): Instruction {
  const [source, destination] = aToB ? USER_TOKENS : ([USER_TOKENS[1], USER_TOKENS[0]] as const);
  return (v2 ? swapV2 : swap)(
    { ...swapPool(pool, AT), ...accounts },
    pool.tokens[aToB ? 0 : 1].mint,
    { authority: USER, source, destination },
    { ...ARGS, ...args },
  );
}

function send(wish: Wish = {}): TestOutcome {
  return network.send([order(wish)]);
}

function refuse(code: number, wish: Wish): void {
  const outcome = send(wish);
  expect(outcome.error?.custom, outcome.logs.join('\n')).toBe(code);
}

function succeed(wish: Wish = {}): TestOutcome {
  const outcome = send(wish);
  expect(outcome.error, outcome.logs.join('\n')).toBeNull();
  return outcome;
}

const state = () => decodeWhirlpool(network.account(pool.address)?.data ?? new Uint8Array(0));
const spent = () => PLENTY - network.tokenBalance(USER_TOKENS[0]);

/** Returns the arrays for a falling price, which start at these ticks. */
function down(starts: readonly number[]): Partial<WhirlpoolSwapPool> {
  return {
    down: starts.map((start) => ({ address: deriveTickArrayAddress(pool.address, start), start, ticks: [] })),
  };
}

/** Returns `swap_v2` with slices, and with these accounts after its own. */
function withSlices(slices: readonly (readonly [number, number])[], starts: readonly number[]): Instruction {
  const plain = order({ v2: true, accounts: down([0, 0, 0]), amount: 34_000_000_000n });
  const to = new ByteWriter().bytes(plain.data.subarray(0, -1)).u8(1).u32(slices.length);
  for (const [kind, length] of slices) to.u8(kind).u8(length);
  const more = starts.map((start) => writable(deriveTickArrayAddress(pool.address, start)));
  return { ...plain, accounts: [...plain.accounts, ...more], data: to.finish() };
}
