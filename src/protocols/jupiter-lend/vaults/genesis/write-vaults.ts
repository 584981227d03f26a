import type { AccountLedger } from '../../../../protocol/genesis/account-ledger.ts';
import { toLedgerMint, tokenProgramOf } from '../../../../protocol/genesis/mints.ts';
import type { TokenInfo } from '../../../../solana/known-tokens.ts';
import type { Address } from '../../../../solana/address.ts';
import {
  createActiveLookupTable,
  encodeLookupTable,
  deriveLookupTableAddress,
} from '../../../../solana/messages/lookup-table.ts';
import {
  ADDRESS_LOOKUP_TABLE_PROGRAM,
  ASSOCIATED_TOKEN_PROGRAM,
  SYSTEM_PROGRAM,
  SYSVAR_INSTRUCTIONS,
  SYSVAR_RENT,
  TOKEN_PROGRAM,
} from '../../../../solana/program-addresses.ts';
import { encodeMint } from '../../../../solana/programs/token/mint.ts';
import { encodeMetadata, TokenStandard } from '../../../../solana/programs/token-metadata/account.ts';
import {
  deriveMetadataAddress,
  TOKEN_METADATA_PROGRAM,
} from '../../../../solana/programs/token-metadata/program.ts';
import {
  deriveBorrowPositionAddress,
  LIQUIDITY,
  deriveRateModelAddress,
  deriveReserveAddress,
  deriveReserveVaultAddress,
  deriveSupplyPositionAddress,
} from '../../liquidity/addresses.ts';
import { LIQUIDITY_PROGRAM, ORACLE_PROGRAM, VAULTS_PROGRAM } from '../../lending-base/programs.ts';
import {
  deriveBranchAddress,
  deriveVaultPositionAddress,
  deriveTickAddress,
  deriveTickHasDebtAddress,
  deriveTickIdLiquidationAddress,
  computeTickMap,
  VAULT_ADMIN,
  deriveVaultConfigAddress,
  deriveVaultMetadataAddress,
  deriveVaultStateAddress,
} from '../state/addresses.ts';
import {
  BRANCH,
  POSITION,
  type VaultPosition,
  TICK,
  type VaultTick,
  TICK_ID_LIQUIDATION,
  VAULT_CONFIG,
  VAULT_METADATA,
  VAULT_STATE,
} from '../state/layouts.ts';
import { MIN_TICK, TICK_HAS_DEBT_ARRAYS, TICKS_PER_ARRAY } from '../state/limits.ts';
import { toArrayIndex, encodeTickHasDebt } from '../state/tick-has-debt.ts';
import { encodeVaultAdmin } from '../vault-admin.ts';
import { createEmptyBranch } from './initial-accounts.ts';
import type { BookedVault } from './vault-book.ts';

/** The fee that the metadata program keeps in the metadata account of a mint. */
const METADATA_FEE = 10_000_000n;
const ARRAYS = Array.from({ length: TICK_HAS_DEBT_ARRAYS }, (_, index) => index);

/**
 * Writes the accounts of the vaults program, with a lookup table for each vault and the tokens of positions.
 *
 * @param authority - The administrator of the vaults, who also owns the lookup tables.
 */
export function addVaults(ledger: AccountLedger, authority: Address, vaults: readonly BookedVault[]): void {
  const admin = encodeVaultAdmin({
    authority,
    liquidityProgram: LIQUIDITY_PROGRAM,
    nextVaultId: vaults.length + 1,
    auths: [authority],
    bump: VAULT_ADMIN.bump,
  });
  ledger.addData(VAULT_ADMIN.address, VAULTS_PROGRAM, admin);
  for (const vault of vaults) addVault(ledger, authority, vault);
}

function addVault(ledger: AccountLedger, authority: Address, vault: BookedVault): void {
  const { config, state, supply, borrow, branch, ticks, positions } = vault;
  const { vaultId } = config;
  const add = (address: Address, data: Uint8Array) => ledger.addData(address, VAULTS_PROGRAM, data);
  add(deriveVaultConfigAddress(vaultId).address, VAULT_CONFIG.encode(config));
  add(deriveVaultStateAddress(vaultId).address, VAULT_STATE.encode(state));
  const metadata = {
    vaultId,
    lookupTable: addVaultTable(ledger, authority, vault),
    supplyMintDecimals: supply.decimals,
    borrowMintDecimals: borrow.decimals,
  };
  add(deriveVaultMetadataAddress(vaultId).address, VAULT_METADATA.encode(metadata));
  for (const each of [createEmptyBranch(vaultId, 0), branch]) {
    add(deriveBranchAddress(vaultId, each.branchId).address, BRANCH.encode(each));
  }
  // Operations without a tick name the lowest one.
  for (const tick of [lowestTick(vaultId), ...ticks.values()]) addTick(ledger, tick);
  for (const index of ARRAYS) {
    const bits = debtBits(index, [...ticks.values()]);
    add(deriveTickHasDebtAddress(vaultId, index).address, encodeTickHasDebt({ vaultId, index, bits }));
  }
  for (const position of positions.values()) addPosition(ledger, position);
}

function lowestTick(vaultId: number): VaultTick {
  return {
    vaultId,
    tick: MIN_TICK,
    isLiquidated: false,
    totalIds: 0,
    rawDebt: 0n,
    isFullyLiquidated: false,
    liquidationBranchId: 0,
    debtFactor: 0n,
  };
}

