import { describe, expect, it } from 'vitest';
import {
  type LiquidationTerms,
  liquidate,
} from '../../../src/protocols/jupiter-lend/liquidation/instruction.ts';
import {
  listArraysOfRange,
  listLiquidationBranches,
  findLiquidationRange,
} from '../../../src/protocols/jupiter-lend/liquidation/range.ts';
import { initBranch, initTick } from '../../../src/protocols/jupiter-lend/vaults/instructions.ts';
import { getNextTopBranchId } from '../../../src/protocols/jupiter-lend/vaults/state/operate-accounts.ts';
import { computeLiquidationBounds } from '../../../src/protocols/jupiter-lend/vaults/model/liquidation-bounds.ts';
import { NO_TICK } from '../../../src/protocols/jupiter-lend/vaults/state/limits.ts';
import { toArrayIndex } from '../../../src/protocols/jupiter-lend/vaults/state/tick-has-debt.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { TestOutcome } from '../../../src/testing/svm/network.ts';
import { VAULT_ID } from './world.ts';
import { VaultWorld } from './world.ts';

describe('the accounts that range.ts finds for a liquidation', () => {
  // The ticks have different places in their array, so that the program continues in the array below in some cases
  // only.
  it.each([3n, 5n, 9n, 14n, 22n, 31n, 64n, 99n, 150n, 240n])(
    'suffice where nobody else has debt, at a price of %s tenths',
    (tenths) => {
      const price = (tenths * DOLLARS) / 10n;
      const world = vaultWith(price, (tenths * 79n * USDC) / 100n);
      world.setPrice((price * 92n) / 100n);
      expect(liquidateFound(world, {})).toMatchObject({ error: null });
      expect(world.state().absorbedDebtAmount).toBe(0n);
    },
  );

  it('suffice after an absorption that leaves the liquidated branch for a new one', () => {
    const world = vaultWith(100n * DOLLARS, 100n * USDC, 600n * USDC, 780n * USDC);
    world.setPrice(90n * DOLLARS);
    expect(liquidateFound(world, { debt: 10n * USDC }).error).toBeNull();
    const before = world.state();
    expect(before.branchLiquidated).toBe(true);
    // The liquidated branch is now above the liquidation limit, and the position with 600 is above the threshold.
    world.setPrice(69n * DOLLARS);
    expect(liquidateFound(world, {})).toMatchObject({ error: null });
    const after = world.state();
    expect(after.absorbedDebtAmount).toBeGreaterThan(0n);
    expect(after.currentBranchId).toBe(before.totalBranchId + 1);
  });

  it('suffice to absorb a top tick that is the last one of its array', () => {
    const world = vaultWith((13n * DOLLARS) / 10n, USDC, (999n * USDC) / 100n);
    expect(world.state().topmostTick).toBe(0);
    expect(toArrayIndex(1)).toBe(toArrayIndex(0) + 1);
    world.setPrice(DOLLARS);
    expect(liquidateFound(world, { debt: 0n })).toMatchObject({ error: null });
    expect(world.state().absorbedDebtAmount).toBeGreaterThan(0n);
  });
});

const SOL = 1_000_000_000n;
const USDC = 1_000_000n;
const DOLLARS = 1_000_000n;

/** Returns a vault with a position of 10 SOL of collateral for each of the debts. */
function vaultWith(price: bigint, ...debts: readonly bigint[]): VaultWorld {
  const world = new VaultWorld();
  world.setPrice(price);
  for (const debt of debts) borrow(world, debt);
  return world;
}

function borrow(world: VaultWorld, debt: bigint): void {
  const owner = world.user();
  expect(world.operate(world.open(owner), owner, { collateral: 10n * SOL, debt }).error).toBeNull();
}

/** Sends a liquidation with only the accounts that `range.ts` finds. */
function liquidateFound(world: VaultWorld, terms: Partial<LiquidationTerms>): TestOutcome {
  const signer: Address = world.user();
  const state = world.state();
  const read = world.reader();
  const bounds = computeLiquidationBounds(world.terms(), world.prices(), world.rate());
  if (typeof bounds === 'string') throw new Error(bounds);
  const range = findLiquidationRange(state, bounds.liquidationTick, read.tickHasDebt);
  if (range === null) throw new Error('nothing can be liquidated');
  const newBranchId = getNextTopBranchId(state);
  if (read.branch(newBranchId) === null) world.must(initBranch(signer, VAULT_ID, newBranchId));
  for (const tick of range.ticks) {
    if (read.tick(tick) === null) world.must(initTick(signer, VAULT_ID, tick));
  }
  const accounts = {
    newBranchId,
    branches: listLiquidationBranches(state, (id) => read.branch(id)?.connectedBranchId ?? null),
    ticks: range.ticks,
    arrays: listArraysOfRange(range, state.topmostTick > bounds.maxTick ? NO_TICK : bounds.liquidationTick),
  };
  const full = { debt: 1n << 62n, collateralPerDebt: 0n, absorb: false, ...terms };
  return world.network.send([liquidate(world.operateVault(), signer, signer, accounts, full)]);
}
