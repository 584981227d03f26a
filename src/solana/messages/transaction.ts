import { compactU16Size, readCompactU16, writeCompactU16 } from '../encoding/compact-u16.ts';
import { type Keypair, signWith } from '../keypair.ts';
import { type Message, parseMessage } from './message.ts';
import { SIGNATURE_BYTES, type Signature, signatureFromBytes, verifySignature } from './signature.ts';

/** What fits into one packet of the network. */
export const MAX_TRANSACTION_BYTES = 1232;

/** The signatures of a transaction, or the size of it, are wrong. */
export class TransactionInvalid extends Error {
  override readonly name = 'TransactionInvalid';
}

/** A parsed transaction; byte arrays in it are views of what it was parsed from. */
export interface Transaction {
  /** One of 64 bytes for each signer, in the order of the static accounts; all zeros where one has not signed yet. */
  readonly signatures: readonly Uint8Array[];
  readonly messageBytes: Uint8Array;
  readonly message: Message;
}

/**
 * Parses a transaction's wire form. Throws `TransactionInvalid` or `MessageInvalid` with a sentence that says what is
 * wrong; signatures are not verified.
 */
export function parseTransaction(wire: Uint8Array): Transaction {
  checkSize(wire.length);
  const count = readCompactU16(wire, 0);
  if (count === null) throw new TransactionInvalid('the number of signatures is not a compact u16');
  const messageAt = count.end + count.value * SIGNATURE_BYTES;
  if (messageAt > wire.length) {
    throw new TransactionInvalid(`${count.value} signatures do not fit into ${wire.length} bytes`);
  }
  const messageBytes = wire.subarray(messageAt);
  const message = parseMessage(messageBytes);
  if (count.value !== message.signers) {
    throw new TransactionInvalid(
      `the message needs ${message.signers} signatures, but there are ${count.value}`,
    );
  }
  const signatures: Uint8Array[] = [];
  for (let from = count.end; from < messageAt; from += SIGNATURE_BYTES) {
    signatures.push(wire.subarray(from, from + SIGNATURE_BYTES));
  }
  return { signatures, messageBytes, message };
}

/** Length of the wire form with a message of `messageBytes` bytes and so many signers. */
export function transactionSize(messageBytes: number, signers: number): number {
  return compactU16Size(signers) + signers * SIGNATURE_BYTES + messageBytes;
}

/** The wire form; null stands for a signature still to come. Throws `TransactionInvalid` above 1,232 bytes. */
export function encodeTransaction(
  signatures: readonly (Uint8Array | null)[],
  messageBytes: Uint8Array,
): Uint8Array {
  const size = transactionSize(messageBytes.length, signatures.length);
  checkSize(size);
  const wire = new Uint8Array(size);
  let at = writeCompactU16(wire, 0, signatures.length);
  for (const signature of signatures) {
    if (signature !== null && signature.length !== SIGNATURE_BYTES) {
      throw new TransactionInvalid(`a signature has ${SIGNATURE_BYTES} bytes, got ${signature.length}`);
    }
    if (signature !== null) wire.set(signature, at);
    at += SIGNATURE_BYTES;
  }
  wire.set(messageBytes, at);
  return wire;
}

/** The wire form with the signatures of `keypairs`, and none where the message has another signer. */
export function signTransaction(messageBytes: Uint8Array, keypairs: readonly Keypair[]): Uint8Array {
  const message = parseMessage(messageBytes);
  const none: null[] = new Array(message.signers).fill(null);
  return encodeTransaction(
    withSignatures({ signatures: none, messageBytes, message }, keypairs),
    messageBytes,
  );
}

/** The wire form with the signatures of `keypairs` added to those that are there. */
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
    if (index < 0) throw new TransactionInvalid(`${keypair.address} does not sign this transaction`);
    signed[index] = signWith(keypair, messageBytes);
  }
  return signed;
}

/** Whether signer `index` has signed, and for this message. */
export function isSignedBy({ signatures, messageBytes, message }: Transaction, index: number): boolean {
  const signature = signatures[index];
  const address = message.staticAccounts[index];
  return (
    signature !== undefined && address !== undefined && verifySignature(address, messageBytes, signature)
  );
}

/** Whether every signer has. */
export function isFullySigned(transaction: Transaction): boolean {
  return transaction.signatures.every((_, index) => isSignedBy(transaction, index));
}

/** The fee payer's signature, by which the network knows the transaction; throws `TransactionInvalid` without one. */
export function transactionSignature({ signatures }: Transaction): Signature {
  const first = signatures[0];
  if (first === undefined || first.every((byte) => byte === 0)) {
    throw new TransactionInvalid('the fee payer has not signed this transaction');
  }
  return signatureFromBytes(first);
}

function checkSize(size: number): void {
  if (size > MAX_TRANSACTION_BYTES) {
    throw new TransactionInvalid(
      `a transaction takes at most ${MAX_TRANSACTION_BYTES} bytes, this one has ${size}`,
    );
  }
}
