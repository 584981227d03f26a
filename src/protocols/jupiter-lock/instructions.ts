import type { Address } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  writable,
  writableSigner,
} from '../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { createLockInstruction, LOCK_EVENT_ACCOUNTS, writeHookLists } from './instruction.ts';
import { deriveVestingEscrow, type VestingEscrow, type VestingTerms } from './layout.ts';

/** Who locks tokens for whom. The base, a fresh key, and the sender sign; the sender pays the escrow's rent. */
export interface NewVestingEscrow extends VestingTerms {
  readonly base: Address;
  readonly sender: Address;
  readonly senderToken: Address;
  readonly recipient: Address;
  readonly mint: Address;
}

/** The program of the tokens, and the accounts that the mint's transfer hook needs. Default: it has no hook. */
export interface LockedToken {
  readonly tokenProgram: Address;
  readonly hookAccounts?: readonly AccountMeta[];
}

/**
 * Builds `create_vesting_escrow`, for a mint of the classic token program. The escrow's associated token account must
 * exist.
 */
export function createVestingEscrow(escrow: NewVestingEscrow): Instruction {
  const { base, sender, senderToken, recipient, mint } = escrow;
  const { address } = deriveVestingEscrow(base);
  const accounts = [
    writableSigner(base),
    writable(address),
    writable(deriveAssociatedTokenAddress(address, mint, TOKEN_PROGRAM)),
    writableSigner(sender),
    writable(senderToken),
    ...[recipient, TOKEN_PROGRAM, SYSTEM_PROGRAM].map(readonly),
    ...LOCK_EVENT_ACCOUNTS,
  ];
  return createLockInstruction('create_vesting_escrow', accounts, writeTerms(escrow).finish());
}

/**
 * Builds `create_vesting_escrow_v2`, for a mint of either token program. The escrow's associated token account must
 * exist. The sender pays the transfer fee on top of what is locked.
 */
export function createVestingEscrowV2(
  escrow: NewVestingEscrow,
  { tokenProgram, hookAccounts = [] }: LockedToken,
): Instruction {
  const { base, sender, senderToken, recipient, mint } = escrow;
  const { address } = deriveVestingEscrow(base);
  const accounts = [
    writableSigner(base),
    writable(address),
    readonly(mint),
    writable(deriveAssociatedTokenAddress(address, mint, tokenProgram)),
    writableSigner(sender),
    writable(senderToken),
    ...[recipient, tokenProgram, SYSTEM_PROGRAM].map(readonly),
    ...LOCK_EVENT_ACCOUNTS,
    ...hookAccounts,
  ];
  const args = writeHookLists(writeTerms(escrow), hookAccounts).finish();
  return createLockInstruction('create_vesting_escrow_v2', accounts, args);
}

/** What of an escrow a claim names. */
export type ClaimableEscrow = Pick<VestingEscrow, 'base' | 'mint' | 'recipient'>;

/** Where a claim pays to, and the most that it pays, in atoms. */
export interface VestingClaim {
  readonly recipientToken: Address;
  readonly maxAmount: bigint;
}

/** Builds `claim`, which the recipient signs, for a mint of the classic token program. */
export function claimVestingEscrow(
  { base, mint, recipient }: ClaimableEscrow,
  { recipientToken, maxAmount }: VestingClaim,
): Instruction {
  const escrow = deriveVestingEscrow(base).address;
  const accounts = [
    writable(escrow),
    writable(deriveAssociatedTokenAddress(escrow, mint, TOKEN_PROGRAM)),
    writableSigner(recipient),
    writable(recipientToken),
    readonly(TOKEN_PROGRAM),
    ...LOCK_EVENT_ACCOUNTS,
  ];
  return createLockInstruction('claim', accounts, new ByteWriter(8).u64(maxAmount).finish());
}

/** Builds `claim_v2`, which the recipient signs, for a mint of either token program. */
export function claimVestingEscrowV2(
  { base, mint, recipient }: ClaimableEscrow,
  { recipientToken, maxAmount }: VestingClaim,
  { tokenProgram, hookAccounts = [] }: LockedToken,
): Instruction {
  const escrow = deriveVestingEscrow(base).address;
  const accounts = [
    writable(escrow),
    readonly(mint),
    writable(deriveAssociatedTokenAddress(escrow, mint, tokenProgram)),
    writableSigner(recipient),
    writable(recipientToken),
    ...[MEMO_PROGRAM, tokenProgram].map(readonly),
    ...LOCK_EVENT_ACCOUNTS,
    ...hookAccounts,
  ];
  const args = writeHookLists(new ByteWriter(16).u64(maxAmount), hookAccounts).finish();
  return createLockInstruction('claim_v2', accounts, args);
}

function writeTerms(terms: VestingTerms): ByteWriter {
  const to = new ByteWriter();
  to.u64(terms.vestingStartTime).u64(terms.cliffTime).u64(terms.frequency);
  to.u64(terms.cliffUnlockAmount).u64(terms.amountPerPeriod).u64(terms.periods);
  return to.u8(terms.updateRecipientMode).u8(terms.cancelMode);
}
