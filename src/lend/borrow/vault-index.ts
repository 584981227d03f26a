import type { Account } from '../../chain/accounts.ts';
import {
  BRANCH,
  type Branch,
  POSITION,
  POSITION_MINT_OFFSET,
  type VaultPosition,
  TICK,
  type VaultTick,
  TICK_ID_LIQUIDATION,
  type TickIdLiquidation,
  VAULT_CONFIG,
  VAULT_METADATA,
  VAULT_STATE,
  type VaultConfig,
  type VaultMetadata,
  type VaultState,
} from '../../protocols/jupiter-lend/vaults/state/layouts.ts';
import { computeTickMap } from '../../protocols/jupiter-lend/vaults/state/addresses.ts';
import type { OperateReader } from '../../protocols/jupiter-lend/vaults/state/operate-accounts.ts';
import {
  decodeTickHasDebt,
  isTickHasDebtData,
  type TickHasDebtArray,
} from '../../protocols/jupiter-lend/vaults/state/tick-has-debt.ts';
import { ADDRESS_BYTES, type Address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';

/** The accounts of one vault, decoded. */
export interface DecodedVaultAccounts extends OperateReader {
  readonly config: VaultConfig | null;
  readonly state: VaultState | null;
  readonly metadata: VaultMetadata | null;
  readonly position: (id: number) => VaultPosition | null;
}

/** Removes an account from the index when it is closed. */
type Remove = () => void;

class IndexedVault implements DecodedVaultAccounts {
  config: VaultConfig | null = null;
  state: VaultState | null = null;
  metadata: VaultMetadata | null = null;
  readonly ticks = new Map<number, VaultTick>();
  /** The key combines the tick and the account's number. A vault has far fewer than 2^16 accounts for one tick. */
  readonly tickIds = new Map<number, TickIdLiquidation>();
  readonly branches = new Map<number, Branch>();
  readonly arrays = new Map<number, TickHasDebtArray>();
  readonly positions = new Map<number, VaultPosition>();

  readonly tick = (tick: number): VaultTick | null => this.ticks.get(tick) ?? null;
  readonly tickIdLiquidation = (tick: number, id: number): TickIdLiquidation | null =>
    this.tickIds.get(tickIdKey(tick, computeTickMap(id))) ?? null;
  readonly branch = (id: number): Branch | null => this.branches.get(id) ?? null;
  readonly tickHasDebt = (index: number): TickHasDebtArray | null => this.arrays.get(index) ?? null;
  readonly position = (id: number): VaultPosition | null => this.positions.get(id) ?? null;
}

/**
 * All accounts of the vaults program, decoded and found by vault, and positions also by the mint of their token. An
 * account is decoded once for each change, so that a lookup costs no more with 100,000 positions than with ten.
 */
export class VaultIndex {
  readonly #vaults = new Map<number, IndexedVault>();
  readonly #positionsByMint = new Map<Address, VaultPosition>();
  /** The addresses of accounts that begin like a position and are none, by the mint in the place of a position's. */
  readonly #undecodableByMint = new Map<Address, Address>();
  readonly #removals = new Map<Address, Remove>();

  /** Applies the new state of an account; null if the account no longer exists. */
  apply(address: Address, account: Account | null): void {
    this.#removals.get(address)?.();
    this.#removals.delete(address);
    const remove = account === null ? null : this.#insert(address, account.data);
    if (remove !== null) this.#removals.set(address, remove);
  }

  vault(id: number): DecodedVaultAccounts | null {
    return this.#vaults.get(id) ?? null;
  }

  /** The ids of all vaults, ascending. */
  vaultIds(): readonly number[] {
    return [...this.#vaults.keys()].sort((one, other) => one - other);
  }

  /** Returns null when no position has the mint. */
  positionOfMint(mint: Address): VaultPosition | null {
    return this.#positionsByMint.get(mint) ?? null;
  }

  /** Returns the address of an account that seems to be the mint's position and cannot be decoded; null if there is none. */
  undecodableOfMint(mint: Address): Address | null {
    return this.#undecodableByMint.get(mint) ?? null;
  }

  /** Returns null for an account that is not indexed. */
  #insert(address: Address, data: Uint8Array): Remove | null {
    if (POSITION.matches(data)) return this.#insertPosition(POSITION.decode(data));
    if (TICK.matches(data)) {
      const tick = TICK.decode(data);
      return put(this.#vault(tick.vaultId).ticks, tick.tick, tick);
    }
    if (TICK_ID_LIQUIDATION.matches(data)) {
      const ids = TICK_ID_LIQUIDATION.decode(data);
      return put(this.#vault(ids.vaultId).tickIds, tickIdKey(ids.tick, ids.tickMap), ids);
    }
    if (BRANCH.matches(data)) {
      const branch = BRANCH.decode(data);
      return put(this.#vault(branch.vaultId).branches, branch.branchId, branch);
    }
    if (isTickHasDebtData(data)) {
      const array = decodeTickHasDebt(data);
      return put(this.#vault(array.vaultId).arrays, array.index, array);
    }
    if (POSITION.tag.every((byte, at) => data[at] === byte)) return this.#insertUndecodable(address, data);
    return this.#insertVault(data);
  }

  #insertUndecodable(address: Address, data: Uint8Array): Remove | null {
    if (data.length < POSITION_MINT_OFFSET + ADDRESS_BYTES) return null;
    return put(
      this.#undecodableByMint,
      new ByteReader(data, 'position', POSITION_MINT_OFFSET).address(),
      address,
    );
  }

  #insertVault(data: Uint8Array): Remove | null {
    if (VAULT_STATE.matches(data)) {
      const state = VAULT_STATE.decode(data);
      const vault = this.#vault(state.vaultId);
      vault.state = state;
      return () => (vault.state = null);
    }
    if (VAULT_CONFIG.matches(data)) {
      const config = VAULT_CONFIG.decode(data);
      const vault = this.#vault(config.vaultId);
      vault.config = config;
      return () => (vault.config = null);
    }
    if (!VAULT_METADATA.matches(data)) return null;
    const metadata = VAULT_METADATA.decode(data);
    const vault = this.#vault(metadata.vaultId);
    vault.metadata = metadata;
    return () => (vault.metadata = null);
  }

  #insertPosition(position: VaultPosition): Remove {
    const remove = put(this.#vault(position.vaultId).positions, position.nftId, position);
    this.#positionsByMint.set(position.positionMint, position);
    return () => {
      remove();
      this.#positionsByMint.delete(position.positionMint);
    };
  }

  #vault(id: number): IndexedVault {
    let vault = this.#vaults.get(id);
    if (vault === undefined) {
      vault = new IndexedVault();
      this.#vaults.set(id, vault);
    }
    return vault;
  }
}

const MAPS_PER_TICK = 2 ** 32;

function tickIdKey(tick: number, map: number): number {
  return tick * MAPS_PER_TICK + map;
}

function put<K, V>(map: Map<K, V>, key: K, value: V): Remove {
  map.set(key, value);
  return () => {
    if (map.get(key) === value) map.delete(key);
  };
}
