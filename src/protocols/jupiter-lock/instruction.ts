import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { type AccountMeta, type Instruction, readonly } from '../../solana/messages/instruction.ts';
import { LOCK_EVENT_AUTHORITY, LOCK_PROGRAM } from './layout.ts';

/** The discriminators of the instructions that are built here. */
const TAGS = {
  create_vesting_escrow: '1764c55ede99265a',
  create_vesting_escrow_v2: 'b59b68b7b680232f',
  create_vesting_escrow_metadata: '5d4e2167ad7d4600',
  claim: '3ec6d6c1d59f6cd2',
  claim_v2: 'e5572ea2159de772',
  cancel_vesting_escrow: 'd9e90d038f6535c9',
  update_vesting_escrow_recipient: '1af27fffed6d2fce',
  close_vesting_escrow: 'ddb95f878843fc57',
} as const;

export type LockInstructionName = keyof typeof TAGS;

/** The last accounts of every instruction in which the program records an event. */
export const LOCK_EVENT_ACCOUNTS: readonly AccountMeta[] = [
  readonly(LOCK_EVENT_AUTHORITY),
  readonly(LOCK_PROGRAM),
];

/** Puts an instruction of the program together from its accounts and its encoded arguments. */
export function createLockInstruction(
  name: LockInstructionName,
  accounts: readonly AccountMeta[],
  args: Uint8Array = new Uint8Array(0),
): Instruction {
  const data = Buffer.concat([Buffer.from(TAGS[name], 'hex'), args]);
  return { programAddress: LOCK_PROGRAM, accounts, data };
}

/** The kind of a list of accounts that is for the transfer hook of the mint. */
const TRANSFER_HOOK = 0;

/** Writes how many accounts follow for the transfer hook of the mint, of which there may be none. */
export function writeHookLists(to: ByteWriter, hookAccounts: readonly AccountMeta[]): ByteWriter {
  if (hookAccounts.length === 0) return to.u8(0);
  return to.u8(1).u32(1).u8(TRANSFER_HOOK).u8(hookAccounts.length);
}

/** Encodes the argument of an instruction that has no other. */
export function encodeHookLists(hookAccounts: readonly AccountMeta[]): Uint8Array {
  return writeHookLists(new ByteWriter(7), hookAccounts).finish();
}
