import { BranchStatus } from '../state/layouts.ts';
import { NO_TICK } from '../state/limits.ts';
import { computeBranchRatio } from '../state/position-state.ts';
import { findNextTickWithDebt } from '../state/tick-has-debt.ts';
import { RATIO_ONE, computeRatioAtTick } from '../state/ticks.ts';
import type { VaultDraft } from '../state/vault-draft.ts';

/** Raw amounts. */
export interface RawAmounts {
  readonly debt: bigint;
  readonly collateral: bigint;
}

/** A branch with debt, and its lowest tick. */
interface LowestBranch {
  readonly branchId: number;
  readonly minimaTick: number;
}

/**
 * Absorbs all debt above a tick, as the program does at the start of a liquidation. The debt and its collateral then no
 * longer belong to the positions. It is part of the model of `predictLiquidation`.
 *
 * @param maxTick - The tick of the vault's maximum liquidation limit at the oracle's price.
 */
export function absorbAbove(vault: VaultDraft, maxTick: number): RawAmounts {
  const ticks = absorbTicks(vault, maxTick);
  const { branchLiquidated, currentBranchId } = vault.state;
  const current = vault.branch(currentBranchId);
  const fresh = branchLiquidated ? null : currentBranchId;
  const first = branchLiquidated
    ? { branchId: currentBranchId, minimaTick: current.minimaTick }
    : branchBelow(vault, currentBranchId);
  const branches = absorbBranches(vault, first, maxTick);
  settleTop(vault, ticks.next, branches.left, fresh);
  const debt = ticks.debt + branches.debt;
  const collateral = ticks.collateral + branches.collateral;
  vault.setState({
    absorbedDebtAmount: vault.state.absorbedDebtAmount + debt,
    absorbedColAmount: vault.state.absorbedColAmount + collateral,
  });
  return { debt, collateral };
}

function absorbTicks(vault: VaultDraft, maxTick: number): RawAmounts & { readonly next: number } {
  const { topmostTick, branchLiquidated } = vault.state;
  let debt = 0n;
  let collateral = 0n;
  let next = branchLiquidated ? findNextTickWithDebt(vault.tickHasDebt, topmostTick) : topmostTick;
  while (next > maxTick) {
    const to = { isFullyLiquidated: true, liquidationBranchId: 0, debtFactor: 0n };
    const absorbed = vault.liquidateTick(next, to);
    debt += absorbed;
    collateral += (absorbed * RATIO_ONE) / computeRatioAtTick(next);
    next = findNextTickWithDebt(vault.tickHasDebt, next);
  }
  return { debt, collateral, next };
}

function branchBelow(vault: VaultDraft, id: number): LowestBranch | null {
  const { connectedBranchId, connectedMinimaTick } = vault.branch(id);
  if (connectedMinimaTick === NO_TICK) return null;
  return { branchId: connectedBranchId, minimaTick: connectedMinimaTick };
}

function absorbBranches(
  vault: VaultDraft,
  first: LowestBranch | null,
  maxTick: number,
): RawAmounts & { readonly left: LowestBranch | null } {
  let debt = 0n;
  let collateral = 0n;
  let left = first;
  while (left !== null && left.minimaTick > maxTick) {
    const { debtLiquidity, minimaTickPartials } = vault.branch(left.branchId);
    debt += debtLiquidity;
    collateral +=
      (debtLiquidity * RATIO_ONE) / computeBranchRatio({ minimaTick: left.minimaTick, minimaTickPartials });
    vault.setBranch(left.branchId, { status: BranchStatus.CLOSED });
    left = branchBelow(vault, left.branchId);
  }
  return { debt, collateral, left };
}

/** Sets the vault's new top: a tick with debt, where a new branch begins, or the remaining branch. */
function settleTop(vault: VaultDraft, next: number, left: LowestBranch | null, fresh: number | null): void {
  if (left !== null && next < left.minimaTick) {
    const { branchId: currentBranchId, minimaTick: topmostTick } = left;
    vault.setState({ branchLiquidated: true, currentBranchId, topmostTick });
    if (fresh === null) return;
    vault.setState({ totalBranchId: fresh - 1 });
    vault.resetBranch(fresh, null);
    return;
  }
  const id = fresh ?? vault.state.totalBranchId + 1;
  vault.setState({ topmostTick: next, branchLiquidated: false });
  if (fresh === null) vault.setState({ currentBranchId: id, totalBranchId: id });
  vault.resetBranch(id, left);
}
