import { encodeBase58 } from '../base/base58.ts';

const SIGNATURE_BYTES = 64;
const ADDRESS_BYTES = 32;
/** More do not fit into a packet. */
const MAX_TRANSACTION_BYTES = 1_232;
const VERSIONED = 0x80;

/** A transaction as it is sent, taken apart as far as is needed to sign it. */
export interface WireTransaction {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where the first signature begins. */
  readonly signaturesOffset: number;
  /** What is signed. */
  readonly message: Uint8Array<ArrayBuffer>;
  /** The addresses that have to sign, in the order of the signatures. */
  readonly signers: readonly string[];
}

/**
 * Parses a transaction as it is sent: the signatures, then the message. It may be signed already, in part or in whole.
 *
 * @throws Error if the bytes are no transaction; the message says why
 */
export function parseWireTransaction(bytes: Uint8Array<ArrayBuffer>): WireTransaction {
  if (bytes.length > MAX_TRANSACTION_BYTES)
    throw new Error(`A transaction has at most 1,232 bytes; this one has ${bytes.length}.`);
  const reader = new Reader(bytes);
  const signatureCount = reader.readCompact();
  const signaturesOffset = reader.skip(signatureCount * SIGNATURE_BYTES);
  const message = bytes.slice(reader.offset);
  let signerCount = reader.readByte();
  if ((signerCount & VERSIONED) !== 0) {
    const version = signerCount & ~VERSIONED;
    if (version !== 0)
      throw new Error(`The transaction has version ${version}; only 0 and legacy are known.`);
    signerCount = reader.readByte();
  }
  if (signerCount === 0 || signerCount !== signatureCount)
    throw new Error(`The message needs ${signerCount} signatures, and there is room for ${signatureCount}.`);
  reader.skip(2);
  const accountCount = reader.readCompact();
  if (accountCount < signerCount) throw new Error('The message has fewer accounts than signers.');
  const signers = Array.from({ length: signerCount }, () => {
    const start = reader.skip(ADDRESS_BYTES);
    return encodeBase58(bytes.subarray(start, start + ADDRESS_BYTES));
  });
  return { bytes, signaturesOffset, message, signers };
}

/**
 * Puts the signature of a signer at its place.
 *
 * @returns A new transaction; all other bytes are the same.
 * @throws Error if the address is no signer of the transaction
 */
export function insertSignature(
  transaction: WireTransaction,
  address: string,
  signature: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const index = transaction.signers.indexOf(address);
  if (index < 0) throw new Error(`The transaction needs no signature of ${address}.`);
  if (signature.length !== SIGNATURE_BYTES) throw new Error('A signature has 64 bytes.');
  const signed = transaction.bytes.slice();
  signed.set(signature, transaction.signaturesOffset + index * SIGNATURE_BYTES);
  return signed;
}

/** Reads bytes one after another, and never behind the end. */
class Reader {
  readonly #bytes: Uint8Array;
  offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  readByte(): number {
    return this.#bytes[this.skip(1)] ?? 0;
  }

  /** Reads a number of one to three bytes, of which each but the last has its highest bit set. */
  readCompact(): number {
    let value = 0;
    for (let shift = 0; shift < 21; shift += 7) {
      const byte = this.readByte();
      value |= (byte & 0x7f) << shift;
      if ((byte & 0x80) === 0) return value;
    }
    throw new Error('The transaction has a number that is too large.');
  }

  /** Skips bytes, and returns where they begin. */
  skip(length: number): number {
    const start = this.offset;
    if (start + length > this.#bytes.length) throw new Error('The transaction ends too early.');
    this.offset = start + length;
    return start;
  }
}
