import {
  VAULTS_PROGRAM,
  LIQUIDITY_PROGRAM,
  ORACLE_PROGRAM,
} from '../../../src/protocols/jupiter-lend/lending-base/programs.ts';
import {
  deriveBorrowPositionAddress,
  LIQUIDITY,
  deriveRateModelAddress,
  deriveReserveAddress,
  deriveReserveVaultAddress,
  deriveSupplyPositionAddress,
} from '../../../src/protocols/jupiter-lend/liquidity/addresses.ts';
import {
  deriveTickHasDebtAddress,
  VAULT_ADMIN,
  deriveVaultConfigAddress,
  deriveVaultMetadataAddress,
  deriveVaultStateAddress,
} from '../../../src/protocols/jupiter-lend/vaults/state/addresses.ts';
import type { Address } from '../../../src/solana/address.ts';
import { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { type Members, tagOf } from '../../liquidity/tests/instructions.ts';

// The instructions of an operator. Those of users are encoded in `src/protocols/jupiter-lend/vaults`.

type Write = (to: ByteWriter) => ByteWriter;

export function vaultsInstruction(
  name: string,
  accounts: AccountMeta[],
  write: Write = (to) => to,
): Instruction {
  const data = write(new ByteWriter(256).bytes(tagOf(name))).finish();
  return { programAddress: VAULTS_PROGRAM, accounts, data };
}

export function initVaultAdmin(signer: Address, authority: Address): Instruction {
  return vaultsInstruction(
    'init_vault_admin',
    [writableSigner(signer), writable(VAULT_ADMIN.address), readonly(SYSTEM_PROGRAM)],
    (to) => to.address(LIQUIDITY_PROGRAM).address(authority),
  );
}

export function updateVaultAuths(signer: Address, members: Members): Instruction {
  return vaultsInstruction('update_auths', [readonlySigner(signer), writable(VAULT_ADMIN.address)], (to) => {
    to.u32(members.length);
    for (const [user, member] of members) to.address(user).bool(member);
    return to;
  });
}

/** The terms that an operator sets, in 10,000ths. */
export interface Terms {
  readonly supplyRateMagnifier: number;
  readonly borrowRateMagnifier: number;
  readonly collateralFactor: number;
  readonly liquidationThreshold: number;
  readonly liquidationMaxLimit: number;
  readonly withdrawGap: number;
  readonly liquidationPenalty: number;
  readonly borrowFee: number;
}

/** The factors of a public vault of SOL against USDC. */
export const TERMS: Terms = {
  supplyRateMagnifier: 0,
  borrowRateMagnifier: 0,
  collateralFactor: 8_000,
  liquidationThreshold: 8_500,
  liquidationMaxLimit: 9_000,
  withdrawGap: 0,
  liquidationPenalty: 100,
  borrowFee: 0,
};

function writeTerms(to: ByteWriter, terms: Terms): ByteWriter {
  return to
    .u16(terms.supplyRateMagnifier & 0xffff)
    .u16(terms.borrowRateMagnifier & 0xffff)
    .u16(terms.collateralFactor)
    .u16(terms.liquidationThreshold)
    .u16(terms.liquidationMaxLimit)
    .u16(terms.withdrawGap)
    .u16(terms.liquidationPenalty)
    .u8(terms.borrowFee);
}

/** A vault's tokens and oracle. */
export interface Pair {
  readonly vaultId: number;
  readonly supplyToken: Address;
  readonly borrowToken: Address;
  readonly oracle: Address;
}

export function initVaultConfig(authority: Address, pair: Pair, terms: Terms, vaultType = 0): Instruction {
  const { vaultId } = pair;
  return vaultsInstruction(
    'init_vault_config',
    [
      writableSigner(authority),
      writable(VAULT_ADMIN.address),
      writable(deriveVaultConfigAddress(vaultId).address),
      writable(deriveVaultMetadataAddress(vaultId).address),
      readonly(pair.oracle),
      readonly(pair.supplyToken),
      readonly(pair.borrowToken),
      readonly(VAULTS_PROGRAM),
      readonly(VAULTS_PROGRAM),
      readonly(SYSTEM_PROGRAM),
    ],
    (to) =>
      writeTerms(to.u16(vaultId), terms)
        .u8(vaultType)
        .address(authority)
        .address(LIQUIDITY_PROGRAM)
        .address(ORACLE_PROGRAM),
  );
}

export function initVaultState(authority: Address, pair: Pair): Instruction {
  return vaultsInstruction(
    'init_vault_state',
    [
      writableSigner(authority),
      readonly(VAULT_ADMIN.address),
      readonly(deriveVaultConfigAddress(pair.vaultId).address),
      writable(deriveVaultStateAddress(pair.vaultId).address),
      readonly(deriveReserveAddress(pair.supplyToken)),
      readonly(deriveReserveAddress(pair.borrowToken)),
      readonly(SYSTEM_PROGRAM),
    ],
    (to) => to.u16(pair.vaultId),
  );
}

export function initTickHasDebtArray(signer: Address, vaultId: number, index: number): Instruction {
  return vaultsInstruction(
    'init_tick_has_debt_array',
    [
      writableSigner(signer),
      readonly(deriveVaultConfigAddress(vaultId).address),
      writable(deriveTickHasDebtAddress(vaultId, index).address),
      readonly(SYSTEM_PROGRAM),
    ],
    (to) => to.u16(vaultId).u8(index),
  );
}

/** The accounts of a change of terms. */
function changeAccounts(authority: Address, pair: Pair): AccountMeta[] {
  return [
    readonlySigner(authority),
    readonly(VAULT_ADMIN.address),
    writable(deriveVaultStateAddress(pair.vaultId).address),
    writable(deriveVaultConfigAddress(pair.vaultId).address),
    readonly(deriveReserveAddress(pair.supplyToken)),
    readonly(deriveReserveAddress(pair.borrowToken)),
  ];
}

/** Encodes an instruction that changes a single setting. `write` writes its argument. */
export function updateSetting(name: string, authority: Address, pair: Pair, write: Write): Instruction {
  return vaultsInstruction(`update_${name}`, changeAccounts(authority, pair), (to) =>
    write(to.u16(pair.vaultId)),
  );
}

export function updateCoreSettings(authority: Address, pair: Pair, terms: Terms): Instruction {
  return updateSetting('core_settings', authority, pair, (to) => writeTerms(to, terms));
}

export function updateVaultOracle(authority: Address, pair: Pair, oracle: Address): Instruction {
  const accounts = changeAccounts(authority, pair);
  return vaultsInstruction('update_oracle', accounts.toSpliced(4, 0, readonly(oracle)), (to) =>
    to.u16(pair.vaultId),
  );
}

export function updateLookupTable(authority: Address, vaultId: number, table: Address): Instruction {
  return vaultsInstruction(
    'update_lookup_table',
    [
      readonlySigner(authority),
      readonly(VAULT_ADMIN.address),
      writable(deriveVaultMetadataAddress(vaultId).address),
    ],
    (to) => to.u16(vaultId).address(table),
  );
}

/** The vault's rebalancer signs. It pays what is missing and receives what is left over. */
export function rebalance(
  rebalancer: Address,
  pair: Pair,
  tokenPrograms: readonly [Address, Address],
): Instruction {
  const { supplyToken, borrowToken } = pair;
  const [supplyProgram, borrowProgram] = tokenPrograms;
  const protocol = deriveVaultConfigAddress(pair.vaultId).address;
  return vaultsInstruction('rebalance', [
    writableSigner(rebalancer),
    writable(deriveAssociatedTokenAddress(rebalancer, supplyToken, supplyProgram)),
    writable(deriveAssociatedTokenAddress(rebalancer, borrowToken, borrowProgram)),
    writable(protocol),
    writable(deriveVaultStateAddress(pair.vaultId).address),
    readonly(supplyToken),
    readonly(borrowToken),
    writable(deriveReserveAddress(supplyToken)),
    writable(deriveReserveAddress(borrowToken)),
    writable(deriveSupplyPositionAddress(supplyToken, protocol)),
    writable(deriveBorrowPositionAddress(borrowToken, protocol)),
    readonly(deriveRateModelAddress(supplyToken)),
    readonly(deriveRateModelAddress(borrowToken)),
    readonly(LIQUIDITY.address),
    readonly(LIQUIDITY_PROGRAM),
    writable(deriveReserveVaultAddress(supplyToken, supplyProgram)),
    writable(deriveReserveVaultAddress(borrowToken, borrowProgram)),
    readonly(SYSTEM_PROGRAM),
    readonly(supplyProgram),
    readonly(borrowProgram),
    readonly(ASSOCIATED_TOKEN_PROGRAM),
  ]);
}
