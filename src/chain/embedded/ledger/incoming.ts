import { hash } from 'node:crypto';
import type { Address } from '../../../solana/address.ts';
import {
  isWritableIndex,
  type Message,
  MessageInvalid,
  parseMessage,
} from '../../../solana/messages/message.ts';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import { signatureFromBytes } from '../../../solana/messages/signature.ts';
import { isAdvanceNonce } from '../../../solana/programs/system.ts';
import { parseTransaction, TransactionInvalid } from '../../../solana/messages/transaction.ts';
import { MalformedTransaction } from './bank.ts';
import { feeOf, type MessageFee } from './fees.ts';

/** What a message says by itself. */
export interface IncomingMessage {
  readonly message: Message;
  readonly fee: MessageFee;
  /** The nonce account that the first instruction advances: the blockhash may then be its nonce. */
  readonly nonceAccount: Address | null;
}

/** A transaction as it came in, taken apart and checked: its bytes can be given to LiteSVM. */
export interface Incoming extends IncomingMessage {
  readonly wire: Uint8Array;
  /** Tells transactions apart: two signatures of one message are one transaction. 32 characters of one byte. */
  readonly messageHash: string;
  /** The first, base58. */
  readonly signature: string;
  readonly feePayer: Address;
}

/**
 * Throws `MalformedTransaction` unless `wire` is exactly one legacy or version 0 transaction. What is returned keeps views
 * of it, so nobody may write to it afterwards.
 */
export function parseIncoming(wire: Uint8Array): Incoming {
  const { signatures, messageBytes, message } = orMalformed(() => parseTransaction(wire));
  const [signature] = signatures;
  const [feePayer] = message.staticAccounts;
  if (signature === undefined || feePayer === undefined) {
    throw new MalformedTransaction('the transaction has no fee payer');
  }
  const { fee, nonceAccount } = incomingMessage(message);
  return {
    message,
    fee,
    nonceAccount,
    wire,
    messageHash: hashOfMessage(messageBytes),
    signature: signatureFromBytes(signature),
    feePayer,
  };
}

/**
 * Throws `MalformedTransaction` unless the bytes begin with a legacy or version 0 message. What comes after is passed
 * over, as validators do: clients leave the version out of a message of version 0 that they want priced.
 */
export function parseIncomingMessage(bytes: Uint8Array): IncomingMessage {
  return incomingMessage(orMalformed(() => parseMessage(bytes, { allowsMore: true })));
}

function incomingMessage(message: Message): IncomingMessage {
  return { message, fee: feeOf(message), nonceAccount: nonceAccountOf(message) };
}

/** SHA-256 in the shortest text: 32 characters of one byte. */
export function hashOfMessage(messageBytes: Uint8Array): string {
  return hash('sha256', messageBytes, 'binary');
}

/** Whether `authority` signs the first instruction, as it must to advance its nonce. */
export function signsFirstInstruction({ message }: IncomingMessage, authority: Address): boolean {
  const accounts = message.instructions[0]?.accounts ?? new Uint8Array(0);
  return accounts.some((index) => index < message.signers && message.staticAccounts[index] === authority);
}

/** As the runtime finds it: the first instruction advances the nonce of a static account that it may write. */
function nonceAccountOf(message: Message): Address | null {
  const first = message.instructions[0];
  if (first === undefined || message.staticAccounts[first.programIndex] !== SYSTEM_PROGRAM) return null;
  const index = first.accounts[0];
  if (index === undefined || !isAdvanceNonce(first.data) || !isWritableIndex(message, index)) return null;
  return message.staticAccounts[index] ?? null;
}

function orMalformed<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (error instanceof MessageInvalid || error instanceof TransactionInvalid) {
      throw new MalformedTransaction(error.message);
    }
    throw error;
  }
}
