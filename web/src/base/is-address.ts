import { decodeBase58 } from './base58.ts';

const BYTES = 32;
const MAX_DIGITS = 44;

/** Whether a text is an address of Solana: 32 bytes in base58. */
export function isAddress(text: string): boolean {
  return text.length <= MAX_DIGITS && decodeBase58(text)?.length === BYTES;
}
