import { type Address, toAddress } from '../../solana/address.ts';
import type { TradeStats } from '../../market-data/stats/trade-stats.ts';

const address = (tag: number): Address => toAddress(new Uint8Array(32).fill(tag));
const DOLLAR = address(2);
/** The token that `takeTrade` trades. */
export const TOKEN = address(1);

/** Counts a trade of the token, whose price becomes the token's. `time` is in Unix seconds. */
export function takeTrade(
  stats: TradeStats,
  { price, dollars, slot, time }: { price: number; dollars: number; slot: bigint; time: number },
): void {
  stats.add({
    pool: address(3),
    venue: 'Raydium CP',
    paid: { mint: DOLLAR, amount: 1n },
    received: { mint: TOKEN, amount: 1n },
    dollars,
    trader: address(4),
    signature: null,
    slot,
    time,
    isRoundTrip: false,
    isSandwich: false,
  });
  stats.setPrice(TOKEN, price, 1_000, { slot, time });
}
