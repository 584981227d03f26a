import { describe, expect, it } from 'vitest';
import { parseLiquidationResult } from '../../../src/protocols/jupiter-lend/liquidation/instruction.ts';
import { ORACLE_PROGRAM, VAULTS_PROGRAM } from '../../../src/protocols/jupiter-lend/lending-base/programs.ts';
import {
  deriveBranchAddress,
  deriveTickAddress,
  deriveVaultStateAddress,
} from '../../../src/protocols/jupiter-lend/vaults/state/addresses.ts';
import { MIN_I128 } from '../../../src/protocols/jupiter-lend/vaults/state/limits.ts';
import type { Address } from '../../../src/solana/address.ts';
import { type Instruction, readonly, writable } from '../../../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import {
  initVaultConfig,
  TERMS,
  updateCoreSettings,
  updateLookupTable,
  updateSetting,
  updateVaultAuths,
  vaultsInstruction,
} from './instructions.ts';
import { VaultWorld } from './world.ts';

describe('operate', () => {
  it('lets only the owner of the token withdraw and borrow, and any wallet deposit and repay', () => {
    const { world, owner, id } = borrowers();
    const other = world.user();
    const refused = { custom: 6045 };
    expect(world.operate(id, other, { collateral: -SOL, debt: 0n }, owner).error).toMatchObject(refused);
    expect(world.operate(id, other, { collateral: 0n, debt: USDC }, owner).error).toMatchObject(refused);
    expect(world.operate(id, other, { collateral: SOL, debt: -USDC }, owner).error).toBeNull();
  });

  it('refuses debts that are too small, amounts that are too small, and more than there is', () => {
    const { world, owner, id } = borrowers();
    const error = (collateral: bigint, debt: bigint) => world.operate(id, owner, { collateral, debt }).error;
    const owed = world.context(id).position.debt / 1_000n;
    expect(error(0n, -(owed - 998n))).toMatchObject({ custom: 6025 });
    expect(error(0n, -(owed + 5_000n))).toMatchObject({ custom: 6018 });
    expect(error(999n, 0n)).toMatchObject({ custom: 6009 });
    expect(error(0n, 0n)).toMatchObject({ custom: 6009 });
    expect(error(1n << 63n, 0n)).toMatchObject({ custom: 6009 });
    expect(error(-11n * SOL, 0n)).toMatchObject({ custom: 6017 });
    expect(error(-2n * SOL, 0n)).toMatchObject({ custom: 6011 });
    expect(error(0n, 200n * USDC)).toMatchObject({ custom: 6011 });
  });

  it('refuses deposits and repayments that leave a position above the liquidation threshold', () => {
    const { world, owner, id } = borrowers();
    world.setPrice(75_000_000n);
    expect(world.operate(id, owner, { collateral: SOL / 100n, debt: 0n }).error).toMatchObject({
      custom: 6063,
    });
    expect(world.operate(id, owner, { collateral: SOL, debt: 0n }).error).toBeNull();
  });

  it('refuses accounts of others, and fewer or other accounts than it needs', () => {
    const { world, owner, id } = borrowers();
    const { prepare, operate } = world.operation(id, owner, { collateral: SOL, debt: USDC });
    world.must(...prepare);
    const error = (instruction: Instruction) => world.network.send([instruction]).error;
    // The oracle's source, a branch, and a map of ticks follow the interface's accounts.
    const feed = 35;
    const table: readonly (readonly [number, Address, number])[] = [
      [7, world.config, 3002],
      [9, world.supply.mint, 2014],
      [10, world.feed, 3007],
      [12, operate.accounts[1]?.address as Address, 6001],
      [13, deriveTickAddress(1, -16_383).address, 6043],
      [14, deriveTickAddress(1, -16_383).address, 6035],
      [18, operate.accounts[19]?.address as Address, 6040],
      [29, ORACLE_PROGRAM, 6044],
      [30, VAULTS_PROGRAM, 6046],
      [feed, world.supply.mint, 6005],
      [feed + 1, world.feed, 6047],
      [feed + 1, deriveBranchAddress(1, 0).address, 6032],
      [feed + 2, world.feed, 6048],
      [feed + 2, deriveVaultStateAddress(1).address, 3002],
    ];
    for (const [index, address, custom] of table) {
      const found = error(replaced(operate, index, address));
      expect([index, found?.custom]).toEqual([index, custom]);
    }
    expect(error(counted(operate, [1, 1]))).toMatchObject({ custom: 6004 });
    expect(error(counted(operate, [1, 1, 200]))).toMatchObject({ custom: 6051 });
    expect(error(counted(operate, [1, 0, 1]))).toMatchObject({ custom: 3002 });
    expect(error({ ...operate, accounts: operate.accounts.slice(0, 34) })).toMatchObject({ custom: 3005 });
    expect(error(operate)).toBeNull();
  });

  it('refuses a price that is too old', () => {
    const { world, owner, id } = borrowers();
    const { prepare, operate } = world.operation(id, owner, { collateral: 0n, debt: USDC });
    if (prepare.length > 0) world.must(...prepare);
    world.network.setUnixTime(world.now + 601n);
    expect(world.network.send([operate]).error).toMatchObject({ custom: 6001 });
  });

  /** Returns the instruction with other counts of remaining accounts, which come last in its data. */
  function counted(instruction: Instruction, counts: readonly number[]): Instruction {
    const data = Buffer.from(instruction.data);
    const head = data.subarray(0, data.length - 4 - (instruction.accounts.length < 35 ? 4 : 3));
    const length = Buffer.alloc(4);
    length.writeUInt32LE(counts.length);
    return { ...instruction, data: new Uint8Array(Buffer.concat([head, length, Buffer.from(counts)])) };
  }
});

