import { computeDebtLeft, multiplyFactors, NOTHING_LEFT_FACTOR } from './debt-factors.ts';
import {
  type Branch,
  BranchStatus,
  type VaultPosition,
  type VaultTick,
  type TickIdLiquidation,
} from './layouts.ts';
import { MIN_TICK, NO_TICK } from './limits.ts';
import { RATIO_ONE, computeRatioAtTick, TICK_STEP, TICK_STEP_ONE } from './ticks.ts';

/** Reads the accounts of one vault. Returns null for an account that does not exist. */
export interface VaultReader {
  readonly tick: (tick: number) => VaultTick | null;
  readonly tickIdLiquidation: (tick: number, id: number) => TickIdLiquidation | null;
  readonly branch: (id: number) => Branch | null;
}

/** The current state of a position, after all liquidations. Amounts are raw, with nine decimals. */
export interface PositionState {
  readonly collateral: bigint;
  /** The debt that the tick records, or the rest of it after liquidations. */
  readonly recordedDebt: bigint;
  /** The amount by which the recorded debt exceeds the actual debt. */
  readonly dust: bigint;
  /** The actual debt. */
  readonly debt: bigint;
  /** `NO_TICK` without debt. */
  readonly tick: number;
  /** Whether the position was liquidated since it was last operated. */
  readonly isLiquidated: boolean;
  /** The branch into which the position was liquidated, or 0. */
  readonly liquidationBranchId: number;
}

/** The current state of a position, and where public readers show it. */
export interface DisplayedPositionState extends PositionState {
  /**
   * The tick at which public readers show the position: where liquidations have left it, which is `MIN_TICK` if its branch left
   * it nothing, and the tick of its account if it was not liquidated.
   */
  readonly shownTick: number;
}

/** Thrown when required accounts are missing, for example because they were not read yet. */
export class VaultAccountMissing extends Error {
  override readonly name = 'VaultAccountMissing';
}

/** The partials of a branch for a whole step. */
export const PARTIALS_ONE = (1n << 30n) - 1n;

/** A position that was never operated. */
export const EMPTY_POSITION_STATE: PositionState = {
  collateral: 0n,
  recordedDebt: 0n,
  dust: 0n,
  debt: 0n,
  tick: NO_TICK,
  isLiquidated: false,
  liquidationBranchId: 0,
};

/**
 * Computes the current collateral and debt of a position, as the program does at the start of an operation. If the tick
 * of the position was liquidated, it follows the branches into which the tick was liquidated.
 *
 * @throws VaultAccountMissing when `read` does not find the position's tick or a branch.
 *
 * @example
 * ```ts
 * import { POSITION } from './layouts.ts';
 * import { computePositionState, type VaultReader } from './position-state.ts';
 *
 * export function debtOf(positionData: Uint8Array, read: VaultReader): bigint {
 *   return computePositionState(POSITION.decode(positionData), read).debt;
 * }
 * ```
 */
export function computePositionState(position: VaultPosition, read: VaultReader): DisplayedPositionState {
  const { tick, tickId, supplyAmount: collateral } = position;
  if (position.isSupplyOnly || tick === NO_TICK)
    return { ...EMPTY_POSITION_STATE, collateral, shownTick: NO_TICK };
  const recordedDebt = computeRecordedDebt(tick, collateral);
  const dust = position.dustDebtAmount;
  const tickAccount = read.tick(tick);
  if (tickAccount === null) throw new VaultAccountMissing(`tick ${tick} of vault ${position.vaultId}`);
  if (!tickAccount.isLiquidated && tickAccount.totalIds <= tickId) {
    const debt = recordedDebt > dust ? recordedDebt - dust : 0n;
    const shownTick = tick;
    return {
      collateral,
      recordedDebt,
      dust,
      debt,
      tick,
      shownTick,
      isLiquidated: false,
      liquidationBranchId: 0,
    };
  }
  const life = tickLife(tickAccount, read.tickIdLiquidation(tick, tickId), tickId);
  return afterLiquidation(recordedDebt, dust, life, read);
}

