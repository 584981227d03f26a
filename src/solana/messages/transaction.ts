import { computeCompactU16Size, readCompactU16, writeCompactU16 } from '../encoding/compact-u16.ts';
import { type Keypair, signWith } from '../keypair.ts';
import { measureMessage, type Message, parseMessage } from './message.ts';
import {
  SIGNATURE_BYTES,
  type Signature,
  encodeSignature,
  verifySignature,
  verifySignatureInPool,
} from './signature.ts';
import { TransactionInvalid } from './transaction-invalid.ts';

/** The size of one network packet, which a transaction has to fit into. */
export const MAX_TRANSACTION_BYTES = 1232;

/** A parsed transaction. Its byte arrays are views of the bytes it was parsed from. */
export interface Transaction {
  /** 64 bytes for each signer, in the order of the static accounts; all zeros for a signer that has not signed yet. */
  readonly signatures: readonly Uint8Array[];
  readonly messageBytes: Uint8Array;
  readonly message: Message;
}

/**
 * Parses a transaction in its wire form. Signatures are not verified.
 *
 * @param wire - Untrusted bytes.
 * @throws TransactionInvalid when the size or the number of signatures is wrong, or the message is invalid.
 *
 * @example
 * ```ts
 * import { isFullySigned, parseTransaction, getTransactionSignature } from './transaction.ts';
 *
 * function signatureOf(base64: string) {
 *   const transaction = parseTransaction(Buffer.from(base64, 'base64'));
 *   return isFullySigned(transaction) ? getTransactionSignature(transaction) : null;
 * }
 * ```
 */
export function parseTransaction(wire: Uint8Array): Transaction {
  return parseWith(wire, (messageBytes) => ({
    message: parseMessage(messageBytes),
    length: messageBytes.length,
  })).transaction;
}

/** A transaction that somebody has sent, and its bytes without those that follow it. */
export interface SentTransaction {
  readonly wire: Uint8Array;
  readonly transaction: Transaction;
}

/**
 * Parses a transaction that somebody sends. Like nodes, it ignores bytes after the transaction, but counts them towards
 * the maximum size. Signatures are not verified.
 *
 * @param sent - Untrusted bytes.
 * @throws TransactionInvalid when the size or the number of signatures is wrong, or the message is invalid.
 */
export function readSentTransaction(sent: Uint8Array): SentTransaction {
  return parseWith(sent, measureMessage);
}

function parseWith(
  wire: Uint8Array,
  parse: (bytes: Uint8Array) => { readonly message: Message; readonly length: number },
): SentTransaction {
  checkTransactionSize(wire.length);
  const count = readCompactU16(wire, 0);
  if (count === null)
    throw new TransactionInvalid('the number of signatures is not a compact u16', 'envelope');
  const messageAt = count.end + count.value * SIGNATURE_BYTES;
  if (messageAt > wire.length) {
    throw new TransactionInvalid(
      `${count.value} signatures do not fit into ${wire.length} bytes`,
      'envelope',
    );
  }
  const { message, length } = parse(wire.subarray(messageAt));
  const end = messageAt + length;
  if (count.value !== message.signers) {
    throw new TransactionInvalid(
      `the message needs ${message.signers} signatures, but there are ${count.value}`,
      'envelope',
    );
  }
  const signatures: Uint8Array[] = [];
  for (let from = count.end; from < messageAt; from += SIGNATURE_BYTES) {
    signatures.push(wire.subarray(from, from + SIGNATURE_BYTES));
  }
  const transaction = { signatures, messageBytes: wire.subarray(messageAt, end), message };
  return { wire: end === wire.length ? wire : wire.slice(0, end), transaction };
}

/**
 * Computes the size of a transaction in bytes.
 *
 * @param messageBytes - The length of its message in bytes.
 */
export function computeTransactionSize(messageBytes: number, signers: number): number {
  return computeCompactU16Size(signers) + signers * SIGNATURE_BYTES + messageBytes;
}

/**
 * Encodes a transaction in its wire form.
 *
 * @param signatures - One for each signer, with null for a signature that is still missing.
 * @throws TransactionInvalid when the transaction has more than 1,232 bytes, or a signature does not have 64.
 */
export function encodeTransaction(
  signatures: readonly (Uint8Array | null)[],
  messageBytes: Uint8Array,
): Uint8Array {
  const size = computeTransactionSize(messageBytes.length, signatures.length);
  checkTransactionSize(size);
  const wire = new Uint8Array(size);
  let at = writeCompactU16(wire, 0, signatures.length);
  for (const signature of signatures) {
    if (signature !== null && signature.length !== SIGNATURE_BYTES) {
      throw new TransactionInvalid(
        `a signature has ${SIGNATURE_BYTES} bytes, got ${signature.length}`,
        'envelope',
      );
    }
    if (signature !== null) wire.set(signature, at);
    at += SIGNATURE_BYTES;
  }
  wire.set(messageBytes, at);
  return wire;
}

