import type { RawAmounts } from './absorb.ts';
import { divideFactors, FIRST_DEBT_FACTOR, computeReducedFactor, SHARE_ONE } from '../state/debt-factors.ts';
import { type Branch, BranchStatus } from '../state/layouts.ts';
import { NO_TICK } from '../state/limits.ts';
import type { LiquidationBounds } from './liquidation-bounds.ts';
import { computeBranchRatio } from '../state/position-state.ts';
import { RATE_ONE } from './safety.ts';
import { findNextTickWithDebt } from '../state/tick-has-debt.ts';
import { RATIO_ONE, computeRatioAtTick, TICK_STEP, TICK_STEP_ONE, findTickAtRatio } from '../state/ticks.ts';
import type { VaultDraft } from '../state/vault-draft.ts';

// The way of a liquidation down from the top tick, as `programs/vaults/src/liquidate/walk.rs` goes it. It is part of the
// model of `predictLiquidation`, with which the tests of the program compare it.

const ALL_PARTIALS = (1n << 30n) - 1n;

/** Returns whether the vault was already liquidated down to the threshold. */
export function isDone(vault: VaultDraft, { liquidationTick }: LiquidationBounds): boolean {
  const { branchLiquidated, topmostTick, currentBranchId } = vault.state;
  if (!branchLiquidated || topmostTick !== liquidationTick + 1) return false;
  return vault.branch(currentBranchId).minimaTickPartials === 1;
}

/** The current position of a liquidation, with the debt and collateral that it has taken so far. */
interface LiquidationFront {
  readonly tick: number;
  /** Whether the tick has debt of its own. Otherwise it is the lowest tick of the liquidated branch. */
  readonly whole: boolean;
  readonly ratio: bigint;
  readonly debt: bigint;
  readonly collateral: bigint;
  readonly branch: Branch;
  readonly factor: bigint;
}

/** The next tick at which a liquidation stops. */
interface LiquidationStop {
  readonly kind: 'tick' | 'branch' | 'threshold';
  readonly tick: number;
  readonly ratio: bigint;
  readonly partials: bigint;
}

/**
 * Liquidates down from the top tick, until `remaining` is used up or the threshold is reached.
 *
 * @param remaining - The maximum raw debt to liquidate.
 * @param minRest - The minimum raw debt that a branch keeps.
 * @returns The raw amounts that were taken, or the name of the program's error.
 */
export function walkDown(
  vault: VaultDraft,
  bounds: LiquidationBounds,
  remaining: bigint,
  minRest: bigint,
): RawAmounts | 'VaultLiquidationReverts' | 'VaultBranchDebtTooLow' | 'RatioOutOfRange' {
  let front = frontAtTop(vault);
  let taken: RawAmounts = { debt: 0n, collateral: 0n };
  for (;;) {
    front = gathered(vault, front);
    const stop = nextStop(vault, front, bounds);
    const part = partUntil(front, stop, bounds);
    const left = remaining - taken.debt;
    if (part.debt >= left || stop.kind === 'threshold') {
      const ended =
        part.debt >= left
          ? endBetween(front, left, stop, bounds)
          : { part, tick: stop.tick + 1, partials: 1n };
      if (typeof ended === 'string') return ended;
      front = reduced(front, ended.part);
      if (front.debt < minRest) return 'VaultBranchDebtTooLow';
      rest(vault, front, ended);
      return added(taken, ended.part);
    }
    taken = added(taken, part);
    front = moved(vault, reduced(front, part), stop);
  }
}

function added(a: RawAmounts, b: RawAmounts): RawAmounts {
  return { debt: a.debt + b.debt, collateral: a.collateral + b.collateral };
}

function frontAtTop(vault: VaultDraft): LiquidationFront {
  const { topmostTick: tick, currentBranchId, branchLiquidated } = vault.state;
  const branch = vault.branch(currentBranchId);
  const { minimaTickPartials } = branch;
  const ratio = branchLiquidated
    ? computeBranchRatio({ minimaTick: tick, minimaTickPartials })
    : computeRatioAtTick(tick);
  const factor = branch.debtFactor === 0n ? FIRST_DEBT_FACTOR : branch.debtFactor;
  return { tick, whole: !branchLiquidated, ratio, debt: 0n, collateral: 0n, branch, factor };
}

function gathered(vault: VaultDraft, front: LiquidationFront): LiquidationFront {
  const { branch, factor: debtFactor } = front;
  const to = { isFullyLiquidated: false, liquidationBranchId: branch.branchId, debtFactor };
  const debt = front.whole ? vault.liquidateTick(front.tick, to) : branch.debtLiquidity;
  const collateral = front.collateral + (debt * RATIO_ONE) / front.ratio;
  return { ...front, debt: front.debt + debt, collateral };
}

