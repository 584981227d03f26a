import type { Account } from '../../chain/accounts.ts';
import type { Chain } from '../../chain/chain.ts';
import {
  deriveBorrowPositionAddress,
  deriveRateModelAddress,
  deriveReserveAddress,
  deriveReserveVaultAddress,
  deriveSupplyPositionAddress,
} from '../../protocols/jupiter-lend/liquidity/addresses.ts';
import {
  BORROW_POSITION,
  type BorrowPosition,
  RATE_MODEL,
  type RateModel,
  RESERVE,
  type Reserve,
  SUPPLY_POSITION,
  type SupplyPosition,
} from '../../protocols/jupiter-lend/liquidity/layouts.ts';
import { decodeOracle, isOracle, type OracleAccount } from '../../protocols/jupiter-lend/oracle/layouts.ts';
import { LIQUIDITY_PROGRAM, VAULTS_PROGRAM } from '../../protocols/jupiter-lend/lending-base/programs.ts';
import { deriveVaultConfigAddress } from '../../protocols/jupiter-lend/vaults/state/addresses.ts';
import type {
  VaultConfig,
  VaultMetadata,
  VaultState,
} from '../../protocols/jupiter-lend/vaults/state/layouts.ts';
import type { Address } from '../../solana/address.ts';
import { isTokenProgram } from '../../solana/program-addresses.ts';
import { readTokenAccountAmount } from '../../solana/programs/token/account.ts';
import { KeptAccounts } from '../assets/kept-accounts.ts';
import { type DecodedVaultAccounts, VaultIndex } from './vault-index.ts';

/** One side of a vault: a token, and the vault's balance of it at the liquidity program. */
export interface VaultSide {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly decimals: number;
  readonly reserve: Reserve;
  readonly rateModel: RateModel;
  /** What the reserve holds, in atoms. */
  readonly held: bigint;
}

/** A vault with everything that its numbers are computed from. */
export interface Vault {
  /** The program's id. */
  readonly id: number;
  readonly address: Address;
  readonly config: VaultConfig;
  readonly state: VaultState;
  readonly metadata: VaultMetadata;
  readonly accounts: DecodedVaultAccounts;
  readonly supply: VaultSide;
  readonly borrow: VaultSide;
  readonly supplyPosition: SupplyPosition;
  readonly borrowPosition: BorrowPosition;
  readonly oracle: OracleAccount;
}

/** The type of ordinary vaults. Other types have a side at the dex program, which is not supported here. */
const ORDINARY = 0;

/** The accounts of all vaults of the network, and of what they depend on, kept current. */
export class BorrowAccounts {
  readonly #kept: KeptAccounts;
  readonly #index = new VaultIndex();
  #vaults: ReadonlyMap<number, Vault> = new Map();
  #vaultsVersion = -1;

  private constructor(kept: KeptAccounts) {
    this.#kept = kept;
    for (const [address, account] of kept.accounts()) this.#apply(address, account);
  }

  /** @throws ChainUnavailable when the network does not answer */
  static async open(
    chain: Chain,
    onDefect: (where: string, error: unknown) => void,
  ): Promise<BorrowAccounts> {
    const kept = await KeptAccounts.open(chain, [
      { program: VAULTS_PROGRAM },
      { program: LIQUIDITY_PROGRAM, filter: RESERVE.filter },
      { program: LIQUIDITY_PROGRAM, filter: RATE_MODEL.filter },
      { program: LIQUIDITY_PROGRAM, filter: SUPPLY_POSITION.filter },
      { program: LIQUIDITY_PROGRAM, filter: BORROW_POSITION.filter },
    ]);
    try {
      const accounts = new BorrowAccounts(kept);
      await accounts.#keepDependencies();
      kept.onChange((changed) => {
        for (const address of changed) accounts.#apply(address, kept.read(address));
        // A vault that is created later refers to mints and an oracle that are not watched yet.
        accounts.#keepDependencies().catch((error: unknown) => onDefect('the accounts of vaults', error));
      });
      return accounts;
    } catch (error) {
      kept.close();
      throw error;
    }
  }

  /** Changes with every update, so that callers can cache what they compute. */
  get version(): number {
    return this.#kept.version;
  }

  get index(): VaultIndex {
    return this.#index;
  }

