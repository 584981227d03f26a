import type { ExchangeBooks } from '../../../exchange/running/exchange-books.ts';
import type { ExchangeTrade, KnownExchangeOrder } from '../../../exchange/exchange-order.ts';
import type { Chain } from '../../../chain/chain.ts';
import { decodePredictionOrder } from '../../../protocols/jupiter-prediction/prediction-accounts.ts';
import { PREDICTION_PROGRAM } from '../../../protocols/jupiter-prediction/prediction-program.ts';
import type { Address } from '../../../solana/address.ts';
import { listSides } from './trade-work.ts';

/** How far the chain has filled an order. */
export interface ReadFill {
  /** Micro-contracts that were asked for. */
  readonly contracts: bigint;
  readonly filled: bigint;
}

/** Reads how far orders are filled. Null for an order that does not exist. */
export interface FillReader {
  readonly readFills: (orders: readonly Address[]) => Promise<readonly (ReadFill | null)[]>;
}

/** What the chain says of a trade. */
export type TradeVerdict =
  | { readonly kind: 'landed' }
  /** Its orders are filled as far as before it, so that it can still be settled. */
  | { readonly kind: 'open' }
  /** An order was closed, or filled by somebody else. */
  | { readonly kind: 'lost'; readonly order: Address };

/** Creates what reads orders as they are in confirmed blocks. */
export function createFillReader(chain: Pick<Chain, 'getAccounts'>): FillReader {
  return {
    readFills: async (orders) => {
      const read = await chain.getAccounts(orders, 'confirmed');
      return read.map(({ account }) => {
        const order = account?.owner === PREDICTION_PROGRAM ? decodePredictionOrder(account.data) : null;
        return order === null ? null : { contracts: order.contracts, filled: order.filledContracts };
      });
    },
  };
}

/**
 * Computes how far an order is filled on the chain if the exchange is right.
 *
 * @param asked - Micro-contracts that the order asked for.
 */
export function computeBelieved(asked: bigint, { order, confirmed }: KnownExchangeOrder): bigint {
  return asked - order.contracts + confirmed;
}

/**
 * Finds out whether a trade has landed. All its fills land together, so that one order that is filled by more than before it
 * tells, and so does one that is not.
 *
 * @throws ChainUnavailable when the network does not answer
 */
export async function findTradeVerdict(
  books: Pick<ExchangeBooks, 'findOrder'>,
  { readFills }: FillReader,
  trade: ExchangeTrade,
): Promise<TradeVerdict> {
  const addresses = listSides(trade).map(({ order }) => order);
  const read = await readFills(addresses);
  let lost: Address | null = null;
  for (const [index, address] of addresses.entries()) {
    const fill = read[index] ?? null;
    const known = books.findOrder(address);
    if (fill === null || known === null) {
      lost ??= address;
      continue;
    }
    const before = computeBelieved(fill.contracts, known);
    if (fill.filled >= before + trade.contracts) return { kind: 'landed' };
    if (fill.filled !== before) lost ??= address;
  }
  return lost === null ? { kind: 'open' } : { kind: 'lost', order: lost };
}
