import type { Address } from '../../solana/address.ts';
import type { CompiledInstruction, Message } from '../../solana/messages/message.ts';
import { ASSOCIATED_TOKEN_PROGRAM, isTokenProgram } from '../../solana/program-addresses.ts';
import { isCreateIdempotent } from '../../solana/programs/associated-token.ts';
import { isCloseAccount } from '../../solana/programs/token/instructions.ts';

export const FEE_PAYER_INDEX = 0;

/** Lamports. No token account needs more rent, whatever extensions its mint requires. */
export const MAX_TOKEN_ACCOUNT_RENT = 4_000_000n;

/** Indexes of the accounts in an instruction that creates an associated token account. */
export const FUNDER_PLACE = 0;
export const CREATED_PLACE = 1;
const OWNER_PLACE = 2;
const TOKEN_PROGRAM_PLACE = 5;

/** Indexes of the accounts in an instruction that closes a token account. */
export const CLOSED_PLACE = 0;
export const CLOSE_DESTINATION_PLACE = 1;

/** An instruction that creates an associated token account unless it exists. */
export interface TokenAccountCreation {
  /** Whether the fee payer of the transaction pays the rent. */
  readonly isFundedByFeePayer: boolean;
  /** Undefined for an account that the message looks up. */
  readonly account: Address | undefined;
  /** Undefined for an account that the message looks up. */
  readonly owner: Address | undefined;
  /** Undefined for a program that the message looks up. */
  readonly tokenProgram: Address | undefined;
}

/** Returns the program that the instruction calls, or undefined if the message looks it up. */
export function findProgram(message: Message, { programIndex }: CompiledInstruction): Address | undefined {
  return message.staticAccounts[programIndex];
}

/** Returns the account at one place of the instruction, or undefined if the message looks it up. */
export function findAccountAt(
  message: Message,
  { accounts }: CompiledInstruction,
  place: number,
): Address | undefined {
  const index = accounts[place];
  return index === undefined ? undefined : message.staticAccounts[index];
}

/** Returns null unless the instruction creates an associated token account idempotently. */
export function parseTokenAccountCreation(
  message: Message,
  instruction: CompiledInstruction,
): TokenAccountCreation | null {
  if (findProgram(message, instruction) !== ASSOCIATED_TOKEN_PROGRAM) return null;
  if (!isCreateIdempotent(instruction.data)) return null;
  return {
    isFundedByFeePayer: instruction.accounts[FUNDER_PLACE] === FEE_PAYER_INDEX,
    account: findAccountAt(message, instruction, CREATED_PLACE),
    owner: findAccountAt(message, instruction, OWNER_PLACE),
    tokenProgram: findAccountAt(message, instruction, TOKEN_PROGRAM_PLACE),
  };
}

/** Whether the instruction closes a token account, whose lamports go to the account at `CLOSE_DESTINATION_PLACE`. */
export function isClosing(message: Message, instruction: CompiledInstruction): boolean {
  const program = findProgram(message, instruction);
  return program !== undefined && isTokenProgram(program) && isCloseAccount(instruction.data);
}

/** Whether the only account of the fee payer that the instruction names stands at this place. */
export function namesFeePayerOnlyAt({ accounts }: CompiledInstruction, place: number): boolean {
  return accounts.indexOf(FEE_PAYER_INDEX) === place && accounts.lastIndexOf(FEE_PAYER_INDEX) === place;
}