describe('liquidate', () => {
  it('leaves safe positions alone, and takes no worse deal than is allowed', () => {
    const { world, owner } = borrowers();
    const error = (terms: object, to?: Address) =>
      world.network.send([world.liquidation(owner, terms, to)]).error;
    expect(error({ debt: 100n * USDC })).toMatchObject({ custom: 6027 });
    world.setPrice(80_000_000n);
    expect(error({ debt: 999n })).toMatchObject({ custom: 6020 });
    expect(error({ debt: 0n })).toMatchObject({ custom: 6020 });
    // 1 / 80 SOL for a USDC, and 1 percent more, in atoms times 10^15.
    const deal = (10n ** 15n * 1_000n * 101n) / 8_000n;
    expect(error({ debt: 100n * USDC, collateralPerDebt: deal + 10n ** 12n })).toMatchObject({
      custom: 6013,
    });
    expect(error({ debt: 100n * USDC, collateralPerDebt: deal - 10n ** 12n })).toBeNull();
  });

  it('reports the amounts of a dry run, whose recipient is the system program', () => {
    const { world, owner } = borrowers();
    world.setPrice(80_000_000n);
    const outcome = world.network.send([world.liquidation(owner, { debt: 1n << 60n }, SYSTEM_PROGRAM)]);
    expect(outcome.error).toMatchObject({ custom: 6021 });
    expect(parseLiquidationResult(outcome.logs)?.debt).toBeGreaterThan(0n);
  });

  it('goes through small positions at the top of a vault', () => {
    const { world, owner, id } = borrowers();
    const griefer = world.user();
    for (let step = 0n; step < 3n; step++) {
      const debt = 755_000n + step * 2_000n;
      world.operate(world.open(griefer), griefer, { collateral: SOL / 100n, debt });
    }
    world.setPrice(80_000_000n);
    const before = world.positionState(id).debt;
    expect(world.network.send([world.liquidation(owner, { debt: 400n * USDC })]).error).toBeNull();
    expect(world.positionState(id).debt).toBeLessThan(before);
  });

  it('fails without debt and without the accounts of the ticks on its way', () => {
    const { world, owner } = borrowers();
    world.setPrice(80_000_000n);
    const liquidation = world.liquidation(owner, { debt: 100n * USDC });
    const first = 26 + 1 + 2;
    const error = (instruction: Instruction) => world.network.send([instruction]).error;
    expect(error(replaced(liquidation, first, deriveTickAddress(1, -16_383).address))).toMatchObject({
      custom: 6033,
    });
    expect(error(replaced(liquidation, first, world.feed))).toMatchObject({ custom: 6049 });
    const empty = new VaultWorld();
    const user = empty.user();
    expect(empty.network.send([empty.liquidation(user, { debt: USDC })]).error).toMatchObject({
      custom: 6012,
    });
  });
});

