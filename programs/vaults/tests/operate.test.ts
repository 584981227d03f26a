import { describe, expect, it } from 'vitest';
import { MIN_I128, NO_TICK } from '../../../src/protocols/jupiter-lend/vaults/state/limits.ts';
import { VaultWorld } from './world.ts';

describe('init_position', () => {
  it('gives the signer the one token of a position', () => {
    const world = new VaultWorld();
    const user = world.user();
    expect(world.open(user)).toBe(1);
    expect(world.state()).toMatchObject({ nextPositionId: 2, totalPositions: 1 });
    expect(world.position(1)).toMatchObject({
      nftId: 1,
      isSupplyOnly: true,
      tick: NO_TICK,
      supplyAmount: 0n,
    });
  });
});

describe('operate', () => {
  it('pays a deposit back, except for rounding', () => {
    const world = new VaultWorld();
    const user = world.user();
    const id = world.open(user);
    const before = world.balance(user, world.supply);
    const outcome = world.operate(id, user, { collateral: 10n * SOL, debt: 0n });
    expect(outcome.logs.join('\n')).not.toContain('AnchorError');
    expect(outcome.error).toBeNull();
    expect(world.balance(user, world.supply)).toBe(before - 10n * SOL - 1n);
    expect(world.position(id)).toMatchObject({ supplyAmount: 10n * SOL, isSupplyOnly: true });
    expect(world.operate(id, user, { collateral: MIN_I128, debt: 0n }).error).toBeNull();
    expect(world.balance(user, world.supply)).toBe(before - 2n);
    expect(world.state().totalSupply).toBe(0n);
  });

  it('lends up to the collateral factor, and accepts the repayment', () => {
    const world = new VaultWorld();
    const user = world.user();
    // One position keeps its debt, because the rounding of the last repayment exceeds the debt of the vault.
    const other = world.user();
    expect(world.operate(world.open(other), other, { collateral: SOL, debt: USDC }).error).toBeNull();
    const id = world.open(user);
    expect(world.operate(id, user, { collateral: 10n * SOL, debt: 801n * USDC }).error).toMatchObject({
      custom: 6011,
    });
    expect(world.operate(id, user, { collateral: 10n * SOL, debt: 700n * USDC }).error).toBeNull();
    expect(world.position(id)).toMatchObject({ tick: 2835, supplyAmount: 10n * SOL });
    expect(world.state()).toMatchObject({ topmostTick: 2835, totalSupply: 11n * SOL });
    expect(world.operate(id, user, { collateral: MIN_I128, debt: MIN_I128 }).error).toBeNull();
    expect(world.position(id)).toMatchObject({ tick: NO_TICK, supplyAmount: 0n, dustDebtAmount: 0n });
    expect(world.state()).toMatchObject({ topmostTick: 1, totalSupply: SOL });
  });
});

const SOL = 1_000_000_000n;
const USDC = 1_000_000n;