/** Adds a tick. An operation that enters a tick for the first time also names the account of its lives. */
function addTick(ledger: AccountLedger, tick: VaultTick): void {
  const { vaultId } = tick;
  ledger.addData(deriveTickAddress(vaultId, tick.tick).address, VAULTS_PROGRAM, TICK.encode(tick));
  const life = TICK_ID_LIQUIDATION.encode({
    vaultId,
    tick: tick.tick,
    tickMap: computeTickMap(0),
    isFullyLiquidated1: false,
    liquidationBranchId1: 0,
    debtFactor1: 0n,
    isFullyLiquidated2: false,
    liquidationBranchId2: 0,
    debtFactor2: 0n,
    isFullyLiquidated3: false,
    liquidationBranchId3: 0,
    debtFactor3: 0n,
  });
  ledger.addData(deriveTickIdLiquidationAddress(vaultId, tick.tick, 0).address, VAULTS_PROGRAM, life);
}

function debtBits(index: number, ticks: readonly VaultTick[]): Uint8Array {
  const bits = new Uint8Array(TICKS_PER_ARRAY / 8);
  for (const { tick, rawDebt } of ticks) {
    if (rawDebt === 0n || toArrayIndex(tick) !== index) continue;
    const offset = (tick - MIN_TICK) % TICKS_PER_ARRAY;
    bits[offset >> 3] = (bits[offset >> 3] ?? 0) | (1 << (offset & 7));
  }
  return bits;
}

/** Adds a position, with its mint and the token of its owner. */
function addPosition(ledger: AccountLedger, position: VaultPosition & { readonly owner: Address }): void {
  const { vaultId, nftId, positionMint: mint, owner } = position;
  ledger.addData(
    deriveVaultPositionAddress(vaultId, nftId).address,
    VAULTS_PROGRAM,
    POSITION.encode(position),
  );
  ledger.addAssociatedTokens(
    { mint, tokenProgram: TOKEN_PROGRAM, accountExtensions: [] },
    { owner, amount: 1n },
  );
  const mintData = encodeMint({
    mintAuthority: null,
    supply: 1n,
    decimals: 0,
    freezeAuthority: null,
    extensions: [],
  });
  ledger.addData(mint, TOKEN_PROGRAM, mintData);
  const metadata = encodeMetadata({
    updateAuthority: VAULT_ADMIN.address,
    mint,
    name: `jupiter vault ${vaultId}`,
    symbol: `jv${vaultId}`,
    uri: `https://cdn.instadapp.io/solana/vaults/metadata/${vaultId}.json`,
    sellerFeeBasisPoints: 0,
    creators: null,
    primarySaleHappened: false,
    isMutable: true,
    tokenStandard: TokenStandard.Fungible,
  });
  ledger.addData(deriveMetadataAddress(mint), TOKEN_METADATA_PROGRAM, metadata, METADATA_FEE);
}

/** Writes the lookup table with the accounts of a vault that all its operations share. */
function addVaultTable(ledger: AccountLedger, authority: Address, vault: BookedVault): Address {
  const addresses = sharedAccounts(vault);
  const { address } = deriveLookupTableAddress(authority, BigInt(vault.config.vaultId));
  // Addresses cannot be used in the slot in which they were added, so these count as added before slot 0.
  const table = {
    ...createActiveLookupTable(addresses, authority, 0n),
    lastExtendedStartIndex: addresses.length,
  };
  ledger.addData(address, ADDRESS_LOOKUP_TABLE_PROGRAM, encodeLookupTable(table));
  return address;
}

function sharedAccounts({ config, supply, borrow, oracle }: BookedVault): Address[] {
  const { vaultId } = config;
  const protocol = deriveVaultConfigAddress(vaultId).address;
  const sideOf = (token: TokenInfo) => {
    const { mint, tokenProgram } = toLedgerMint(token);
    return [
      mint,
      deriveReserveAddress(mint),
      deriveRateModelAddress(mint),
      deriveReserveVaultAddress(mint, tokenProgram),
      deriveSupplyPositionAddress(mint, protocol),
      deriveBorrowPositionAddress(mint, protocol),
    ];
  };
  const all = [
    VAULTS_PROGRAM,
    LIQUIDITY_PROGRAM,
    ORACLE_PROGRAM,
    TOKEN_METADATA_PROGRAM,
    SYSTEM_PROGRAM,
    ASSOCIATED_TOKEN_PROGRAM,
    SYSVAR_INSTRUCTIONS,
    SYSVAR_RENT,
    TOKEN_PROGRAM,
    tokenProgramOf(supply),
    tokenProgramOf(borrow),
    VAULT_ADMIN.address,
    LIQUIDITY.address,
    protocol,
    deriveVaultStateAddress(vaultId).address,
    deriveVaultMetadataAddress(vaultId).address,
    ...sideOf(supply),
    ...sideOf(borrow),
    config.oracle,
    ...oracle.sources.map(({ source }) => source),
    ...[0, 1, 2, 3].map((id) => deriveBranchAddress(vaultId, id).address),
    deriveTickAddress(vaultId, MIN_TICK).address,
    deriveTickIdLiquidationAddress(vaultId, MIN_TICK, 0).address,
    ...ARRAYS.map((index) => deriveTickHasDebtAddress(vaultId, index).address),
  ];
  return [...new Set(all)];
}
