import { debtLeft, multiplyFactors, NOTHING_LEFT_FACTOR } from './debt-factors.ts';
import { type Branch, BranchStatus, type Position, type Tick, type TickIdLiquidation } from '../layouts.ts';
import { NO_TICK } from './limits.ts';
import { RATIO_ONE, ratioAtTick, TICK_STEP, TICK_STEP_ONE } from './ticks.ts';

/** Reads the accounts of one vault; null for what does not exist. */
export interface VaultReader {
  readonly tick: (tick: number) => Tick | null;
  readonly tickIdLiquidation: (tick: number, id: number) => TickIdLiquidation | null;
  readonly branch: (id: number) => Branch | null;
}

/** A position now, after all liquidations so far. Amounts are raw, with nine decimals. */
export interface PositionState {
  readonly collateral: bigint;
  /** What the tick records, or what liquidations left of it. */
  readonly recordedDebt: bigint;
  /** By how much the recorded debt overstates what is owed. */
  readonly dust: bigint;
  /** What is owed. */
  readonly debt: bigint;
  /** `NO_TICK` without debt. */
  readonly tick: number;
  /** Whether a liquidation took place since the position was last operated. */
  readonly isLiquidated: boolean;
  /** The branch into which the position fell, or 0. */
  readonly liquidationBranchId: number;
}

/** Thrown when accounts that must exist are missing, such as while they are still being read. */
export class VaultAccountMissing extends Error {
  override readonly name = 'VaultAccountMissing';
}

/** 1.0 of the partials of a branch. */
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
 * Computes what a position has and owes now, as the program does at the start of an operation. If the position's tick was
 * liquidated, it follows the branches into which the tick fell.
 *
 * @throws VaultAccountMissing when `read` lacks the position's tick or a branch.
 *
 * @example
 * ```ts
 * import { POSITION } from '../layouts.ts';
 * import { positionState, type VaultReader } from './position-state.ts';
 *
 * export function debtOf(positionData: Uint8Array, read: VaultReader): bigint {
 *   return positionState(POSITION.decode(positionData), read).debt;
 * }
 * ```
 */
export function positionState(position: Position, read: VaultReader): PositionState {
  const { tick, tickId, supplyAmount: collateral } = position;
  if (position.isSupplyOnly || tick === NO_TICK) return { ...EMPTY_POSITION_STATE, collateral };
  const recordedDebt = recordedDebtOf(tick, collateral);
  const dust = position.dustDebtAmount;
  const tickAccount = read.tick(tick);
  if (tickAccount === null) throw new VaultAccountMissing(`tick ${tick} of vault ${position.vaultId}`);
  if (!tickAccount.isLiquidated && tickAccount.totalIds <= tickId) {
    const debt = recordedDebt > dust ? recordedDebt - dust : 0n;
    return { collateral, recordedDebt, dust, debt, tick, isLiquidated: false, liquidationBranchId: 0 };
  }
  const life = tickLife(tickAccount, read.tickIdLiquidation(tick, tickId), tickId);
  return afterLiquidation(recordedDebt, dust, life, read);
}

/** The debt that a tick records for a collateral, as the program computes it: rounded up. */
export function recordedDebtOf(tick: number, collateral: bigint): bigint {
  return ((ratioAtTick(tick) * (collateral + 1n)) >> 48n) + 1n;
}

/** How a life of a tick ended. */
interface TickLife {
  readonly isFullyLiquidated: boolean;
  readonly branchId: number;
  readonly debtFactor: bigint;
}

function tickLife(tick: Tick, ids: TickIdLiquidation | null, id: number): TickLife {
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

function afterLiquidation(recorded: bigint, dust: bigint, life: TickLife, read: VaultReader): PositionState {
  const gone = { ...EMPTY_POSITION_STATE, isLiquidated: true };
  if (life.isFullyLiquidated) return gone;
  const followed = followBranches(life, read);
  if (followed === null) return { ...gone, liquidationBranchId: life.branchId };
  const { branch, connection } = followed;
  const rest = debtLeft(recorded, branch.debtFactor, connection);
  // A rest of at most 1 percent counts as nothing; of any other the program takes 0.01 percent.
  const debt = rest > recorded / 100n ? (rest * 9_999n) / 10_000n : 0n;
  if (debt <= dust) return { ...gone, liquidationBranchId: life.branchId };
  return {
    collateral: (debt * RATIO_ONE) / branchRatio(branch),
    recordedDebt: debt,
    dust,
    debt: debt - dust,
    tick: branch.minimaTick,
    isLiquidated: true,
    liquidationBranchId: life.branchId,
  };
}

/** Returns the branch that the tick's debt is in now; null when nothing is left of it. */
function followBranches(life: TickLife, read: VaultReader): { branch: Branch; connection: bigint } | null {
  let connection = life.debtFactor;
  let branch = branchOf(life.branchId, read);
  // A branch is merged into an older one, so that its id falls with each step.
  while (branch.status === BranchStatus.MERGED) {
    connection = multiplyFactors(connection, branch.debtFactor);
    if (connection === NOTHING_LEFT_FACTOR) return null;
    if (branch.connectedBranchId >= branch.branchId) {
      throw new VaultAccountMissing(
        `branch ${branch.branchId} is connected with ${branch.connectedBranchId}`,
      );
    }
    branch = branchOf(branch.connectedBranchId, read);
  }
  return branch.status === BranchStatus.CLOSED ? null : { branch, connection };
}

function branchOf(id: number, read: VaultReader): Branch {
  const branch = read.branch(id);
  if (branch === null) throw new VaultAccountMissing(`branch ${id}`);
  return branch;
}

/** The ratio of debt to collateral down to which a branch was liquidated: between two ticks. */
export function branchRatio(branch: Pick<Branch, 'minimaTick' | 'minimaTickPartials'>): bigint {
  const upper = ratioAtTick(branch.minimaTick);
  const lower = (upper * TICK_STEP_ONE) / TICK_STEP;
  return lower + ((upper - lower) * BigInt(branch.minimaTickPartials)) / PARTIALS_ONE;
}
