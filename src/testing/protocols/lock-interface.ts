import { type Address, toAddress } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import {
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../solana/program-addresses.ts';
import {
  claimVestingEscrow,
  claimVestingEscrowV2,
  createVestingEscrow,
  createVestingEscrowV2,
} from '../../protocols/jupiter-lock/instructions.ts';
import {
  cancelVestingEscrow,
  closeVestingEscrow,
  createVestingEscrowMetadata,
  updateVestingEscrowRecipient,
} from '../../protocols/jupiter-lock/instructions-change.ts';
import {
  deriveVestingEscrow,
  LOCK_EVENT_AUTHORITY,
  LOCK_PROGRAM,
} from '../../protocols/jupiter-lock/layout.ts';
import { deriveVestingEscrowMetadata } from '../../protocols/jupiter-lock/metadata-layout.ts';

/** The accounts of the public IDL 0.4.0, with `*` for writable ones and `!` for signers. */
export const LOCK_INTERFACE: Readonly<Record<string, string>> = {
  create_vesting_escrow:
    'base*! escrow* escrow_token* sender*! sender_token* recipient token_program system_program event_authority program',
  create_vesting_escrow_v2:
    'base*! escrow* token_mint escrow_token* sender*! sender_token* recipient token_program system_program ' +
    'event_authority program',
  create_vesting_escrow_metadata: 'escrow* creator! escrow_metadata* payer*! system_program',
  claim: 'escrow* escrow_token* recipient*! recipient_token* token_program event_authority program',
  claim_v2:
    'escrow* token_mint escrow_token* recipient*! recipient_token* memo_program token_program event_authority program',
  update_vesting_escrow_recipient: 'escrow* escrow_metadata* signer*! system_program event_authority program',
  cancel_vesting_escrow:
    'escrow* token_mint* escrow_token* creator_token* recipient_token* rent_receiver* signer*! memo_program ' +
    'token_program event_authority program',
  close_vesting_escrow:
    'escrow* escrow_metadata* token_mint* escrow_token* creator_token* creator*! token_program memo_program ' +
    'event_authority program',
};

export const namedByte = (byte: number): Address => toAddress(new Uint8Array(32).fill(byte));
export const LOCK_BASE = namedByte(10);
export const LOCK_TERMS = {
  vestingStartTime: 1n,
  cliffTime: 2n,
  frequency: 3n,
  cliffUnlockAmount: 4n,
  amountPerPeriod: 5n,
  periods: 6n,
  updateRecipientMode: 2,
  cancelMode: 1,
};
export const LOCK_ESCROW = {
  base: LOCK_BASE,
  mint: namedByte(2),
  creator: namedByte(3),
  recipient: namedByte(4),
};
const { address: ESCROW_ADDRESS } = deriveVestingEscrow(LOCK_BASE);

/** The account of each name of the interface. */
const ACCOUNTS: Readonly<Record<string, Address>> = {
  base: LOCK_BASE,
  escrow: ESCROW_ADDRESS,
  escrow_metadata: deriveVestingEscrowMetadata(ESCROW_ADDRESS),
  token_mint: LOCK_ESCROW.mint,
  creator: LOCK_ESCROW.creator,
  sender: LOCK_ESCROW.creator,
  recipient: LOCK_ESCROW.recipient,
  payer: namedByte(5),
  recipient_token: namedByte(6),
  signer: namedByte(7),
  creator_token: namedByte(9),
  sender_token: namedByte(11),
  rent_receiver: namedByte(12),
  memo_program: MEMO_PROGRAM,
  system_program: SYSTEM_PROGRAM,
  event_authority: LOCK_EVENT_AUTHORITY,
  program: LOCK_PROGRAM,
};

/** Builds the instruction of that name of the interface. */
export function buildLockInstruction(name: string): Instruction {
  const token = { tokenProgram: TOKEN_2022_PROGRAM };
  const terms = { ...LOCK_TERMS, ...LOCK_ESCROW, sender: LOCK_ESCROW.creator, senderToken: namedByte(11) };
  const claim = { recipientToken: namedByte(6), maxAmount: 9n };
  const texts = { name: 'a', description: 'bc', creatorEmail: '', recipientEmail: 'd' };
  const change = { signer: namedByte(7), recipient: namedByte(8), email: 'e' };
  const parties = {
    ...{ signer: namedByte(7), creatorToken: namedByte(9) },
    ...{ recipientToken: namedByte(6), rentReceiver: namedByte(12) },
  };
  const all: Readonly<Record<string, Instruction>> = {
    create_vesting_escrow: createVestingEscrow(terms),
    create_vesting_escrow_v2: createVestingEscrowV2(terms, token),
    create_vesting_escrow_metadata: createVestingEscrowMetadata(LOCK_ESCROW, namedByte(5), texts),
    claim: claimVestingEscrow(LOCK_ESCROW, claim),
    claim_v2: claimVestingEscrowV2(LOCK_ESCROW, claim, token),
    update_vesting_escrow_recipient: updateVestingEscrowRecipient(LOCK_BASE, change),
    cancel_vesting_escrow: cancelVestingEscrow(LOCK_ESCROW, parties, token),
    close_vesting_escrow: closeVestingEscrow(LOCK_ESCROW, namedByte(9), token),
  };
  const instruction = all[name];
  if (instruction === undefined) throw new Error(`${name} is not built here`);
  return instruction;
}

/** Returns what the interface says of an account: its address, whether it is writable, and whether it signs. */
export function parseLockAccount(
  each: string,
  name: string,
): readonly [Address | undefined, boolean, boolean] {
  const account = each.replace(/[*!]/g, '');
  const isPlain = name === 'create_vesting_escrow' || name === 'claim';
  const tokenProgram = isPlain ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM;
  const ofToken: Readonly<Record<string, Address>> = {
    token_program: tokenProgram,
    escrow_token: deriveAssociatedTokenAddress(ESCROW_ADDRESS, LOCK_ESCROW.mint, tokenProgram),
  };
  return [ofToken[account] ?? ACCOUNTS[account], each.includes('*'), each.includes('!')];
}
