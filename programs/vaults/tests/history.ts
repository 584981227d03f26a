import { expect } from 'vitest';
import { maximum, minimum } from '../../../src/solana/units.ts';
import { computeLiquidationBounds } from '../../../src/protocols/jupiter-lend/vaults/model/liquidation-bounds.ts';
import {
  type LiquidationPrediction,
  predictLiquidation,
} from '../../../src/protocols/jupiter-lend/vaults/model/liquidate.ts';
import { BranchStatus } from '../../../src/protocols/jupiter-lend/vaults/state/layouts.ts';
import { MIN_I128, NO_TICK, toVaultUnits } from '../../../src/protocols/jupiter-lend/vaults/state/limits.ts';
import { checkSafety } from '../../../src/protocols/jupiter-lend/vaults/model/predict-operate.ts';
import type { PositionState } from '../../../src/protocols/jupiter-lend/vaults/state/position-state.ts';
import { RATIO_ONE, computeRatioAtTick } from '../../../src/protocols/jupiter-lend/vaults/state/ticks.ts';
import { listTicksWithDebt } from '../../../src/testing/protocols/vault.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { TestOutcome } from '../../../src/testing/svm/network.ts';
import { type Step, USERS } from './history-steps.ts';
import type { VaultSpec } from './world.ts';
import { VaultWorld } from './world.ts';

const PRICE_ONE = 10n ** 12n;
const MIN_PRICE = 5_000_000n;
const MAX_PRICE = 500_000_000n;

/** The number of events of each kind, with which a test asserts that it covered them. */
export interface Tally {
  operations: number;
  liquidations: number;
  absorptions: number;
  merges: number;
}

/** A vault with some users and a liquidator. Each change is compared with the models. */
export class VaultHistory {
  readonly world: VaultWorld;
  readonly tally: Tally;
  readonly #users: readonly { readonly owner: Address; readonly position: number }[];
  readonly #liquidator: Address;
  #price = 100_000_000n;

