import { describe, expect, it } from 'vitest';
import {
  deriveBorrowPositionAddress,
  deriveClaimAddress,
  deriveSupplyPositionAddress,
} from '../../../src/protocols/jupiter-lend/liquidity/addresses.ts';
import {
  deriveBranchAddress,
  deriveVaultPositionAddress,
  deriveVaultPositionTokenAddress,
  deriveTickAddress,
  deriveTickHasDebtAddress,
  deriveTickIdLiquidationAddress,
  deriveVaultConfigAddress,
  deriveVaultStateAddress,
} from '../../../src/protocols/jupiter-lend/vaults/state/addresses.ts';
import {
  initBranch,
  initTick,
  initTickIdLiquidation,
} from '../../../src/protocols/jupiter-lend/vaults/instructions.ts';
import { MIN_TICK } from '../../../src/protocols/jupiter-lend/vaults/state/limits.ts';
import type { Address } from '../../../src/solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { substituteAccounts } from '../../../src/testing/svm/substitution.ts';
import { initNewProtocol } from '../../liquidity/tests/instructions.ts';
import { initTickHasDebtArray, initVaultConfig, initVaultState, TERMS } from './instructions.ts';
import { ALL_ARRAYS } from './vault-client.ts';
import { VAULT_ID, VaultWorld } from './world.ts';

describe('an instruction with another account in any place', () => {
  it.each([
    ['deposits and borrows', { collateral: SOL, debt: 50n * USDC }],
    ['withdraws and pays back', { collateral: -SOL, debt: -300n * USDC }],
  ])('is refused, or does the same: operate %s', (_, amounts) => {
    const world = new VaultWorld();
    const owner = world.user();
    const id = world.open(owner);
    expect(world.operate(id, owner, { collateral: 10n * SOL, debt: 500n * USDC }).error).toBeNull();
    const others = accountsOfOthers(world);
    const { prepare, operate } = world.operation(id, owner, amounts);
    if (prepare.length > 0) world.must(...prepare);
    const { refused, harmless, surprises } = substituteAccounts(world.network, [operate], others);
    expect(surprises).toEqual([]);
    expect(refused).toBeGreaterThan(300);
    expect(harmless).toBeGreaterThan(0);
  });

  it('is refused, or does the same: liquidate', () => {
    const world = new VaultWorld();
    const owner = world.user();
    for (const debt of [700n, 780n]) {
      const id = world.open(owner);
      expect(world.operate(id, owner, { collateral: 10n * SOL, debt: debt * USDC }).error).toBeNull();
    }
    const liquidator = world.user();
    const others = accountsOfOthers(world);
    world.setPrice(88_000_000n);
    const instruction = world.liquidation(liquidator, { debt: 50n * USDC });
    const { refused, harmless, surprises } = substituteAccounts(world.network, [instruction], others);
    expect(surprises).toEqual([]);
    expect(refused).toBeGreaterThan(200);
    expect(harmless).toBeGreaterThan(0);
  });
});

const [SOL, USDC] = [1_000_000_000n, 1_000_000n];
const OTHER_ID = 2;

/** Creates a second vault of the same tokens with all its accounts. */
function openOtherVault(world: VaultWorld): readonly Address[] {
  const { admin } = world;
  const pair = { ...world.pair, vaultId: OTHER_ID };
  world.must(initVaultConfig(admin, pair, TERMS));
  world.must(initVaultState(admin, pair));
  for (const id of [0, 1]) world.must(initBranch(admin, OTHER_ID, id));
  for (const index of ALL_ARRAYS.slice(6, 9)) world.must(initTickHasDebtArray(admin, OTHER_ID, index));
  world.must(initTick(admin, OTHER_ID, MIN_TICK));
  world.must(initTickIdLiquidation(admin, OTHER_ID, { tick: MIN_TICK, id: 0 }));
  const config = deriveVaultConfigAddress(OTHER_ID).address;
  world.must(initNewProtocol(admin, world.supply.mint, world.borrow.mint, config));
  return [
    config,
    deriveVaultStateAddress(OTHER_ID).address,
    deriveBranchAddress(OTHER_ID, 1).address,
    deriveTickAddress(OTHER_ID, MIN_TICK).address,
    deriveTickIdLiquidationAddress(OTHER_ID, MIN_TICK, 0).address,
    deriveTickHasDebtAddress(OTHER_ID, 8).address,
    deriveSupplyPositionAddress(world.supply.mint, config),
    deriveBorrowPositionAddress(world.borrow.mint, config),
  ];
}

/** Returns accounts of another vault, and of another user of the same vault. */
function accountsOfOthers(world: VaultWorld): readonly Address[] {
  const other = world.user();
  const id = world.open(other);
  expect(world.operate(id, other, { collateral: 10n * SOL, debt: 300n * USDC }).error).toBeNull();
  const { tick, tickId } = world.position(id);
  const holding = (mint: Address) => deriveAssociatedTokenAddress(other, mint, world.supply.tokenProgram);
  return [
    ...openOtherVault(world),
    other,
    holding(world.supply.mint),
    holding(world.borrow.mint),
    deriveVaultPositionAddress(VAULT_ID, id).address,
    deriveVaultPositionTokenAddress(VAULT_ID, id, other),
    deriveTickAddress(VAULT_ID, tick).address,
    deriveTickIdLiquidationAddress(VAULT_ID, tick, tickId).address,
    deriveClaimAddress(world.config, world.supply.mint),
    deriveBranchAddress(VAULT_ID, 0).address,
  ];
}
