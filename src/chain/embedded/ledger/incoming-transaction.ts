import { hash } from 'node:crypto';
import type { Address } from '../../../solana/address.ts';
import { isWritableIndex, type Message, parseMessage } from '../../../solana/messages/message.ts';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import { encodeSignature } from '../../../solana/messages/signature.ts';
import { isAdvanceNonce } from '../../../solana/programs/system.ts';
import { readSentTransaction } from '../../../solana/messages/transaction.ts';
import { computeMessageFee, type MessageFee } from '../../../solana/programs/message-fee.ts';
import { TransactionInvalid } from '../../../solana/messages/transaction-invalid.ts';

/** A parsed message, and what can be derived from it alone. */
export interface IncomingMessage {
  readonly message: Message;
  readonly fee: MessageFee;
  /** The nonce account that the first instruction advances. The blockhash may then be its nonce. */
  readonly nonceAccount: Address | null;
}

/** A submitted transaction, parsed and checked, so that LiteSVM can process its bytes. */
export interface IncomingTransaction extends IncomingMessage {
  readonly wire: Uint8Array;
  /** The message's hash, as 32 one-byte characters. Transactions with the same message count as one. */
  readonly messageHash: string;
  /** The first signature, in base58. */
  readonly signature: string;
  readonly feePayer: Address;
}

/**
 * Parses a transaction. Like validators, it ignores bytes after it. The result contains views of `bytes`, so the caller must
 * not write to it afterwards.
 *
 * @throws TransactionInvalid unless the bytes begin with a legacy or version 0 transaction.
 */
export function parseIncoming(bytes: Uint8Array): IncomingTransaction {
  const { wire, transaction } = readSentTransaction(bytes);
  const { signatures, messageBytes, message } = transaction;
  const [signature] = signatures;
  const [feePayer] = message.staticAccounts;
  if (signature === undefined || feePayer === undefined) {
    throw new TransactionInvalid('the transaction has no fee payer');
  }
  const { fee, nonceAccount } = incomingMessage(message);
  return {
    message,
    fee,
    nonceAccount,
    wire,
    messageHash: hashMessage(messageBytes),
    signature: encodeSignature(signature),
    feePayer,
  };
}

/**
 * Parses a message. Like validators, it ignores bytes after the message: clients that price a version 0 message send
 * it without its version byte.
 *
 * @throws TransactionInvalid unless the bytes begin with a legacy or version 0 message.
 */
export function parseIncomingMessage(bytes: Uint8Array): IncomingMessage {
  return incomingMessage(parseMessage(bytes, { allowsMore: true }));
}

function incomingMessage(message: Message): IncomingMessage {
  return { message, fee: computeMessageFee(message), nonceAccount: findNonceAccount(message) };
}

/** Returns the SHA-256 hash as 32 one-byte characters, the shortest text. */
export function hashMessage(messageBytes: Uint8Array): string {
  return hash('sha256', messageBytes, 'binary');
}

/** Whether `authority` signs the first instruction, as it must to advance its nonce. */
export function signsFirstInstruction({ message }: IncomingMessage, authority: Address): boolean {
  const accounts = message.instructions[0]?.accounts ?? new Uint8Array(0);
  return accounts.some((index) => index < message.signers && message.staticAccounts[index] === authority);
}

/** Returns the nonce account by the runtime's rule: the first instruction advances a writable static account. */
function findNonceAccount(message: Message): Address | null {
  const first = message.instructions[0];
  if (first === undefined || message.staticAccounts[first.programIndex] !== SYSTEM_PROGRAM) return null;
  const index = first.accounts[0];
  if (index === undefined || !isAdvanceNonce(first.data) || !isWritableIndex(message, index)) return null;
  return message.staticAccounts[index] ?? null;
}
