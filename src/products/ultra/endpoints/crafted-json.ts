import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import type { UltraServices } from './services.ts';

/** The usual milliseconds of a block, by which the expiry is stated. */
const BLOCK_MS = 400;

/** Returns when a transaction can no longer land, at the usual pace of blocks, as ISO 8601. */
export function computeExpiry(
  { wallets: { chain, timers } }: UltraServices,
  lastValidBlockHeight: bigint,
): string {
  const blocks = Number(lastValidBlockHeight - chain.blockHeight('confirmed'));
  return new Date(timers.now() + Math.max(blocks, 0) * BLOCK_MS).toISOString();
}

/** Returns US dollars; null while SOL has no price. */
export function toDollars({ wallets: { marketData } }: UltraServices, lamports: bigint): number | null {
  const price = marketData.price(WRAPPED_SOL_MINT);
  return price === null ? null : Number(lamports) * price.dollarsPerAtom;
}
