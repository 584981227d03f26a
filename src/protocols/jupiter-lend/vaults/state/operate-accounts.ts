import type { Address } from '../../../../solana/address.ts';
import type { VaultState } from './layouts.ts';
import { MIN_TICK, NO_TICK, TICK_HAS_DEBT_ARRAYS } from './limits.ts';
import type { PositionState, VaultReader } from './position-state.ts';
import { toArrayIndex, findNextTickWithDebt, type TickHasDebtReader } from './tick-has-debt.ts';

/** A tick, and one of its lives. */
export interface TickId {
  readonly tick: number;
  readonly id: number;
}

/** The accounts of a vault that an operation lists, and those that have to be created first. */
export interface OperateAccounts {
  /** The tick of the position's account, or the lowest tick without debt. */
  readonly currentTick: number;
  /** The tick after the operation, or the lowest tick without debt. */
  readonly finalTick: number;
  readonly currentTickId: TickId;
  readonly finalTickId: TickId;
  /** The branch that becomes the current one if the position has the highest tick of the vault. */
  readonly newBranchId: number;
  /** The ticks without an account, in the order in which the accounts are created. */
  readonly missingTicks: readonly number[];
  readonly missingBranch: number | null;
  readonly missingTickIds: readonly TickId[];
  /** The accounts that follow the fixed ones of the instruction and the sources of the oracle. */
  readonly branches: readonly number[];
  readonly arrays: readonly number[];
}

/** Reads the accounts of one vault. Returns null for an account that does not exist. */
export interface OperateReader extends VaultReader {
  readonly tickHasDebt: TickHasDebtReader;
}

/**
 * Lists the accounts that an operation needs, as the public SDK does.
 *
 * @param recorded - The position's account, or null for a position that does not exist yet.
 * @param position - The current state of the position.
 * @param finalTick - The predicted tick, or `NO_TICK` without debt.
 */
export function listOperateAccounts(
  state: VaultState,
  recorded: { readonly tick: number; readonly tickId: number } | null,
  position: PositionState,
  finalTick: number,
  read: OperateReader,
): OperateAccounts {
  const currentTick = onScale(recorded?.tick ?? NO_TICK);
  const lastTick = onScale(finalTick);
  const currentTickId = currentLife(currentTick, recorded, position, read);
  const finalTickId = { tick: lastTick, id: read.tick(lastTick)?.totalIds ?? 0 };
  const newBranchId = getNextTopBranchId(state);
  const ticks = currentTick === lastTick ? [currentTick] : [currentTick, lastTick];
  // The public SDK lists the life of the final tick first when it also creates that tick.
  const both = read.tick(lastTick) === null ? [finalTickId, currentTickId] : [currentTickId, finalTickId];
  const tickIds = currentTick === lastTick ? [currentTickId] : both;
  return {
    currentTick,
    finalTick: lastTick,
    currentTickId,
    finalTickId,
    newBranchId,
    missingTicks: ticks.filter((tick) => read.tick(tick) === null),
    missingBranch: read.branch(newBranchId) === null ? newBranchId : null,
    missingTickIds: tickIds.filter(({ tick, id }) => read.tickIdLiquidation(tick, id) === null),
    branches: listOperateBranches(state, position, read),
    arrays: listOperateArrays(state.topmostTick, currentTick, lastTick, read.tickHasDebt),
  };
}

/**
 * Returns the branch that becomes the current one when a tick with debt of its own becomes the highest of the vault. It
 * is a new one if the current one was liquidated.
 */
export function getNextTopBranchId({
  branchLiquidated,
  currentBranchId,
  totalBranchId,
}: Pick<VaultState, 'branchLiquidated' | 'currentBranchId' | 'totalBranchId'>): number {
  return branchLiquidated ? totalBranchId + 1 : currentBranchId;
}

function onScale(tick: number): number {
  return tick === NO_TICK ? MIN_TICK : tick;
}

/**
 * Returns the life in which a liquidated position entered its tick, which the program reads. The public SDK lists the
 * tick's current life instead, which is in another account once the tick was liquidated three more times.
 */
function currentLife(
  tick: number,
  recorded: { readonly tickId: number } | null,
  { isLiquidated }: PositionState,
  read: VaultReader,
): TickId {
  if (isLiquidated && recorded !== null) return { tick, id: recorded.tickId };
  return { tick, id: read.tick(tick)?.totalIds ?? 0 };
}

/** Returns the branch of the position or of the vault, and after a liquidation also all branches below it, down to 0. */
function listOperateBranches(
  state: VaultState,
  position: PositionState,
  read: VaultReader,
): readonly number[] {
  const first = position.liquidationBranchId > 0 ? position.liquidationBranchId : state.currentBranchId;
  const branches = new Set<number>();
  let branch = first > 0 ? read.branch(first) : null;
  if (branch !== null) branches.add(first);
  if (!position.isLiquidated) return [...branches];
  while (branch !== null && branch.connectedBranchId > 0 && !branches.has(branch.connectedBranchId)) {
    branches.add(branch.connectedBranchId);
    branch = read.branch(branch.connectedBranchId);
  }
  return [...branches.add(0)];
}

/**
 * Returns the arrays of the ticks that the position leaves and enters. If it may leave the highest tick without debt,
 * they include those in which the program searches for the next one.
 */
function listOperateArrays(
  topmostTick: number,
  currentTick: number,
  finalTick: number,
  read: TickHasDebtReader,
): readonly number[] {
  const arrays = new Set([toArrayIndex(finalTick)]);
  if (currentTick !== topmostTick) return [...arrays.add(toArrayIndex(currentTick))];
  const last = Math.min(toArrayIndex(topmostTick) + 1, TICK_HAS_DEBT_ARRAYS - 1);
  for (let index = toArrayIndex(onScale(findNextTickWithDebt(read, topmostTick))); index <= last; index++) {
    arrays.add(index);
  }
  return [...arrays];
}

/** The parties of an operation. */
export interface OperateParties {
  readonly signer: Address;
  /** The owner of the token account with the position's token. */
  readonly positionOwner: Address;
}