  constructor(tally: Tally, spec: VaultSpec = {}) {
    this.tally = tally;
    this.world = new VaultWorld(spec);
    this.#liquidator = this.world.user();
    // The first position stays open, because the last debt of a vault cannot be repaid in full.
    const first = this.world.user();
    const collateral = this.#atoms(100_000n);
    const amounts = { collateral, debt: this.#worth(collateral, 1n) };
    expect(this.world.operate(this.world.open(first), first, amounts).error).toBeNull();
    this.#users = Array.from({ length: USERS }, () => {
      const owner = this.world.user();
      return { owner, position: this.world.open(owner) };
    });
  }

  /** Converts hundredths of whole collateral tokens to atoms. */
  #atoms(hundredths: bigint): bigint {
    return (hundredths * 10n ** BigInt(this.world.supply.decimals)) / 100n;
  }

  #priceOne(): bigint {
    return 10n ** BigInt(this.world.priceDecimals);
  }

  run(step: Step): void {
    const { user, share, otherShare } = step;
    if (step.kind === 'rise') this.#setPrice((this.#price * (10_000n + share / 3n)) / 10_000n);
    else if (step.kind === 'fall') this.#bringTopTo(8_400n + share / 9n);
    else if (step.kind === 'time') this.world.pass(share * 100n);
    else if (step.kind === 'open') this.#open(user, share, 6_000n + otherShare / 5n);
    else if (step.kind === 'change') this.#change(step);
    else if (step.kind === 'leave') this.#leave(step);
    else if (step.kind === 'repay') {
      const paid = (this.#owed(user) * share) / 10_000n;
      if (paid >= 1_000n) this.#operate(user, 0n, -paid);
    } else if (step.kind === 'stack') {
      // The price is set right above the liquidated branch, so that a later liquidation merges the two branches.
      this.#bringTopTo(7_600n + otherShare / 50n);
      this.#open(user, share, 7_980n);
    } else {
      if (step.choice & 96) this.#bringTopTo(8_400n + otherShare / 9n);
      this.#liquidate(step);
    }
  }

  /** Deposits hundredths of tokens and borrows a share of their value. */
  #open(user: number, hundredths: bigint, share: bigint): void {
    const collateral = this.#atoms(hundredths);
    this.#operate(user, collateral, this.#worth(collateral, share));
  }

  #setPrice(price: bigint): void {
    this.#price = maximum(MIN_PRICE, minimum(price, MAX_PRICE));
    this.world.setPrice(this.#price);
  }

  /**
   * Sets the price at which the top debt is this share of its collateral's value, unless only the first position has
   * debt.
   */
  #bringTopTo(share: bigint): void {
    const { topmostTick } = this.world.state();
    const price = (computeRatioAtTick(topmostTick) * this.#priceOne() * 10_000n) / RATIO_ONE / share;
    if (price > MIN_PRICE) this.#setPrice(price);
  }

  /** Returns the atoms of debt that a share of collateral is worth. */
  #worth(collateral: bigint, share: bigint): bigint {
    const { supply, borrow } = this.world;
    const units = toVaultUnits(collateral, supply.decimals) * this.#price;
    return (units * share) / 10_000n / this.#priceOne() / toVaultUnits(1n, borrow.decimals);
  }

  #owed(user: number): bigint {
    const { position } = this.#users[user] ?? { position: 1 };
    const { debt } = this.world.positionState(position);
    return (debt * this.world.prices().borrow) / PRICE_ONE / toVaultUnits(1n, this.world.borrow.decimals);
  }

  #change({ user, share, otherShare, choice }: Step): void {
    const { position } = this.#users[user] ?? { position: 1 };
    if (this.world.positionState(position).collateral === 0n) return;
    const held = this.world.positionState(position).collateral / toVaultUnits(1n, this.world.supply.decimals);
    const collateral = (held * share) / 10_000n;
    const debt = this.#worth((held * otherShare) / 20_000n, 5_000n);
    const deposits = (choice & 1) === 0;
    const borrows = (choice & 2) === 0;
    this.#operate(user, choice & 4 ? 0n : deposits ? collateral : -collateral, borrows ? debt : -debt);
  }

  /** Repays all debt, withdraws all collateral, or both. Amounts of zero are skipped. */
  #leave({ user, choice }: Step): void {
    const { position } = this.#users[user] ?? { position: 1 };
    const { collateral, debt } = this.world.positionState(position);
    if (collateral === 0n) return;
    this.#operate(user, choice & 1 ? MIN_I128 : 0n, debt === 0n || (choice & 3) === 3 ? 0n : MIN_I128);
  }

  #states(): PositionState[] {
    return [1, ...this.#users.map(({ position }) => position)].map((id) => this.world.positionState(id));
  }

  /** Runs an operation, compares it with its prediction, and checks that no other position changes. */
  #operate(user: number, collateral: bigint, debt: bigint): void {
    const { world } = this;
    const { owner, position } = this.#users[user] ?? { owner: world.admin, position: 1 };
    const amounts = { collateral, debt };
    const context = world.context(position);
    const { prepare, operate, predicted } = world.operation(position, owner, amounts);
    if (prepare.length > 0) world.must(...prepare);
    const before = this.#states();
    const balances = this.#balances(owner);
    const outcome = world.network.send([operate]);
    if (outcome.error !== null) {
      const unsafe = predicted.ok
        ? checkSafety(context, predicted, { operate: world.rate(), liquidate: world.rate() })
        : null;
      const expected = predicted.ok ? (unsafe?.error ?? 'liquidity') : predicted.error;
      expect(errorOf(outcome, expected)).toBe(expected);
      return;
    }
    this.tally.operations++;
    if (!predicted.ok) throw new Error(`was to fail with ${predicted.error}, but did not`);
    const { supplyAmount, tick, dustDebtAmount } = world.position(position);
    expect({ supplyAmount, tick, dustDebtAmount }).toEqual({
      supplyAmount: predicted.collateral,
      tick: predicted.tick,
      dustDebtAmount: predicted.dust,
    });
    const after = this.#balances(owner);
    expect([balances[0] - after[0], after[1] - balances[1]]).toEqual([
      predicted.moved.collateral,
      predicted.moved.debt,
    ]);
    const states = this.#states();
    for (const [index, state] of before.entries()) {
      if (index !== user + 1) expect(states[index]).toEqual(state);
    }
    this.#gainsNothing(before[user + 1], states[user + 1], predicted.moved);
    this.check();
  }

  #balances(owner: Address): readonly [bigint, bigint] {
    const { world } = this;
    return [world.balance(owner, world.supply), world.balance(owner, world.borrow)];
  }

  /** Checks that the moved amounts cover the change of the position, at the vault's prices. */
  #gainsNothing(
    before: PositionState | undefined,
    after: PositionState | undefined,
    moved: { readonly collateral: bigint; readonly debt: bigint },
  ): void {
    if (before === undefined || after === undefined) return;
    const { supply, borrow } = this.world.prices();
    const { supply: supplyToken, borrow: borrowToken } = this.world;
    const added = ((after.collateral - before.collateral) * supply) / PRICE_ONE;
    expect(added).toBeLessThanOrEqual(toVaultUnits(1n, supplyToken.decimals) * moved.collateral);
    const owed = (after.debt * borrow - before.debt * borrow) / PRICE_ONE;
    expect(owed + 2n).toBeGreaterThanOrEqual(toVaultUnits(1n, borrowToken.decimals) * moved.debt);
  }

  #prediction(debt: bigint, absorb: boolean): LiquidationPrediction {
    const { world } = this;
    const context = {
      state: world.state(),
      config: world.terms(),
      prices: world.prices(),
      rate: world.rate(),
      supplyDecimals: world.supply.decimals,
      borrowDecimals: world.borrow.decimals,
      read: world.reader(),
    };
    return predictLiquidation(context, { debt, collateralPerDebt: 0n, absorb });
  }

  #liquidate({ share, choice }: Step): void {
    const { world } = this;
    const absorb = (choice & 1) === 1;
    const all = (choice & 14) === 0;
    const most = world.state().totalBorrow / toVaultUnits(1n, world.borrow.decimals);
    const debt = all ? (choice & 16 ? 1n << 62n : 0n) : (most * share * share) / 200_000_000n;
    const instruction = world.liquidation(this.#liquidator, { debt, absorb });
    const predicted = this.#prediction(debt, absorb);
    const before = this.#states();
    const safe = this.#safeTick();
    const balances = this.#balances(this.#liquidator);
    const outcome = world.network.send([instruction]);
    if (outcome.error !== null) {
      const expected = predicted.ok ? 'liquidity' : predicted.error;
      expect(errorOf(outcome, expected)).toBe(expected);
      return;
    }
    if (!predicted.ok) throw new Error(`was to fail with ${predicted.error}, but did not`);
    this.#tallyOf(predicted);
    const after = this.#balances(this.#liquidator);
    expect([after[0] - balances[0], balances[1] - after[1]]).toEqual([predicted.collateral, predicted.debt]);
    expect(world.state()).toEqual(predicted.state);
    for (const [id, branch] of predicted.branches) expect(world.reader().branch(id)).toEqual(branch);
    for (const [tick, account] of predicted.ticks) expect(world.reader().tick(tick)).toEqual(account);
    const states = this.#states();
    for (const [index, state] of before.entries()) {
      if (state.tick <= safe) expect(states[index]).toEqual(state);
    }
    this.check();
  }

  /** Returns the highest tick that a liquidation does not change. */
  #safeTick(): number {
    const bounds = computeLiquidationBounds(this.world.terms(), this.world.prices(), this.world.rate());
    if (typeof bounds === 'string') throw new Error(bounds);
    return bounds.liquidationTick;
  }

  #tallyOf(predicted: LiquidationPrediction & { readonly ok: true }): void {
    if (predicted.debt > 0n) this.tally.liquidations++;
    if (predicted.absorbed !== null) this.tally.absorptions++;
    for (const { status } of predicted.branches.values()) {
      if (status === BranchStatus.MERGED) this.tally.merges++;
    }
  }

  /** Checks the invariants. */
  check(): void {
    const { world } = this;
    const state = world.state();
    const { supplied, borrowed } = world.liquidity();
    const prices = world.prices();
    const states = this.#states();
    const owed = sum(states.map(({ collateral }) => collateral)) + state.absorbedColAmount;
    // The vault owes its positions at most the collateral that the liquidity program owes the vault.
    const holds = supplied * prices.liquiditySupply * toVaultUnits(1n, world.supply.decimals);
    expect(owed * prices.supply).toBeLessThanOrEqual(holds);
    // Ticks, branches and absorbed amounts hold at least the debt that the vault has at the liquidity program.
    const debt = this.#debtInTicks() + this.#debtInBranches() + state.absorbedDebtAmount;
    const owes = borrowed * prices.liquidityBorrow * toVaultUnits(1n, world.borrow.decimals);
    expect(debt * prices.borrow).toBeGreaterThanOrEqual(owes);
    // The debt of each tick is the sum of its positions' debts, except for rounding.
    expect(state.topmostTick).toBe(this.#topTick());
  }

  #debtInTicks(): bigint {
    const read = this.world.reader();
    return sum(listTicksWithDebt(read.tickHasDebt).map((tick) => read.tick(tick)?.rawDebt ?? 0n));
  }

  #debtInBranches(): bigint {
    const read = this.world.reader();
    let debt = 0n;
    for (let id = 1; id <= this.world.state().totalBranchId + 1; id++) {
      const branch = read.branch(id);
      if (branch?.status === BranchStatus.LIQUIDATED) debt += branch.debtLiquidity;
    }
    return debt;
  }

  /** Returns the higher one of the highest tick with debt and the lowest tick of the liquidated branch. */
  #topTick(): number {
    const read = this.world.reader();
    const { currentBranchId, branchLiquidated } = this.world.state();
    const [highest = NO_TICK] = listTicksWithDebt(read.tickHasDebt);
    const branch = branchLiquidated ? read.branch(currentBranchId) : null;
    return Math.max(highest, branch?.minimaTick ?? NO_TICK);
  }
}

function sum(numbers: readonly bigint[]): bigint {
  return numbers.reduce((total, number) => total + number, 0n);
}

/** The models' names for errors that the program finds in its arithmetic. */
const LIBRARY = ['RatioOutOfRange', 'TotalTooLow', 'NoCollateral'];

/**
 * Returns the name of the error that the vaults program logged, or `liquidity` for an error of the liquidity program.
 */
function errorOf({ logs }: TestOutcome, expected: string): string {
  const line = logs.findLast((each) => each.includes('Error Code: '));
  const name = /Error Code: (\w+)\./.exec(line ?? '')?.[1] ?? logs.at(-1) ?? '';
  const library = name.startsWith('Library');
  if (library && LIBRARY.includes(expected)) return expected;
  const inner = logs.some((each) => each.startsWith('Program jupei') && each.includes('failed'));
  return inner ? 'liquidity' : name;
}
