import type { MakerBid } from '../engines/maker-bid.ts';
import type { GivenOrder } from './given-order.ts';
import { formatLedgerText } from './ledger-cells.ts';
import type { LedgerCells } from './ledger-columns.ts';

/** Who was better for the taker: pools alone, a maker that streams, or one that is asked by webhook. */
export const ORDER_WINNERS = ['pools', 'stream', 'webhook'] as const;
export type OrderWinner = (typeof ORDER_WINNERS)[number];

/** Hundredths of a basis point in the whole. */
const WHOLE = 1_000_000;

type ComparedOrder = Pick<GivenOrder, 'request' | 'quote'>;

/**
 * Computes how much better for the taker an order is than what a maker would have paid, both before the platform fee.
 * Returns hundredths of a basis point of the order, at least 1 if it is better; 0 if the price of the maker was not worse, so
 * that the costs of the network decided; null if it is not known what the maker would have paid.
 */
export function computeDistance(order: ComparedOrder, bid: MakerBid): number | null {
  const isExactOut = order.request.swapMode === 'ExactOut';
  const own = isExactOut ? bid.quoted?.inAmount : (bid.quoted?.outAmount ?? bid.estimatedOut);
  if (own === undefined || own === null) return null;
  const best = isExactOut ? computeWholeInput(order) : computeWholeOutput(order);
  const worse = isExactOut ? Number(own) - best : best - Number(own);
  const distance = (worse * WHOLE) / best;
  if (!Number.isFinite(distance)) return null;
  return distance <= 0 ? 0 : Math.min(Math.max(Math.round(distance), 1), WHOLE);
}

/** Returns who won an order. */
export function findOrderWinner({ makerId, router }: Pick<GivenOrder, 'makerId' | 'router'>): OrderWinner {
  if (makerId === null) return 'pools';
  return router === 'jupiterz' ? 'webhook' : 'stream';
}

/** Returns what the swap would pay without a platform fee, which may also be taken from the input. */
function computeWholeOutput({ request, quote }: ComparedOrder): number {
  const { mint, platformAmount } = quote.fees;
  const out = Number(quote.outAmount);
  if (platformAmount === 0n) return out;
  if (mint !== request.inputMint) return out + Number(platformAmount);
  return (out * Number(request.amount)) / Number(request.amount - platformAmount);
}

/** Returns what the winner takes for an exact output. */
function computeWholeInput({ request, quote }: ComparedOrder): number {
  const { mint, platformAmount } = quote.fees;
  const paid = Number(quote.inAmount ?? request.amount);
  return mint === request.inputMint ? paid - Number(platformAmount) : paid;
}

/** Returns why a bid lost; of one that lost by its price, also by how much, and to whom. */
export function toLossCells(order: GivenOrder, bid: MakerBid): LedgerCells {
  const lost = bid.lost ?? 'price';
  const detail = formatLedgerText(bid.detail);
  if (lost !== 'price') return { lost, detail };
  return { lost, detail, behind: computeDistance(order, bid), lost_to: findOrderWinner(order) };
}
