import { type Address, address } from '../../solana/address.ts';
import { PRICE_ONE } from '../../protocols/jupiter-lend/lending-base/amounts.ts';
import {
  deriveBranchAddress,
  deriveTickAddress,
  deriveTickHasDebtAddress,
  deriveTickIdLiquidationAddress,
  computeTickMap,
} from '../../protocols/jupiter-lend/vaults/state/addresses.ts';
import {
  createEmptyBranch,
  createVaultState,
} from '../../protocols/jupiter-lend/vaults/genesis/initial-accounts.ts';
import type {
  Branch,
  VaultPosition,
  VaultTick,
  TickIdLiquidation,
  VaultState,
} from '../../protocols/jupiter-lend/vaults/state/layouts.ts';
import {
  MIN_TICK,
  NO_TICK,
  TICK_HAS_DEBT_ARRAYS,
  TICKS_PER_ARRAY,
} from '../../protocols/jupiter-lend/vaults/state/limits.ts';
import type { OperateReader } from '../../protocols/jupiter-lend/vaults/state/operate-accounts.ts';
import type { SdkProgram } from './vaults-sdk.ts';
import {
  toArrayIndex,
  findNextTickWithDebt,
  type TickHasDebtArray,
  type TickHasDebtReader,
} from '../../protocols/jupiter-lend/vaults/state/tick-has-debt.ts';

/** The accounts of one vault in memory. */
export interface VaultAccountsForTests {
  readonly vaultId: number;
  readonly ticks: ReadonlyMap<number, VaultTick>;
  readonly tickIds: ReadonlyMap<string, TickIdLiquidation>;
  readonly branches: ReadonlyMap<number, Branch>;
  readonly arrays: ReadonlyMap<number, TickHasDebtArray>;
}

export function toTickIdKey(tick: number, id: number): string {
  return `${tick}/${computeTickMap(id)}`;
}

export function createOperateReader(vault: VaultAccountsForTests): OperateReader {
  return {
    tick: (tick) => vault.ticks.get(tick) ?? null,
    tickIdLiquidation: (tick, id) => vault.tickIds.get(toTickIdKey(tick, id)) ?? null,
    branch: (id) => vault.branches.get(id) ?? null,
    tickHasDebt: (index) => vault.arrays.get(index) ?? null,
  };
}

/** Returns all ticks with debt, from the highest. */
export function listTicksWithDebt(read: TickHasDebtReader): number[] {
  const ticks: number[] = [];
  const end = MIN_TICK + TICK_HAS_DEBT_ARRAYS * TICKS_PER_ARRAY - 1;
  for (
    let tick = findNextTickWithDebt(read, end);
    tick !== NO_TICK;
    tick = findNextTickWithDebt(read, tick)
  ) {
    ticks.push(tick);
  }
  return ticks;
}

export function createArraysWith(vaultId: number, ticks: readonly number[]): Map<number, TickHasDebtArray> {
  const arrays = new Map<number, TickHasDebtArray>();
  for (let index = 0; index < 16; index++) {
    arrays.set(index, { vaultId, index, bits: new Uint8Array(TICKS_PER_ARRAY / 8) });
  }
  for (const tick of ticks) {
    const offset = (tick - MIN_TICK) % TICKS_PER_ARRAY;
    const bits = arrays.get(toArrayIndex(tick))?.bits;
    if (bits !== undefined) bits[offset >> 3] = (bits[offset >> 3] ?? 0) | (1 << (offset & 7));
  }
  return arrays;
}

export function createTestTick(vaultId: number, tick: number, more: Partial<VaultTick> = {}): VaultTick {
  return {
    vaultId,
    tick,
    isLiquidated: false,
    totalIds: 1,
    rawDebt: 0n,
    isFullyLiquidated: false,
    liquidationBranchId: 0,
    debtFactor: 0n,
    ...more,
  };
}

export function createTestBranch(vaultId: number, branchId: number, more: Partial<Branch> = {}): Branch {
  return { ...createEmptyBranch(vaultId, branchId), ...more };
}

const NO_MINT: Address = address('11111111111111111111111111111111');

export function createTestVaultPosition(vaultId: number, more: Partial<VaultPosition>): VaultPosition {
  return {
    vaultId,
    nftId: 1,
    positionMint: NO_MINT,
    isSupplyOnly: false,
    tick: 0,
    tickId: 1,
    supplyAmount: 0n,
    dustDebtAmount: 0n,
    ...more,
  };
}

/** Returns the state of a new vault. */
export function createTestVaultState(vaultId: number, more: Partial<VaultState> = {}): VaultState {
  return { ...createVaultState(vaultId, { supply: PRICE_ONE, borrow: PRICE_ONE }, 0n), ...more };
}

/** Serves the accounts to the public SDK. */
export function createSdkProgram(
  vault: VaultAccountsForTests,
  big: (value: bigint) => unknown,
  totalBranchId: number,
  config: Readonly<Record<string, unknown>> = {},
): SdkProgram {
  const accounts = new Map<string, unknown>();
  const { vaultId } = vault;
  const plain = (account: object): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(account).map(([name, value]) => [
        name,
        typeof value === 'bigint' ? big(value) : typeof value === 'boolean' ? Number(value) : value,
      ]),
    );
  for (const tick of vault.ticks.values())
    accounts.set(deriveTickAddress(vaultId, tick.tick).address, plain(tick));
  for (const ids of vault.tickIds.values()) {
    accounts.set(deriveTickIdLiquidationAddress(vaultId, ids.tick, ids.tickMap * 3).address, plain(ids));
  }
  for (const branch of vault.branches.values()) {
    accounts.set(deriveBranchAddress(vaultId, branch.branchId).address, plain(branch));
  }
  for (const array of vault.arrays.values()) {
    const maps = Array.from({ length: 8 }, (_, map) => ({
      childrenBits: [...array.bits.subarray(map * 32, map * 32 + 32)],
    }));
    accounts.set(deriveTickHasDebtAddress(vaultId, array.index).address, {
      index: array.index,
      tickHasDebt: maps,
    });
  }
  const fetch = async (at: { toBase58(): string }): Promise<unknown> => {
    const found = accounts.get(at.toBase58());
    if (found === undefined) throw new Error(`Account does not exist: ${at.toBase58()}`);
    return found;
  };
  return {
    account: {
      tick: { fetch },
      tickIdLiquidation: { fetch },
      branch: { fetch },
      tickHasDebtArray: { fetch },
      vaultState: { fetch: async () => ({ totalBranchId }) },
      vaultConfig: { fetch: async () => config },
    },
  };
}
