import type { VaultState } from '../vaults/state/layouts.ts';
import { MAX_TICK, MIN_TICK, NO_TICK, TICKS_PER_ARRAY } from '../vaults/state/limits.ts';
import { getNextTopBranchId } from '../vaults/state/operate-accounts.ts';
import { toArrayIndex, findNextTickWithDebt, type TickHasDebtReader } from '../vaults/state/tick-has-debt.ts';

/** The ticks that a liquidation passes, from the highest. */
export interface LiquidationRange {
  /** The ticks with debt that may be liquidated, from the highest, up to the requested number. */
  readonly ticks: readonly number[];
  /** The highest tick with debt that the liquidation does not reach, or `NO_TICK`. */
  readonly nextTick: number;
}

/** The maximum number of ticks whose accounts fit into a transaction, together with a flash loan and a swap. */
export const MAX_TICKS = 8;

/**
 * Finds the ticks of a vault that can be liquidated now: all those above the highest safe tick.
 *
 * @param safeTick - The tick of the liquidation threshold at the oracle's price: the result of `computeHighestSafeTick` for the
 *   rate of liquidations.
 * @param most - The maximum number of ticks to find.
 * @returns Null when nothing can be liquidated.
 *
 * @example
 * ```ts
 * import { findLiquidationRange } from './range.ts';
 * import { VAULT_STATE } from '../vaults/state/layouts.ts';
 * import type { TickHasDebtReader } from '../vaults/state/tick-has-debt.ts';
 *
 * export function needsLiquidation(stateData: Uint8Array, safeTick: number, read: TickHasDebtReader): boolean {
 *   return findLiquidationRange(VAULT_STATE.decode(stateData), safeTick, read) !== null;
 * }
 * ```
 */
export function findLiquidationRange(
  { topmostTick }: Pick<VaultState, 'topmostTick'>,
  safeTick: number,
  read: TickHasDebtReader,
  most = MAX_TICKS,
): LiquidationRange | null {
  if (topmostTick === NO_TICK || topmostTick <= safeTick) return null;
  const ticks = [topmostTick];
  let tick = findNextTickWithDebt(read, topmostTick);
  while (tick !== NO_TICK && tick > safeTick && ticks.length < most) {
    ticks.push(tick);
    tick = findNextTickWithDebt(read, tick);
  }
  return { ticks, nextTick: tick };
}

/**
 * Lists the arrays of bits in which the program searches for the next tick with debt, from the highest. An absorption
 * starts right above the top tick, which may be in the array above, and searches down to the next tick with debt.
 *
 * @param safeTick - The tick of the threshold if nothing is absorbed, because the program then only searches down to one
 *   array below it. `NO_TICK` for an absorption.
 */
export function listArraysOfRange(
  { ticks, nextTick }: LiquidationRange,
  safeTick = NO_TICK,
): readonly number[] {
  const first = toArrayIndex(Math.min((ticks[0] ?? MIN_TICK) + 1, MAX_TICK));
  const end = safeTick === NO_TICK ? nextTick : Math.max(nextTick, safeTick - TICKS_PER_ARRAY);
  const last = toArrayIndex(Math.max(end, MIN_TICK));
  return Array.from({ length: first - last + 1 }, (_, index) => first - index);
}

/**
 * Lists the branches in which a liquidation may continue: the current one, those that it is connected with, and 0,
 * which means none. If the current branch was liquidated before, the list begins with the next new one: when the
 * program absorbs the whole branch and a tick is left above the threshold, the liquidation continues in the new branch.
 *
 * @param connectedWith - Returns `connectedBranchId` of a branch, or null if the branch does not exist.
 */
export function listLiquidationBranches(
  state: Pick<VaultState, 'branchLiquidated' | 'currentBranchId' | 'totalBranchId'>,
  connectedWith: (branchId: number) => number | null,
): readonly number[] {
  const connected: number[] = [];
  let id: number | null = state.currentBranchId;
  // A branch is only connected with an older one, so the ids decrease.
  while (
    id !== null &&
    id > 0 &&
    connected.length < MAX_BRANCHES &&
    id < (connected.at(-1) ?? Number.MAX_VALUE)
  ) {
    connected.push(id);
    id = connectedWith(id);
  }
  return [...(state.branchLiquidated ? [getNextTopBranchId(state)] : []), ...connected, 0];
}

/** The maximum number of connected branches whose accounts fit into a transaction. */
export const MAX_BRANCHES = 6;
