import type { StandIn } from '../../protocol/genesis/stand-in.ts';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import type { Venue } from '../../protocol/venue/venue.ts';
import {
  FLASHLOAN_PROGRAM,
  ORACLE_PROGRAM,
  VAULTS_PROGRAM,
} from '../../protocols/jupiter-lend/lending-base/programs.ts';
import { PRICE_FEED_PROGRAM } from '../../solana/programs/price-feed/feed.ts';
import { TOKEN_METADATA_PROGRAM } from '../../solana/programs/token-metadata/program.ts';
import { ORDER_ENGINE_PROGRAM } from '../../rfq/order-engine/fill-instruction.ts';
import { LIGHTHOUSE_PROGRAM } from '../../rfq/order-engine/similar-fill.ts';
import { RFQ_FILL_PROGRAM } from '../../rfq/liquidity/fill-step.ts';

/** The lending programs that no route runs, and the one that keeps the names of tokens. */
const LENDING_PROGRAMS: readonly StandIn[] = [
  { name: 'token-metadata', address: TOKEN_METADATA_PROGRAM },
  { name: 'price-feed', address: PRICE_FEED_PROGRAM },
  { name: 'oracle', address: ORACLE_PROGRAM },
  { name: 'vaults', address: VAULTS_PROGRAM },
  { name: 'flashloan', address: FLASHLOAN_PROGRAM },
];

/** @returns the programs of a genesis with these venues, without those that every Solana network has */
export function standInsOf(venues: readonly Venue[]): readonly StandIn[] {
  return [
    ...venues.flatMap(({ genesis }) => genesis?.programs ?? []),
    { name: 'aggregator', address: AGGREGATOR_PROGRAM },
    { name: 'rfq-fill', address: RFQ_FILL_PROGRAM },
    { name: 'order-engine', address: ORDER_ENGINE_PROGRAM },
    { name: 'lighthouse', address: LIGHTHOUSE_PROGRAM },
    ...LENDING_PROGRAMS,
  ];
}
