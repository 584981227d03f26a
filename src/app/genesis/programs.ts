import type { StandIn } from '../../genesis/stand-in.ts';
import { AGGREGATOR_PROGRAM } from '../../market/aggregator/program.ts';
import type { Venue } from '../../market/venue.ts';
import { RFQ_FILL_PROGRAM } from '../../rfq/liquidity/fill-step.ts';

/** @returns the programs of a genesis with these venues, besides those that every Solana network has */
export function standInsOf(venues: readonly Venue[]): readonly StandIn[] {
  return [
    ...venues.flatMap(({ genesis }) => genesis?.programs ?? []),
    { name: 'aggregator', address: AGGREGATOR_PROGRAM },
    { name: 'rfq-fill', address: RFQ_FILL_PROGRAM },
  ];
}
