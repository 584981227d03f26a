import type { Address } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import { type AccountMeta, type Instruction, readonly } from '../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import type { DcaOrder } from './dca-order.ts';
import { DCA_EVENT_AUTHORITY, DCA_PROGRAM } from './dca-program.ts';

/** An order with the accounts that instructions of it name. */
export interface NamedDcaOrder
  extends Pick<DcaOrder, 'user' | 'inputMint' | 'outputMint' | 'inAccount' | 'outAccount'> {
  readonly address: Address;
}

/** The programs behind the accounts of an instruction's own. */
export const DCA_PROGRAMS: readonly AccountMeta[] = [
  readonly(SYSTEM_PROGRAM),
  readonly(TOKEN_PROGRAM),
  readonly(ASSOCIATED_TOKEN_PROGRAM),
];

/** The last accounts of the instructions that emit events. */
export const DCA_EVENT_ACCOUNTS: readonly AccountMeta[] = [
  readonly(DCA_EVENT_AUTHORITY.address),
  readonly(DCA_PROGRAM),
];

/** Stands for an optional account that is left out. */
export const DCA_NO_ACCOUNT: AccountMeta = readonly(DCA_PROGRAM);

/** Derives a wallet's account of a mint in the classic token program: the program supports no other. */
export function deriveDcaTokens(owner: Address, mint: Address): Address {
  return deriveAssociatedTokenAddress(owner, mint, TOKEN_PROGRAM);
}

/** Begins the data of the instruction with that discriminator. */
export function startDcaData(tag: string): ByteWriter {
  return new ByteWriter().bytes(Buffer.from(tag, 'hex'));
}

export function createDcaInstruction(accounts: readonly AccountMeta[], data: ByteWriter): Instruction {
  return { programAddress: DCA_PROGRAM, accounts, data: data.finish() };
}
