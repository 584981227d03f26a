import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import type { Address } from '../../../src/solana/address.ts';
import {
  type EarnAction,
  createEarnInstruction,
} from '../../../src/protocols/jupiter-lend/lending/instructions.ts';
import { computeLendingPricesAt } from '../../../src/protocols/jupiter-lend/lending/token-price.ts';
import {
  depositAssets,
  type EarnResult,
  type EarnState,
  mintShares,
  redeemShares,
  withdrawAssets,
} from '../../../src/protocols/jupiter-lend/lending/shares.ts';
import { LENDING_ERRORS } from '../../../src/protocols/jupiter-lend/errors/lending.ts';
import { LIQUIDITY_ERRORS } from '../../../src/protocols/jupiter-lend/errors/liquidity.ts';
import {
  queueNextRewards,
  startRewards,
  transitionToNextRewards,
} from '../../lending-reward-rate-model/tests/instructions.ts';
import { updateRate } from './instructions.ts';
import { LendingWorld } from './world.ts';

describe('the model of deposits and withdrawals', () => {
  it('predicts accounts, amounts and errors of the program over random histories with rewards', () => {
    const property = fc.property(fc.array(step, { minLength: 25, maxLength: 25 }), (steps) => {
      const world = new LendingWorld();
      const borrower = world.liquidity.protocol();
      for (const each of steps) {
        world.liquidity.pass(each.seconds);
        prepare(world, borrower, each);
        compare(world, each);
      }
    });
    assertProperty(property, { cases: 25, short: 8, seed: SEED, against: 'the program' });
  });
});

const SEED = 20_261_124;

const PREDICT: Readonly<Record<EarnAction, (state: EarnState, amount: bigint, now: bigint) => EarnResult>> = {
  deposit: depositAssets,
  mint: mintShares,
  withdraw: withdrawAssets,
  redeem: redeemShares,
};

const step = fc.record({
  action: fc.constantFrom<EarnAction>('deposit', 'mint', 'withdraw', 'redeem'),
  amount: fc.oneof(fc.bigInt(1n, 5_000_000n), fc.bigInt(0n, 15n)),
  seconds: fc.oneof(fc.bigInt(0n, 5n), fc.bigInt(0n, 400_000n)),
  before: fc.constantFrom('nothing', 'nothing', 'borrow', 'start', 'queue', 'transition', 'update'),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Events other than deposits and withdrawals. The programs may refuse them. */
function prepare(world: LendingWorld, borrower: Address, { before, amount }: Step): void {
  const { network, liquidity, token } = world;
  const { admin } = liquidity;
  const rewards = { amount, duration: 300_000n, startTime: 0n, startTvl: amount };
  if (before === 'borrow') liquidity.operate(borrower, 0n, amount + 10n);
  if (before === 'start') network.send([startRewards(admin, token.mint, rewards)]);
  if (before === 'queue') network.send([queueNextRewards(admin, token.mint, amount, 200_000n)]);
  if (before === 'transition') network.send([transitionToNextRewards(token.mint)]);
  if (before === 'update') comparePrices(world);
}

function compare(world: LendingWorld, { action, amount }: Step): void {
  const { user, token } = world;
  const before = world.state();
  const predicted = PREDICT[action](before, amount, world.liquidity.now());
  const held = world.balance(world.receipt);
  const parties = { signer: user, mint: token.mint, tokenProgram: token.tokenProgram };
  const { error, returnData } = world.network.send([createEarnInstruction(action, parties, amount)]);
  if (predicted.ok && (isDeposit(action) || predicted.shares <= held)) {
    expect(error).toBeNull();
    expect(world.state()).toEqual(predicted.state);
    const returned = action === 'deposit' || action === 'withdraw' ? predicted.shares : predicted.assets;
    expect(Buffer.from(returnData).readBigUInt64LE(0)).toBe(returned);
  } else {
    expect(error).not.toBeNull();
    if (!predicted.ok && predicted.error !== 'LibraryMathError' && predictedFirst(action, before, amount)) {
      const names = predicted.error.startsWith('FToken') ? LENDING_ERRORS : LIQUIDITY_ERRORS;
      expect(error?.custom).toBe(6000 + names.indexOf(predicted.error));
    }
  }
}

/** A withdrawal burns shares before it calls the liquidity program, so a lack of shares is the first error. */
function predictedFirst(action: EarnAction, before: EarnState, amount: bigint): boolean {
  return isDeposit(action) || (amount <= before.shares && action === 'redeem');
}

function isDeposit(action: EarnAction): boolean {
  return action === 'deposit' || action === 'mint';
}

function comparePrices(world: LendingWorld): void {
  const { lending, rewards, shares, liquidity } = world.state();
  const sources = { lending, rewards, shares, reserve: liquidity.reserve };
  const prices = computeLendingPricesAt(sources, world.liquidity.now());
  const { error } = world.network.send([updateRate(world.token.mint)]);
  expect(error === null).toBe(prices !== null);
  if (prices === null) return;
  expect(world.state().lending).toEqual({
    ...lending,
    liquidityExchangePrice: prices.liquidity,
    tokenExchangePrice: prices.token,
    lastUpdateTimestamp: world.liquidity.now(),
  });
}
