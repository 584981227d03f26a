import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../../../src/testing/random.ts';
import type { ChainClock } from '../../../src/chain/chain.ts';
import { lending } from '../../../src/protocols/jupiter-lend/venue/venue.ts';
import type { LendingPool } from '../../../src/protocols/jupiter-lend/venue/pool.ts';
import type { Quote } from '../../../src/protocol/venue/venue.ts';
import { queueNextRewards, startRewards } from '../../lending-reward-rate-model/tests/instructions.ts';
import { deposit, withdraw } from './instructions.ts';
import { LendingWorld } from './world.ts';

describe('lending.quoteExactIn', () => {
  it(`is what deposits and redemptions pay, to the atom, in ${SUITE.cases} random lives`, () => {
    const seen = { moved: 0, refused: 0, beyond: 0 };
    const property = fc.property(life, ({ steps, ...terms }) => {
      const world = worldOf({ steps, ...terms });
      const borrower = world.liquidity.protocol();
      for (const each of steps) {
        world.liquidity.pass(each.seconds);
        if (each.borrow !== 0n) world.liquidity.operate(borrower, 0n, each.borrow);
        const quote = quoteOf(world, each);
        const { moved, logs, held } = move(world, each);
        if (held < each.amount) {
          // A quote does not depend on the wallet's balance.
          expect(moved).toBeNull();
          seen.beyond++;
          continue;
        }
        const terse = quote === null ? null : { inAmount: quote.inAmount, outAmount: quote.outAmount };
        expect(moved, logs.join('\n')).toEqual(terse);
        if (moved === null) seen.refused++;
        else seen.moved++;
      }
    });
    assertProperty(property, SUITE);
    expect(seen.moved).toBeGreaterThan(countCases(SUITE) * 5);
    expect(seen.refused).toBeGreaterThan(countCases(SUITE));
  });

  it('promises more than a later second pays for a deposit only, and by no more than the price grew', () => {
    const world = worldOf({ rewards: null, queued: false, steps: [] });
    world.liquidity.operate(world.liquidity.protocol(), 0n, 1_500_000n);
    const assets = 50_000_000_000n;
    const now = quoteOf(world, { deposit: true, amount: assets, borrow: 0n, seconds: 0n });
    world.liquidity.pass(60n);
    const later = quoteOf(world, { deposit: true, amount: assets, borrow: 0n, seconds: 0n });
    if (now === null || later === null) throw new Error('a deposit has a price');
    expect(later.outAmount).toBeLessThan(now.outAmount);
    // A minute at the maximum rate of this reserve costs less than a hundredth of a basis point.
    expect((now.outAmount - later.outAmount) * 1_000_000n).toBeLessThan(now.outAmount);
  });
});

describe('lending.quoteExactOut', () => {
  it('is the least input that pays at least the amount', () => {
    const seen = { quoted: 0 };
    const property = fc.property(life, ({ steps, ...terms }) => {
      const world = worldOf({ steps, ...terms });
      world.liquidity.operate(world.liquidity.protocol(), 0n, 1_500_000n);
      for (const { deposit: deposits, amount: wanted, seconds } of steps) {
        world.liquidity.pass(seconds);
        const [pool, clock] = [poolOf(world), clockOf(world)];
        const mint = deposits ? world.token.mint : world.receipt.mint;
        const quote = lending.quoteExactOut(pool, mint, wanted, clock);
        if (quote === null) continue;
        seen.quoted++;
        expect(quote.outAmount).toBeGreaterThanOrEqual(wanted);
        expect(lending.quoteExactIn(pool, mint, quote.inAmount, clock)).toEqual(quote);
        const less = lending.quoteExactIn(pool, mint, quote.inAmount - 1n, clock);
        expect(less === null || less.outAmount < wanted).toBe(true);
      }
    });
    assertProperty(property, { cases: 20, seed: SEED });
    expect(seen.quoted).toBeGreaterThan(200);
  });
});

const SEED = 20_261_122;
const SUITE = { cases: 25, short: 6, seed: SEED, against: 'the program' };
const STEPS = 40;

interface Step {
  readonly deposit: boolean;
  readonly amount: bigint;
  /** The amount that borrowers take before the step. They repay if it is negative. */
  readonly borrow: bigint;
  readonly seconds: bigint;
}

/** Amounts of all sizes: some are worth too little, and some exceed what exists. */
const amount = fc
  .tuple(fc.bigInt(1n, 99n), fc.nat(10))
  .map(([digits, zeros]) => digits * 10n ** BigInt(zeros));
const step: fc.Arbitrary<Step> = fc.record({
  deposit: fc.boolean(),
  amount,
  borrow: fc.oneof(fc.constant(0n), fc.bigInt(-3_000_000n, 5_000_000n)),
  seconds: fc.oneof(fc.constant(0n), fc.bigInt(0n, 300n), fc.bigInt(0n, 2_000_000n)),
});
const rewards = fc.record({
  amount: fc.bigInt(1n, 100_000_000n),
  duration: fc.bigInt(1n, 10_000_000n),
  startTvl: fc.constantFrom(1n, 1_000_000n),
});
const life = fc.record({
  rewards: fc.option(rewards),
  queued: fc.boolean(),
  steps: fc.array(step, { minLength: STEPS, maxLength: STEPS }),
});

function poolOf(world: LendingWorld): LendingPool {
  const state = lending.decode(world.lending, (address) => world.network.account(address));
  if ('unusable' in state) throw new Error(state.unusable);
  return state;
}

function clockOf({ liquidity }: LendingWorld): ChainClock {
  return { slot: 0n, epoch: 0n, unixTimestamp: liquidity.now() };
}

function quoteOf(world: LendingWorld, { deposit: deposits, amount: input }: Step): Quote | null {
  const mint = deposits ? world.token.mint : world.receipt.mint;
  return lending.quoteExactIn(poolOf(world), mint, input, clockOf(world));
}

/** Returns null if nothing moved. */
function move(world: LendingWorld, { deposit: deposits, amount: input }: Step) {
  const [source, destination] = deposits ? [world.token, world.receipt] : [world.receipt, world.token];
  const before = [world.balance(source), world.balance(destination)] as const;
  const parties = world.parties();
  const instruction = deposits
    ? deposit('deposit', parties, world.token, [input])
    : withdraw('redeem', parties, world.token, [input]);
  const { error, logs } = world.network.send([instruction]);
  const moved = {
    inAmount: before[0] - world.balance(source),
    outAmount: world.balance(destination) - before[1],
  };
  return { moved: error === null ? moved : null, logs, held: before[0] };
}

function worldOf(terms: typeof life extends fc.Arbitrary<infer Life> ? Life : never): LendingWorld {
  const world = new LendingWorld();
  const [{ admin }, { mint }] = [world.liquidity, world.token];
  // An empty pool earns no rewards, because the program divides by the assets.
  world.liquidity.must(deposit('deposit', world.parties(), world.token, [2_000_000n]));
  if (terms.rewards !== null) {
    world.liquidity.must(startRewards(admin, mint, { ...terms.rewards, startTime: 0n }));
    if (terms.queued) world.liquidity.must(queueNextRewards(admin, mint, 5_000_000n, 1_000_000n));
  }
  return world;
}