/**
 * Signs a message and encodes the transaction in its wire form. The signatures of other signers stay empty.
 *
 * @throws TransactionInvalid when a key is not a signer of the message, or the transaction has more than 1,232 bytes.
 *
 * @example
 * ```ts
 * import { createKeypairFromSeed } from '../keypair.ts';
 * import { transferLamports } from '../programs/system.ts';
 * import { compileMessage } from './compile-message.ts';
 * import { signTransaction } from './transaction.ts';
 *
 * const from = createKeypairFromSeed(new Uint8Array(32).fill(1));
 * const to = createKeypairFromSeed(new Uint8Array(32).fill(2)).address;
 * const message = compileMessage({
 *   feePayer: from.address,
 *   blockhash: new Uint8Array(32),
 *   instructions: [transferLamports(from.address, to, 1_000_000n)],
 * });
 * const wire = signTransaction(message, [from]);
 * ```
 */
export function signTransaction(messageBytes: Uint8Array, keypairs: readonly Keypair[]): Uint8Array {
  const message = parseMessage(messageBytes);
  const none: null[] = new Array(message.signers).fill(null);
  return encodeTransaction(
    withSignatures({ signatures: none, messageBytes, message }, keypairs),
    messageBytes,
  );
}

/** Returns the number of signers of a message, including its fee payer. */
export function readSignerCount(messageBytes: Uint8Array): number {
  // A legacy message begins with the number of its signers. In a versioned message, the version comes first.
  const [first = 0, second = 0] = messageBytes;
  return first >= 0x80 ? second : first;
}

/**
 * Encodes a transaction without any signatures, in its wire form.
 *
 * @throws TransactionInvalid when the message is too large for a transaction.
 */
export function encodeUnsigned(messageBytes: Uint8Array): Uint8Array {
  return encodeTransaction(new Array<null>(readSignerCount(messageBytes)).fill(null), messageBytes);
}

/**
 * Adds signatures to a transaction and returns its wire form.
 *
 * @throws TransactionInvalid when a key is not a signer of the message.
 */
export function addSignatures(transaction: Transaction, keypairs: readonly Keypair[]): Uint8Array {
  return encodeTransaction(withSignatures(transaction, keypairs), transaction.messageBytes);
}

interface PartlySigned {
  readonly signatures: readonly (Uint8Array | null)[];
  readonly messageBytes: Uint8Array;
  readonly message: Message;
}

function withSignatures({ signatures, messageBytes, message }: PartlySigned, keypairs: readonly Keypair[]) {
  const signers = message.staticAccounts.slice(0, message.signers);
  const signed = [...signatures];
  for (const keypair of keypairs) {
    const index = signers.indexOf(keypair.address);
    if (index < 0)
      throw new TransactionInvalid(`${keypair.address} does not sign this transaction`, 'envelope');
    signed[index] = signWith(keypair, messageBytes);
  }
  return signed;
}

/** Whether there is a valid signature of signer `index`. */
export function isSignedBy({ signatures, messageBytes, message }: Transaction, index: number): boolean {
  const signature = signatures[index];
  const address = message.staticAccounts[index];
  return (
    signature !== undefined && address !== undefined && verifySignature(address, messageBytes, signature)
  );
}

/** Whether every signer has signed, with a valid signature. */
export function isFullySigned(transaction: Transaction): boolean {
  return transaction.signatures.every((_, index) => isSignedBy(transaction, index));
}

/** Like `isFullySigned`, but verifies in Node's thread pool. */
export async function isFullySignedInPool({
  signatures,
  messageBytes,
  message,
}: Transaction): Promise<boolean> {
  const verified = signatures.map((signature, index) => {
    const address = message.staticAccounts[index];
    return address !== undefined && verifySignatureInPool(address, messageBytes, signature);
  });
  return (await Promise.all(verified)).every(Boolean);
}

/**
 * Returns the fee payer's signature, which identifies the transaction on the network.
 *
 * @throws TransactionInvalid when the fee payer has not signed.
 */
export function getTransactionSignature({ signatures }: Transaction): Signature {
  const first = signatures[0];
  if (first === undefined || first.every((byte) => byte === 0)) {
    throw new TransactionInvalid('the fee payer has not signed this transaction', 'envelope');
  }
  return encodeSignature(first);
}

/** @throws TransactionInvalid when a transaction of `size` bytes does not fit into one packet. */
export function checkTransactionSize(size: number): void {
  if (size > MAX_TRANSACTION_BYTES) {
    throw new TransactionInvalid(
      `a transaction takes at most ${MAX_TRANSACTION_BYTES} bytes, this one has ${size}`,
      'envelope',
    );
  }
}
