import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import { updateExchangePrice } from './instructions.ts';
import { LiquidityWorld } from './world.ts';

describe('operate', () => {
  it('registers deposits and pays interest from borrowers to suppliers', () => {
    const world = new LiquidityWorld();
    const protocol = world.protocol();
    expect(world.operate(protocol, 5_000_000n, 0n).error).toBeNull();
    expect(world.operate(protocol, 0n, 2_000_000n).error).toBeNull();
    expect(world.network.tokenBalance(world.payee)).toBe(2_000_000n);
    expect(world.reserve()).toMatchObject({ lastUtilization: 4000, borrowRate: 300 });

    world.pass(10_000n);
    world.must(updateExchangePrice(world.token.mint));
    expect(world.reserve()).toMatchObject({
      supplyExchangePrice: 1_000_003_424_657n,
      borrowExchangePrice: 1_000_009_512_938n,
    });
  });

  it('refuses withdrawals and debts beyond their limits, which expand over time', () => {
    const world = new LiquidityWorld();
    const protocol = world.protocol();
    world.operate(protocol, 10_000_000n, 0n);
    expect(world.operate(protocol, -2_000_001n, 0n).error).toMatchObject({ custom: 6028 });
    expect(world.operate(protocol, -2_000_000n, 0n).error).toBeNull();
    expect(world.operate(protocol, -1_000_000n, 0n).error).toMatchObject({ custom: 6028 });
    world.pass(3600n);
    expect(world.operate(protocol, -1_000_000n, 0n).error).toBeNull();
    expect(world.operate(protocol, 0n, 10_000_001n).error).toMatchObject({ custom: 6029 });
    expect(world.operate(protocol, 0n, 6_900_000n).error).toMatchObject({ custom: 6035 });
  });

  it('owes suppliers at most what the vault holds and borrowers owe', () => {
    const step: fc.Arbitrary<Step> = fc.record({
      protocol: fc.nat(2),
      kind: fc.constantFrom<Step['kind']>('supply', 'withdraw', 'borrow', 'payback'),
      amount: fc.bigInt(0n, 9_000_000n),
      seconds: fc.bigInt(0n, 1_000_000n),
    });
    const histories = fc.array(step, { minLength: 30, maxLength: 30 });
    const holds = (steps: readonly Step[]): void => {
      const world = new LiquidityWorld();
      const protocols = [world.protocol(1), world.protocol(1), world.protocol(0)];
      for (const { protocol, kind, amount, seconds } of steps) {
        world.pass(seconds);
        const who = protocols[protocol] ?? world.admin;
        const signed = kind === 'withdraw' || kind === 'payback' ? -amount : amount;
        const supplies = kind === 'supply' || kind === 'withdraw';
        world.operate(who, supplies ? signed : 0n, supplies ? 0n : signed);
        expect(owed(world)).toBeLessThanOrEqual(world.held() + debts(world));
      }
    };
    assertProperty(fc.property(histories, holds), { cases: 30, short: 8, seed: SEED });
  });
});

const SEED = 20_261_122;
const PRICE_ONE = 10n ** 12n;

interface Step {
  readonly protocol: number;
  readonly kind: 'supply' | 'withdraw' | 'borrow' | 'payback';
  readonly amount: bigint;
  readonly seconds: bigint;
}

function owed(world: LiquidityWorld): bigint {
  const { supplyWithInterest, supplyExchangePrice, supplyInterestFree } = world.reserve();
  return (supplyWithInterest * supplyExchangePrice) / PRICE_ONE + supplyInterestFree;
}

/** Returns the debts, rounded up as they are when they are repaid. */
function debts(world: LiquidityWorld): bigint {
  const { borrowWithInterest, borrowExchangePrice, borrowInterestFree } = world.reserve();
  return (borrowWithInterest * borrowExchangePrice + PRICE_ONE - 1n) / PRICE_ONE + borrowInterestFree;
}