/** Returns the highest of: the next tick with debt, the lowest tick of the branch below, and the threshold. */
function nextStop(
  vault: VaultDraft,
  { tick, branch }: LiquidationFront,
  { liquidationTick }: LiquidationBounds,
): LiquidationStop {
  const next = findNextTickWithDebt(vault.tickHasDebt, tick);
  const { connectedMinimaTick: base, connectedBranchId } = branch;
  if (base !== NO_TICK && base > next && base > liquidationTick) {
    const { minimaTickPartials } = vault.branch(connectedBranchId);
    const ratio = computeBranchRatio({ minimaTick: base, minimaTickPartials });
    return { kind: 'branch', tick: base, ratio, partials: BigInt(minimaTickPartials) };
  }
  const kind = next > liquidationTick ? 'tick' : 'threshold';
  const at = kind === 'tick' ? next : liquidationTick;
  return { kind, tick: at, ratio: computeRatioAtTick(at), partials: ALL_PARTIALS };
}

/**
 * Returns the debt to liquidate so that the rest has the ratio of the stop, and the collateral for it. Never all debt.
 */
function partUntil(
  front: LiquidationFront,
  stop: LiquidationStop,
  { collateralPerDebt }: LiquidationBounds,
): RawAmounts {
  const atStop = (stop.ratio * front.debt) / front.ratio;
  const gain = RATE_ONE - (collateralPerDebt * stop.ratio) / RATIO_ONE;
  const debt = ((front.debt - atStop) * RATE_ONE) / gain;
  const collateral = (debt * collateralPerDebt) / RATE_ONE;
  return { debt: debt === front.debt ? debt - 1n : debt, collateral };
}

function reduced(front: LiquidationFront, part: RawAmounts): LiquidationFront {
  const debt = front.debt - part.debt;
  const factor = computeReducedFactor(front.factor, (SHARE_ONE * debt) / front.debt);
  return { ...front, debt, collateral: front.collateral - part.collateral, factor };
}

function moved(vault: VaultDraft, front: LiquidationFront, stop: LiquidationStop): LiquidationFront {
  const { tick, ratio } = stop;
  if (stop.kind !== 'branch') return { ...front, tick, ratio, whole: true };
  const { branchId, connectedBranchId } = front.branch;
  const branch = vault.branch(connectedBranchId);
  vault.setBranch(branchId, {
    status: BranchStatus.MERGED,
    debtFactor: divideFactors(branch.debtFactor, front.factor),
    minimaTick: NO_TICK,
    minimaTickPartials: 0,
    debtLiquidity: 0n,
  });
  return { ...front, tick, ratio, whole: false, branch, factor: branch.debtFactor };
}

/** The end of a liquidation, and the amounts that it took last. */
interface LiquidationEnd {
  readonly part: RawAmounts;
  readonly tick: number;
  readonly partials: bigint;
}

function endBetween(
  front: LiquidationFront,
  debt: bigint,
  stop: LiquidationStop,
  { collateralPerDebt }: LiquidationBounds,
): LiquidationEnd | 'VaultLiquidationReverts' | 'RatioOutOfRange' {
  const part = { debt, collateral: (debt * collateralPerDebt) / RATE_ONE };
  const ratio = ((front.debt - debt) * RATIO_ONE) / (front.collateral - part.collateral);
  const found = findTickAtRatio(ratio);
  if (found === null) return 'RatioOutOfRange';
  if (found.tick < stop.tick && stop.partials === ALL_PARTIALS) {
    return { part, tick: found.tick + 2, partials: 1n };
  }
  const step = (found.ratio * TICK_STEP) / TICK_STEP_ONE - found.ratio;
  const exact = ((ratio - found.ratio) * ALL_PARTIALS) / step;
  const partials = exact === 0n ? 1n : exact >= ALL_PARTIALS ? ALL_PARTIALS - 1n : exact;
  const tick = found.tick + 1;
  const atBranch = stop.kind === 'branch' && tick === stop.tick;
  if (atBranch && stop.partials > 0n && stop.partials >= partials) return 'VaultLiquidationReverts';
  return { part, tick, partials };
}

/** Makes the branch in which the liquidation ended the vault's current one. */
function rest(
  vault: VaultDraft,
  { branch, debt, factor }: LiquidationFront,
  { tick, partials }: LiquidationEnd,
): void {
  vault.setBranch(branch.branchId, {
    status: BranchStatus.LIQUIDATED,
    minimaTick: tick,
    minimaTickPartials: Number(partials),
    debtLiquidity: debt,
    debtFactor: factor,
  });
  vault.setState({ branchLiquidated: true, topmostTick: tick, currentBranchId: branch.branchId });
}