describe('an operator', () => {
  it('changes terms within their bounds, which no other signer can do', () => {
    const world = new VaultWorld();
    const { admin, pair } = world;
    const error = (instruction: Instruction) => world.network.send([instruction]).error;
    const above = { custom: 6064 };
    const factor = (signer: Address, value: number) =>
      updateSetting('collateral_factor', signer, pair, (to) => to.u16(value));
    expect(error(factor(world.user(), 7_000))).toMatchObject({ custom: 6065 });
    expect(error(factor(admin, 8_500))).toMatchObject(above);
    expect(error(factor(admin, 7_009))).toBeNull();
    expect(world.terms().collateralFactor).toBe(700);
    expect(error(updateCoreSettings(admin, pair, { ...TERMS, liquidationPenalty: 1_000 }))).toMatchObject(
      above,
    );
    expect(error(updateCoreSettings(admin, pair, { ...TERMS, borrowRateMagnifier: -10_001 }))).toMatchObject(
      above,
    );
    expect(error(updateCoreSettings(admin, pair, { ...TERMS, borrowRateMagnifier: -50 }))).toBeNull();
    expect(world.terms().borrowRateMagnifier).toBe(-50);
    const auth = world.user();
    expect(error(updateVaultAuths(admin, [[auth, true]]))).toBeNull();
    expect(error(updateLookupTable(auth, 1, world.feed))).toBeNull();
    expect(error(updateLookupTable(auth, 1, world.feed))).toMatchObject({ custom: 6072 });
    expect(error(initVaultConfig(admin, { ...pair, vaultId: 2 }, TERMS, 1))).toMatchObject({ custom: 6075 });
    expect(error(initVaultConfig(admin, { ...pair, vaultId: 3 }, TERMS))).toMatchObject({ custom: 6067 });
    expect(error(vaultsInstruction('operate_dex', [readonly(admin), writable(admin)]))).toMatchObject({
      custom: 101,
    });
  });
});

describe('operate with everything', () => {
  it('withdraws all collateral of a position without debt', () => {
    const { world } = borrowers();
    const user = world.user();
    const id = world.open(user);
    world.operate(id, user, { collateral: SOL, debt: 0n });
    expect(world.operate(id, user, { collateral: MIN_I128, debt: 0n }).error).toBeNull();
    expect(world.position(id).supplyAmount).toBe(0n);
  });
});

const SOL = 1_000_000_000n;
const USDC = 1_000_000n;

/** Returns a vault with one position at 70 percent and one at 10. */
function borrowers() {
  const world = new VaultWorld();
  const [first, owner] = [world.user(), world.user()];
  world.operate(world.open(first), first, { collateral: 10n * SOL, debt: 100n * USDC });
  const id = world.open(owner);
  expect(world.operate(id, owner, { collateral: 10n * SOL, debt: 700n * USDC }).error).toBeNull();
  return { world, owner, id };
}

/** Returns the instruction with another account in one place. */
function replaced(instruction: Instruction, index: number, address: Address): Instruction {
  const accounts = instruction.accounts.map((meta, at) => (at === index ? { ...meta, address } : meta));
  return { ...instruction, accounts };
}
