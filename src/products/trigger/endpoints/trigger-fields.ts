import { type Address, parseAddress } from '../../../solana/address.ts';
import { U64_MAX } from '../../../solana/units.ts';
import { refuseField } from './trigger-errors.ts';

const DIGITS = /^[0-9]{1,20}$/;

/** Reads a field that is an address. */
export function readAddressField(text: string, field: string): Address {
  return parseAddress(text) ?? refuseField(field, 'Invalid input: expected 32 bytes in base58');
}

/** Reads a field that is an amount of atoms from 1 to 2^64 - 1. */
export function readAmountField(text: string, field: string): bigint {
  const amount = DIGITS.test(text) ? BigInt(text) : 0n;
  if (amount >= 1n && amount <= U64_MAX) return amount;
  return refuseField(field, `Invalid input: expected a whole number from 1 to ${U64_MAX} as text`);
}

/** Encodes a transaction for a client. */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** Returns a function for `repeatKey`: requests with the same text in a field are repeats of one request. */
export function createFieldKey(field: string): (body: unknown) => string | null {
  return (body) => {
    if (typeof body !== 'object' || body === null) return null;
    const text = (body as Readonly<Record<string, unknown>>)[field];
    return typeof text === 'string' ? text : null;
  };
}
