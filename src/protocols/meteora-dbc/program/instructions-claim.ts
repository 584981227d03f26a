import type { Address } from '../../../solana/address.ts';
import { ByteWriter } from '../../../solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
} from '../../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import type { DbcPoolKeys } from './addresses.ts';
import { createDbcInstruction, DBC_EVENT_ACCOUNTS } from './instruction.ts';
import { METEORA_DBC_AUTHORITY } from './program.ts';

/** Who claims trading fees, and the accounts that get them. The claimer signs. */
export interface DbcClaimParties {
  readonly claimer: Address;
  readonly tokenBaseAccount: Address;
  readonly tokenQuoteAccount: Address;
}

/** The most that is claimed of each token. */
export interface DbcClaimLimits {
  readonly maxBaseAmount: bigint;
  readonly maxQuoteAmount: bigint;
}

/** Who withdraws quote tokens, and the account that gets them. The owner signs. */
export interface DbcWithdrawalParties {
  readonly owner: Address;
  readonly tokenQuoteAccount: Address;
}

/** Pays the partner's part of the trading fees to the config's fee claimer. */
export function claimDbcTradingFee(
  pool: DbcPoolKeys,
  parties: DbcClaimParties,
  limits: DbcClaimLimits,
): Instruction {
  return createDbcInstruction(
    'claim_trading_fee',
    listPartnerClaimAccounts(pool, parties),
    encodeLimits(limits),
  );
}

/** Does the same as `claimDbcTradingFee` by the form for base tokens with a transfer hook, as one without a hook. */
export function claimDbcTradingFee2(
  pool: DbcPoolKeys,
  parties: DbcClaimParties,
  limits: DbcClaimLimits,
): Instruction {
  const args = encodeLimitsWithoutHook(limits);
  return createDbcInstruction('claim_trading_fee2', listPartnerClaimAccounts(pool, parties), args);
}

/** Pays the creator's part of the trading fees. */
export function claimDbcCreatorTradingFee(
  pool: DbcPoolKeys,
  parties: DbcClaimParties,
  limits: DbcClaimLimits,
): Instruction {
  const accounts = listCreatorClaimAccounts(pool, parties);
  return createDbcInstruction('claim_creator_trading_fee', accounts, encodeLimits(limits));
}

/** Does the same as `claimDbcCreatorTradingFee` by the form for base tokens with a transfer hook. */
export function claimDbcCreatorTradingFee2(
  pool: DbcPoolKeys,
  parties: DbcClaimParties,
  limits: DbcClaimLimits,
): Instruction {
  const args = encodeLimitsWithoutHook(limits);
  return createDbcInstruction('claim_creator_trading_fee2', listCreatorClaimAccounts(pool, parties), args);
}

/** Pays the partner's part of what a completed curve has raised above its threshold. */
export function withdrawDbcPartnerSurplus(pool: DbcPoolKeys, parties: DbcWithdrawalParties): Instruction {
  return createDbcInstruction('partner_withdraw_surplus', listWithdrawalAccounts(pool, parties));
}

/** Pays the creator's part of what a completed curve has raised above its threshold. */
export function withdrawDbcCreatorSurplus(pool: DbcPoolKeys, parties: DbcWithdrawalParties): Instruction {
  return createDbcInstruction('creator_withdraw_surplus', listWithdrawalAccounts(pool, parties));
}

/** @param flag - Whose part of the migration fee is paid: a `DbcMigrationFeeFlag`. */
export function withdrawDbcMigrationFee(
  pool: DbcPoolKeys,
  parties: DbcWithdrawalParties,
  flag: number,
): Instruction {
  const args = new ByteWriter(1).u8(flag).finish();
  return createDbcInstruction('withdraw_migration_fee', listWithdrawalAccounts(pool, parties), args);
}

/** Pays the tokens of a fixed supply that are left after the migration to their receiver. Anyone may ask for it. */
export function withdrawDbcLeftover(pool: DbcPoolKeys, leftoverReceiver: Address): Instruction {
  const { baseMint, tokenBaseProgram } = pool;
  const accounts = [
    readonly(METEORA_DBC_AUTHORITY),
    readonly(pool.config),
    writable(pool.pool),
    writable(deriveAssociatedTokenAddress(leftoverReceiver, baseMint, tokenBaseProgram)),
    writable(pool.baseVault),
    ...[baseMint, leftoverReceiver, tokenBaseProgram].map(readonly),
    ...DBC_EVENT_ACCOUNTS,
  ];
  return createDbcInstruction('withdraw_leftover', accounts);
}

function listPartnerClaimAccounts(pool: DbcPoolKeys, parties: DbcClaimParties): AccountMeta[] {
  return [readonly(METEORA_DBC_AUTHORITY), readonly(pool.config), ...listClaimAccounts(pool, parties)];
}

function listCreatorClaimAccounts(pool: DbcPoolKeys, parties: DbcClaimParties): AccountMeta[] {
  return [readonly(METEORA_DBC_AUTHORITY), ...listClaimAccounts(pool, parties)];
}

function listClaimAccounts(pool: DbcPoolKeys, parties: DbcClaimParties): AccountMeta[] {
  return [
    writable(pool.pool),
    ...[parties.tokenBaseAccount, parties.tokenQuoteAccount, pool.baseVault, pool.quoteVault].map(writable),
    ...[pool.baseMint, pool.quoteMint].map(readonly),
    readonlySigner(parties.claimer),
    ...[pool.tokenBaseProgram, pool.tokenQuoteProgram].map(readonly),
    ...DBC_EVENT_ACCOUNTS,
  ];
}

function listWithdrawalAccounts(pool: DbcPoolKeys, parties: DbcWithdrawalParties): AccountMeta[] {
  return [
    readonly(METEORA_DBC_AUTHORITY),
    readonly(pool.config),
    ...[pool.pool, parties.tokenQuoteAccount, pool.quoteVault].map(writable),
    readonly(pool.quoteMint),
    readonlySigner(parties.owner),
    readonly(pool.tokenQuoteProgram),
    ...DBC_EVENT_ACCOUNTS,
  ];
}

function encodeLimits(limits: DbcClaimLimits): Uint8Array {
  return new ByteWriter(16).u64(limits.maxBaseAmount).u64(limits.maxQuoteAmount).finish();
}

/** No accounts follow for a transfer hook: an empty list of kinds and numbers. */
function encodeLimitsWithoutHook(limits: DbcClaimLimits): Uint8Array {
  return new ByteWriter(20).u64(limits.maxBaseAmount).u64(limits.maxQuoteAmount).u32(0).finish();
}
