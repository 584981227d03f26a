import { NATIVE_SYMBOL } from '../../../solana/known-tokens.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import type { DecodedUnit } from './decoded-transaction.ts';

/** The unit of lamports. Wrapped SOL has the same decimals, and its mint stands for both. */
export const SOL_UNIT: DecodedUnit = { mint: WRAPPED_SOL_MINT, symbol: NATIVE_SYMBOL, decimals: 9 };
