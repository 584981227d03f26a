import { describe, expect, it } from 'vitest';
import { rebalance } from './instructions.ts';
import { VaultWorld } from './world.ts';

describe('rebalance', () => {
  it('takes what a vault adds to supply from the rebalancer, and gives what it adds to debts', () => {
    const world = new VaultWorld({ terms: { supplyRateMagnifier: 1_000, borrowRateMagnifier: 500 } });
    const { admin, pair, supply, borrow } = world;
    const user = world.user();
    const amounts = { collateral: 100n * SOL, debt: 5_000n * USDC };
    expect(world.operate(world.open(user), user, amounts).error).toBeNull();
    world.pass(31_536_000n);
    const programs = [supply.tokenProgram, borrow.tokenProgram] as const;
    expect(world.network.send([rebalance(user, pair, programs)]).error).toMatchObject({ custom: 6014 });
    const before = [world.balance(admin, supply), world.balance(admin, borrow)] as const;
    const outcome = world.network.send([rebalance(admin, pair, programs)]);
    expect(outcome.error).toBeNull();
    const data = Buffer.from(outcome.returnData);
    // A tenth of 100 SOL, except for the atom that the deposit brought, and a twentieth of 5,000 USDC, except for
    // rounding.
    expect(data.readBigInt64LE(0)).toBe(10n * SOL - 1n);
    expect(data.readBigInt64LE(16)).toBe(250n * USDC + 5n);
    expect(before[0] - world.balance(admin, supply)).toBe(10n * SOL - 1n);
    expect(world.balance(admin, borrow) - before[1]).toBe(250n * USDC + 5n);
    const { supplied, borrowed } = world.liquidity();
    const prices = world.prices();
    expect((supplied * prices.liquiditySupply) / 10n ** 12n).toBe(110n * SOL);
    expect(borrowed * prices.liquidityBorrow).toBeGreaterThan(5_250n * USDC * 10n ** 12n);
    expect(world.network.send([rebalance(admin, pair, programs)]).error).toMatchObject({ custom: 6028 });
  });
});

const SOL = 1_000_000_000n;
const USDC = 1_000_000n;