  /** All vaults whose accounts are complete, by the program's id, ascending. */
  vaults(): ReadonlyMap<number, Vault> {
    if (this.#vaultsVersion !== this.#kept.version) {
      const complete = this.#index.vaultIds().flatMap((id) => this.#complete(id) ?? []);
      this.#vaults = new Map(complete.map((vault) => [vault.id, vault]));
      this.#vaultsVersion = this.#kept.version;
    }
    return this.#vaults;
  }

  /** Returns the state of an account that vaults depend on; null when it does not exist. */
  readonly read = (address: Address): Account | null => this.#kept.read(address);

  /** Keeps single accounts as well. */
  keep(addresses: readonly Address[]): Promise<void> {
    return this.#kept.keep(addresses);
  }

  close(): void {
    this.#kept.close();
  }

  #apply(address: Address, account: Account | null): void {
    if (account === null || account.owner === VAULTS_PROGRAM) this.#index.apply(address, account);
  }

  /** Mints and oracles are named by configurations; the vaults of reserves by their mints' programs; sources by oracles. */
  async #keepDependencies(): Promise<void> {
    const vaults = this.#index.vaultIds().flatMap((id) => this.#index.vault(id) ?? []);
    const configs = vaults.flatMap(({ config }) => config ?? []);
    const tables = vaults.flatMap(({ metadata }) => metadata?.lookupTable ?? []);
    const mints = configs.flatMap(({ supplyToken, borrowToken }) => [supplyToken, borrowToken]);
    const oracles = configs.map(({ oracle }) => oracle);
    await this.#kept.keep(distinct([...mints, ...oracles, ...tables]));
    const sources = oracles.flatMap((each) => this.#oracle(each)?.sources.map(({ source }) => source) ?? []);
    const held = mints.flatMap((mint) => {
      const tokenProgram = this.#tokenProgram(mint);
      return tokenProgram === null ? [] : [deriveReserveVaultAddress(mint, tokenProgram)];
    });
    await this.#kept.keep(distinct([...sources, ...held]));
  }

  /** Returns null while an account is missing or invalid, and for vaults of another type. */
  #complete(id: number): Vault | null {
    const accounts = this.#index.vault(id);
    const { config, state, metadata } = accounts ?? { config: null, state: null, metadata: null };
    if (accounts === null || config === null || state === null || metadata === null) return null;
    if (config.vaultType !== ORDINARY) return null;
    const address = deriveVaultConfigAddress(id).address;
    const supply = this.#side(config.supplyToken, metadata.supplyMintDecimals);
    const borrow = this.#side(config.borrowToken, metadata.borrowMintDecimals);
    const supplyPosition = this.#kept.decoded(
      deriveSupplyPositionAddress(config.supplyToken, address),
      SUPPLY_POSITION.decode,
    );
    const borrowPosition = this.#kept.decoded(
      deriveBorrowPositionAddress(config.borrowToken, address),
      BORROW_POSITION.decode,
    );
    const oracle = this.#oracle(config.oracle);
    if (supply === null || borrow === null || oracle === null) return null;
    if (supplyPosition === null || borrowPosition === null) return null;
    return {
      id,
      address,
      config,
      state,
      metadata,
      accounts,
      supply,
      borrow,
      supplyPosition,
      borrowPosition,
      oracle,
    };
  }

  #side(mint: Address, decimals: number): VaultSide | null {
    const tokenProgram = this.#tokenProgram(mint);
    if (tokenProgram === null) return null;
    const reserve = this.#kept.decoded(deriveReserveAddress(mint), RESERVE.decode);
    const rateModel = this.#kept.decoded(deriveRateModelAddress(mint), RATE_MODEL.decode);
    const held = this.#kept.decoded(deriveReserveVaultAddress(mint, tokenProgram), readTokenAccountAmount);
    if (reserve === null || rateModel === null || held === null) return null;
    return { mint, tokenProgram, decimals, reserve, rateModel, held };
  }

  #tokenProgram(mint: Address): Address | null {
    const owner = this.#kept.read(mint)?.owner ?? null;
    return owner !== null && isTokenProgram(owner) ? owner : null;
  }

  #oracle(address: Address): OracleAccount | null {
    const account = this.#kept.read(address);
    return account === null || !isOracle(account.data) ? null : this.#kept.decoded(address, decodeOracle);
  }
}

function distinct(addresses: readonly Address[]): readonly Address[] {
  return [...new Set(addresses)];
}
