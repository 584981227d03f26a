import type { Account } from '../../../chain/accounts.ts';
import { decodeDcaOrder } from '../../../protocols/jupiter-dca/dca-order.ts';
import { DCA_PROGRAM } from '../../../protocols/jupiter-dca/dca-program.ts';
import { computeDcaInputLeft } from '../../../protocols/jupiter-dca/dca-schedule.ts';
import { decodeLimitOrder, type LimitOrder } from '../../../protocols/jupiter-limit-order/layout.ts';
import { LIMIT_ORDER_PROGRAM } from '../../../protocols/jupiter-limit-order/program.ts';
import type { Address } from '../../../solana/address.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import type { KnownOrder } from '../plan/order-planner.ts';
import type { OrderWait } from '../plan/order-put-off.ts';

/**
 * Where an order is: it waits for its price or its time, for its next attempt after it was put off, for a turn of its wallet, or is
 * worked on.
 */
export type OrderPlace = 'idle' | 'put-off' | 'queued' | 'worked';

/** An open order in the memory of a keeper. */
export interface FollowedOrder {
  known: KnownOrder;
  /** The slot as of which it is known. */
  slot: bigint;
  place: OrderPlace;
  /** Why it was put off last; null if it was not. */
  reason: OrderWait | null;
  /** How often it was put off in a row. */
  times: number;
  /** Local milliseconds since which it could be worked on. */
  readySince: number;
  /** Whether it has changed while it was worked on. */
  hasChanged: boolean;
}

/**
 * Decodes an order of either program. Returns null for any other account of them, and for one that cannot be read, which others
 * do not have to wait for.
 */
export function decodeKnownOrder(address: Address, account: Account, failures: number): KnownOrder | null {
  try {
    if (account.owner === LIMIT_ORDER_PROGRAM) {
      const order = decodeLimitOrder(account.data);
      return { program: 'limit-order', address, order, failures };
    }
    if (account.owner !== DCA_PROGRAM) return null;
    const order = decodeDcaOrder(account.data);
    return { program: 'dca', address, order, failures };
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}

/** Returns the wallet that an order belongs to. */
export function getOrderWallet(known: KnownOrder): Address {
  return known.program === 'limit-order' ? known.order.maker : known.order.user;
}

/**
 * Returns the Unix second from which an order is to be worked on, whatever the prices are: a DCA order when its cycle is due or
 * its input used up, a limit order when it has expired. Null for a limit order without an end.
 */
export function findDueSecond(known: KnownOrder): bigint | null {
  if (known.program === 'limit-order') return known.order.expiredAt;
  return computeDcaInputLeft(known.order) === 0n ? 0n : known.order.nextCycleAt;
}

/** Computes how many atoms of the output an atom of the input has to bring, to rank orders by. */
export function computeWantedRatio({
  making,
  taking,
  slippageBps,
}: Pick<LimitOrder, 'making' | 'taking' | 'slippageBps'>): number {
  return (Number(taking) / Number(making)) * (1 - slippageBps / 10_000);
}
