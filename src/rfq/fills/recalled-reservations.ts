import type { Reservations } from '../books/reservations.ts';
import type { FillTerms } from '../liquidity/fill-terms.ts';
import type { FillRecords } from './fill-records.ts';
import { claimOf } from './fill.ts';

export interface RecallOptions {
  readonly records: Pick<FillRecords, 'unfinished'>;
  readonly reservations: Pick<Reservations, 'recall'>;
  /** @returns the terms of the fill in an order, from the order's text; null if it has none */
  readonly termsOf: (order: string) => FillTerms | null;
  /** Unix seconds by the chain's clock. */
  readonly chainTime: bigint;
}

/** Reserves what another instance, which may have ended, has reserved of a maker that connects to this one. */
export async function recallReservations(makerId: string, options: RecallOptions): Promise<void> {
  const { records, reservations, termsOf, chainTime } = options;
  for (const { swapUuid, order } of await records.unfinished(makerId)) {
    const terms = termsOf(order);
    if (terms === null) continue;
    // The fill may land during the whole of its last second.
    reservations.recall(claimOf(swapUuid, terms), Number(terms.expireAt - chainTime + 1n) * 1_000);
  }
}
