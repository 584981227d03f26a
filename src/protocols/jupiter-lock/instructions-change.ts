import type { Address } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import {
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { MEMO_PROGRAM, SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { createLockInstruction, encodeHookLists, LOCK_EVENT_ACCOUNTS } from './instruction.ts';
import type { LockedToken } from './instructions.ts';
import { deriveVestingEscrow, LOCK_PROGRAM, type VestingEscrow } from './layout.ts';
import { deriveVestingEscrowMetadata, type VestingTexts, writeVestingText } from './metadata-layout.ts';

/** Builds `create_vesting_escrow_metadata`, which the escrow's creator and the payer sign. */
export function createVestingEscrowMetadata(
  { base, creator }: Pick<VestingEscrow, 'base' | 'creator'>,
  payer: Address,
  texts: VestingTexts,
): Instruction {
  const escrow = deriveVestingEscrow(base).address;
  const accounts = [
    writable(escrow),
    readonlySigner(creator),
    writable(deriveVestingEscrowMetadata(escrow)),
    writableSigner(payer),
    readonly(SYSTEM_PROGRAM),
  ];
  const args = new ByteWriter();
  for (const text of [texts.name, texts.description, texts.creatorEmail, texts.recipientEmail]) {
    writeVestingText(args, text);
  }
  return createLockInstruction('create_vesting_escrow_metadata', accounts, args.finish());
}

/** A new recipient. The signer is whom the escrow's mode permits it, and pays for metadata that gets longer. */
export interface NewRecipient {
  readonly signer: Address;
  readonly recipient: Address;
  /** The new recipient's e-mail address, for an escrow with metadata. Null leaves the metadata as it is. */
  readonly email: string | null;
}

/** Builds `update_vesting_escrow_recipient`. */
export function updateVestingEscrowRecipient(
  base: Address,
  { signer, recipient, email }: NewRecipient,
): Instruction {
  const escrow = deriveVestingEscrow(base).address;
  const accounts = [
    writable(escrow),
    // The program's own address stands in the place of an account that is left out.
    email === null ? readonly(LOCK_PROGRAM) : writable(deriveVestingEscrowMetadata(escrow)),
    writableSigner(signer),
    readonly(SYSTEM_PROGRAM),
    ...LOCK_EVENT_ACCOUNTS,
  ];
  const args = new ByteWriter().address(recipient);
  if (email === null) args.u8(0);
  else writeVestingText(args.u8(1), email);
  return createLockInstruction('update_vesting_escrow_recipient', accounts, args.finish());
}

/** Who cancels an escrow, and where its tokens and the rent of its token account go. */
export interface VestingCancellation {
  /** Whom the escrow's mode permits it. */
  readonly signer: Address;
  readonly creatorToken: Address;
  readonly recipientToken: Address;
  readonly rentReceiver: Address;
}

/** Builds `cancel_vesting_escrow`. */
export function cancelVestingEscrow(
  { base, mint }: Pick<VestingEscrow, 'base' | 'mint'>,
  { signer, creatorToken, recipientToken, rentReceiver }: VestingCancellation,
  { tokenProgram, hookAccounts = [] }: LockedToken,
): Instruction {
  const escrow = deriveVestingEscrow(base).address;
  const escrowToken = deriveAssociatedTokenAddress(escrow, mint, tokenProgram);
  const accounts = [
    ...[escrow, mint, escrowToken, creatorToken, recipientToken, rentReceiver].map(writable),
    writableSigner(signer),
    ...[MEMO_PROGRAM, tokenProgram].map(readonly),
    ...LOCK_EVENT_ACCOUNTS,
    ...hookAccounts,
  ];
  return createLockInstruction('cancel_vesting_escrow', accounts, encodeHookLists(hookAccounts));
}

/**
 * Builds `close_vesting_escrow`, which the creator signs, for an escrow that was cancelled or fully claimed.
 *
 * @param creatorToken - Gets tokens that others have sent to the escrow.
 */
export function closeVestingEscrow(
  { base, mint, creator }: Pick<VestingEscrow, 'base' | 'mint' | 'creator'>,
  creatorToken: Address,
  { tokenProgram, hookAccounts = [] }: LockedToken,
): Instruction {
  const escrow = deriveVestingEscrow(base).address;
  const escrowToken = deriveAssociatedTokenAddress(escrow, mint, tokenProgram);
  const accounts = [
    ...[escrow, deriveVestingEscrowMetadata(escrow), mint, escrowToken, creatorToken].map(writable),
    writableSigner(creator),
    ...[tokenProgram, MEMO_PROGRAM].map(readonly),
    ...LOCK_EVENT_ACCOUNTS,
    ...hookAccounts,
  ];
  return createLockInstruction('close_vesting_escrow', accounts, encodeHookLists(hookAccounts));
}
