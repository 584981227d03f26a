import { formatUnits } from '../../../base/format-amount.ts';
import { SOL_MINT, USDC_MINT } from '../../../base/mints.ts';

/** The two tokens of the first swap. */
export const SWAP_TOKENS = {
  [SOL_MINT]: { symbol: 'SOL', decimals: 9 },
  [USDC_MINT]: { symbol: 'USDC', decimals: 6 },
} as const satisfies Record<string, { readonly symbol: string; readonly decimals: number }>;

/** Formats an amount of one of the two tokens, with its symbol. */
export function formatSwapAmount(mint: string, raw: bigint | string): string {
  const token = Object.entries(SWAP_TOKENS).find(([each]) => each === mint)?.[1];
  if (token === undefined) return `${raw} of ${mint}`;
  return `${formatUnits(BigInt(raw), token.decimals)} ${token.symbol}`;
}

/** Returns what the page of routes is asked for a swap, whose amounts are in units. */
export function toRoutesSearch(inputMint: keyof typeof SWAP_TOKENS, outputMint: string, raw: bigint) {
  const amount = formatUnits(raw, SWAP_TOKENS[inputMint].decimals).replaceAll('\u202f', '');
  return { from: inputMint, to: outputMint, amount };
}