/** Computes the debt that a tick records for a collateral, rounded up as in the program. */
export function computeRecordedDebt(tick: number, collateral: bigint): bigint {
  return ((computeRatioAtTick(tick) * (collateral + 1n)) >> 48n) + 1n;
}

/** The end of a life of a tick. */
interface TickLife {
  readonly isFullyLiquidated: boolean;
  readonly branchId: number;
  readonly debtFactor: bigint;
}

function tickLife(tick: VaultTick, ids: TickIdLiquidation | null, id: number): TickLife {
  if (tick.totalIds === id) {
    const { isFullyLiquidated, liquidationBranchId: branchId, debtFactor } = tick;
    return { isFullyLiquidated, branchId, debtFactor };
  }
  if (ids === null) throw new VaultAccountMissing(`life ${id} of tick ${tick.tick} of vault ${tick.vaultId}`);
  const lives = [
    {
      isFullyLiquidated: ids.isFullyLiquidated1,
      branchId: ids.liquidationBranchId1,
      debtFactor: ids.debtFactor1,
    },
    {
      isFullyLiquidated: ids.isFullyLiquidated2,
      branchId: ids.liquidationBranchId2,
      debtFactor: ids.debtFactor2,
    },
    {
      isFullyLiquidated: ids.isFullyLiquidated3,
      branchId: ids.liquidationBranchId3,
      debtFactor: ids.debtFactor3,
    },
  ] as const;
  return lives[(id + 2) % 3] ?? lives[0];
}

function afterLiquidation(
  recorded: bigint,
  dust: bigint,
  life: TickLife,
  read: VaultReader,
): DisplayedPositionState {
  const gone = { ...EMPTY_POSITION_STATE, shownTick: MIN_TICK, isLiquidated: true };
  if (life.isFullyLiquidated) return gone;
  const followed = followBranches(life, read);
  if (followed === null) return { ...gone, liquidationBranchId: life.branchId };
  const { branch, connection } = followed;
  const rest = computeDebtLeft(recorded, branch.debtFactor, connection);
  // A rest of at most 1 percent counts as nothing. Otherwise the program subtracts 0.01 percent.
  const debt = rest > recorded / 100n ? (rest * 9_999n) / 10_000n : 0n;
  const shownTick = debt === 0n ? MIN_TICK : branch.minimaTick;
  if (debt <= dust) return { ...gone, shownTick, liquidationBranchId: life.branchId };
  return {
    collateral: (debt * RATIO_ONE) / computeBranchRatio(branch),
    recordedDebt: debt,
    dust,
    debt: debt - dust,
    tick: branch.minimaTick,
    shownTick,
    isLiquidated: true,
    liquidationBranchId: life.branchId,
  };
}

/** Returns the branch that contains the tick's debt now, or null when nothing is left of it. */
function followBranches(life: TickLife, read: VaultReader): { branch: Branch; connection: bigint } | null {
  let connection = life.debtFactor;
  let branch = getBranch(life.branchId, read);
  // A branch is only merged into an older one, so the id decreases with each step.
  while (branch.status === BranchStatus.MERGED) {
    connection = multiplyFactors(connection, branch.debtFactor);
    if (connection === NOTHING_LEFT_FACTOR) return null;
    if (branch.connectedBranchId >= branch.branchId) {
      throw new VaultAccountMissing(
        `branch ${branch.branchId} is connected with ${branch.connectedBranchId}`,
      );
    }
    branch = getBranch(branch.connectedBranchId, read);
  }
  return branch.status === BranchStatus.CLOSED ? null : { branch, connection };
}

function getBranch(id: number, read: VaultReader): Branch {
  const branch = read.branch(id);
  if (branch === null) throw new VaultAccountMissing(`branch ${id}`);
  return branch;
}

/** Returns the ratio of debt to collateral down to which a branch was liquidated, which lies between two ticks. */
export function computeBranchRatio(branch: Pick<Branch, 'minimaTick' | 'minimaTickPartials'>): bigint {
  const upper = computeRatioAtTick(branch.minimaTick);
  const lower = (upper * TICK_STEP_ONE) / TICK_STEP;
  return lower + ((upper - lower) * BigInt(branch.minimaTickPartials)) / PARTIALS_ONE;
}
