import { formatDecimalAmount } from '../../../solana/codec/decimal-amount.ts';
import { NATIVE_SYMBOL } from '../../../solana/known-tokens.ts';

const LAMPORT_DECIMALS = 9;

/** Formats lamports, as in `0.1 SOL`. */
export function formatSol(lamports: bigint): string {
  return `${formatDecimalAmount(lamports, LAMPORT_DECIMALS)} ${NATIVE_SYMBOL}`;
}
