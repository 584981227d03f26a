import type { Branch, VaultTick, VaultState } from './layouts.ts';
import { NO_TICK } from './limits.ts';
import type { OperateReader } from './operate-accounts.ts';
import { VaultAccountMissing } from './position-state.ts';

/** A copy-on-write view of a vault's accounts, which `predictLiquidation` changes. */
export class VaultDraft {
  state: VaultState;
  readonly #read: OperateReader;
  readonly #branches = new Map<number, Branch>();
  readonly #ticks = new Map<number, VaultTick>();

  constructor(state: VaultState, read: OperateReader) {
    this.state = state;
    this.#read = read;
  }

  get tickHasDebt(): OperateReader['tickHasDebt'] {
    return this.#read.tickHasDebt;
  }

  /** The branches that were changed. */
  get branches(): ReadonlyMap<number, Branch> {
    return this.#branches;
  }

  get ticks(): ReadonlyMap<number, VaultTick> {
    return this.#ticks;
  }

  /** @throws VaultAccountMissing when the branch does not exist. */
  branch(id: number): Branch {
    const branch = this.#branches.get(id) ?? this.#read.branch(id);
    if (branch === null) throw new VaultAccountMissing(`branch ${id}`);
    return branch;
  }

  /** @throws VaultAccountMissing when the tick does not exist. */
  tick(tick: number): VaultTick {
    const account = this.#ticks.get(tick) ?? this.#read.tick(tick);
    if (account === null) throw new VaultAccountMissing(`tick ${tick}`);
    return account;
  }

  setState(changes: Partial<VaultState>): void {
    this.state = { ...this.state, ...changes };
  }

  setBranch(id: number, changes: Partial<Branch>): void {
    this.#branches.set(id, { ...this.branch(id), ...changes });
  }

  /** Resets a branch to one that was never liquidated, above another one or above none. */
  resetBranch(id: number, below: { readonly branchId: number; readonly minimaTick: number } | null): void {
    this.#branches.set(id, {
      vaultId: this.state.vaultId,
      branchId: id,
      status: 0,
      minimaTick: NO_TICK,
      minimaTickPartials: 0,
      debtLiquidity: 0n,
      debtFactor: 0n,
      connectedBranchId: below?.branchId ?? 0,
      connectedMinimaTick: below?.minimaTick ?? NO_TICK,
    });
  }

  /** Moves the debt of a tick into a branch, and returns the amount. */
  liquidateTick(
    tick: number,
    to: Pick<VaultTick, 'isFullyLiquidated' | 'liquidationBranchId' | 'debtFactor'>,
  ): bigint {
    const account = this.tick(tick);
    this.#ticks.set(tick, { ...account, ...to, isLiquidated: true, rawDebt: 0n });
    return account.rawDebt;
  }
}
