import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { type Message, parseMessage } from '../../solana/messages/message.ts';
import { TransactionInvalid } from '../../solana/messages/transaction-invalid.ts';
import { COMPUTE_BUDGET_PROGRAM } from '../../solana/program-addresses.ts';
import { decodeComputeBudget } from '../../solana/programs/compute-budget.ts';
import { SigningRefused } from './message-to-sign.ts';

/** An instruction as the message has it. */
export interface ReadInstruction {
  readonly program: Address;
  /** Null stands for an account that is looked up in a table, whose address the message does not tell. */
  readonly accounts: readonly (Address | null)[];
  readonly data: Uint8Array;
}

/** A message as it has to be signed, without anything that its bytes do not tell. */
export interface ReadMessage {
  readonly version: Message['version'];
  /** The addresses that sign; the first one pays. */
  readonly writableSigners: readonly Address[];
  readonly readonlySigners: readonly Address[];
  readonly instructions: readonly ReadInstruction[];
}

/** @throws SigningRefused when the bytes are not a message */
export function readMessageToSign(bytes: Uint8Array): ReadMessage {
  const message = refuseInvalid(() => parseMessage(bytes));
  const { staticAccounts, signers, readonlySigners } = message;
  const writable = signers - readonlySigners;
  if (new Set(staticAccounts).size !== staticAccounts.length) refuseToSign('an account is listed twice');
  return {
    version: message.version,
    writableSigners: staticAccounts.slice(0, writable),
    readonlySigners: staticAccounts.slice(writable, signers),
    instructions: message.instructions.map(({ programIndex, accounts, data }) => ({
      program: staticAccounts[programIndex] as Address,
      accounts: Array.from(accounts, (index) => staticAccounts[index] ?? null),
      data,
    })),
  };
}

/**
 * Checks the form that deposits and withdrawals have: a legacy message that the wallet pays for, and that the vault and
 * the co-signer sign without being writable.
 *
 * @throws SigningRefused for any other form
 */
export function checkForm(
  { version, writableSigners, readonlySigners }: ReadMessage,
  wallet: Address,
  own: readonly Address[],
): void {
  if (version !== 'legacy') refuseToSign(`it must be a legacy message, got version ${version}`);
  if (writableSigners.length !== 1 || writableSigners[0] !== wallet) {
    refuseToSign(`the wallet ${wallet} alone must pay, got ${writableSigners.join(', ')}`);
  }
  if (readonlySigners.length !== own.length || !own.every((address) => readonlySigners.includes(address))) {
    refuseToSign(`the other signers must be ${own.join(' and ')}, got ${readonlySigners.join(', ')}`);
  }
}

/** Whether an instruction is exactly the one that is expected, up to the roles, which the header of the message decides. */
export function isSameInstruction(
  { program, accounts, data }: ReadInstruction,
  expected: Instruction,
): boolean {
  return (
    program === expected.programAddress &&
    accounts.length === expected.accounts.length &&
    accounts.every((address, index) => address === expected.accounts[index]?.address) &&
    Buffer.compare(data, expected.data) === 0
  );
}

/** Returns the instruction with one more account at its end. */
export function addLastAccount(instruction: Instruction, address: Address): Instruction {
  return { ...instruction, accounts: [...instruction.accounts, { address, role: 2 }] };
}

/** Whether an instruction sets limits of the transaction, which its payer bears. */
export function isComputeBudget({ program, accounts, data }: ReadInstruction): boolean {
  if (program !== COMPUTE_BUDGET_PROGRAM || accounts.length > 0) return false;
  return refuseInvalid(() => decodeComputeBudget(data)) !== null;
}

/** Runs a decoder. Bytes that it cannot read are not signed. */
export function refuseInvalid<T>(decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof TransactionInvalid || error instanceof LayoutInvalid) refuseToSign(error.message);
    throw error;
  }
}

/** @throws SigningRefused always */
export function refuseToSign(reason: string): never {
  throw new SigningRefused(`the message was not signed: ${reason}`);
}

/** Names an instruction for the reason of a refusal. */
export function describeInstruction(index: number, { program, data }: ReadInstruction): string {
  return `instruction ${index} of ${program} with data ${Buffer.from(data.subarray(0, 16)).toString('hex')}`;
}
