import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import { PRICE_ONE } from '../../../src/protocols/jupiter-lend/lending-base/amounts.ts';
import { deposit, withdraw } from './instructions.ts';
import { LendingWorld } from './world.ts';

describe('deposit', () => {
  it('mints shares, which are worth more once borrowers paid interest', () => {
    const world = new LendingWorld();
    const outcome = world.network.send([deposit('deposit', world.parties(), world.token, [10_000_000n])]);
    expect(outcome.error).toBeNull();
    expect(world.balance(world.receipt)).toBe(10_000_000n);
    world.liquidity.operate(world.liquidity.protocol(), 0n, 6_000_000n);
    world.liquidity.pass(1_000_000n);
    expect(
      world.network.send([withdraw('redeem', world.parties(), world.token, [1_000_000n])]).error,
    ).toBeNull();
    expect(world.price()).toBe(1_000_684_931_506n);
    expect(world.balance(world.token)).toBe(1_000_000_000_000n - 10_000_000n + 1_000_684n);
  });

  it('never owes shares more than the liquidity program owes the lending', () => {
    const step = fc.record({
      name: fc.constantFrom('deposit', 'mint', 'withdraw', 'redeem', 'borrow'),
      amount: fc.bigInt(0n, 5_000_000n),
      seconds: fc.bigInt(0n, 500_000n),
    });
    const history = fc.array(step, { minLength: 25, maxLength: 25 });
    const property = fc.property(history, (steps) => {
      const world = new LendingWorld();
      const borrower = world.liquidity.protocol();
      for (const { name, amount, seconds } of steps) {
        world.liquidity.pass(seconds);
        const parties = world.parties();
        if (name === 'borrow') world.liquidity.operate(borrower, 0n, amount);
        else if (name === 'deposit' || name === 'mint') {
          world.network.send([deposit(name, parties, world.token, [amount])]);
        } else if (name === 'withdraw' || name === 'redeem') {
          world.network.send([withdraw(name, parties, world.token, [amount])]);
        }
        const { supplyExchangePrice } = world.liquidity.reserve();
        const supplied = (world.liquidity.supplied(world.lending).amount * supplyExchangePrice) / PRICE_ONE;
        const owed = (world.balance(world.receipt) * world.price()) / PRICE_ONE;
        expect(owed).toBeLessThanOrEqual(supplied);
      }
    });
    assertProperty(property, { cases: 30, short: 8, seed: SEED });
  });
});

const SEED = 20_261_122;
