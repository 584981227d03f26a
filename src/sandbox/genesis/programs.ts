import type { ProtocolProgram, StandIn } from '../../protocol/genesis/stand-in.ts';
import type { Protocol } from '../../protocol/protocol.ts';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import { ORDER_ENGINE_PROGRAM } from '../../protocols/order-engine/fill-instruction.ts';
import { LIGHTHOUSE_PROGRAM } from '../../rfq/webhooks/similar-fill.ts';
import { RFQ_FILL_PROGRAM } from '../../protocols/rfq-fill/fill-step.ts';

/** The programs that are not part of a protocol. */
const OTHER_PROGRAMS: readonly StandIn[] = [
  { name: 'aggregator', address: AGGREGATOR_PROGRAM },
  { name: 'rfq-fill', address: RFQ_FILL_PROGRAM },
  { name: 'order-engine', address: ORDER_ENGINE_PROGRAM },
  { name: 'lighthouse', address: LIGHTHOUSE_PROGRAM },
];

/**
 * Returns the programs of a genesis with these protocols, without those that every Solana network has. Searches of the
 * network find the programs in this order.
 */
export function orderStandIns(protocols: readonly Protocol[]): readonly StandIn[] {
  const programs = protocols.flatMap((protocol) => protocol.programs ?? []);
  return [
    ...programs.filter(({ isOutsideRoutes }) => isOutsideRoutes === undefined).map(toStandIn),
    ...OTHER_PROGRAMS,
    ...programs.filter(({ isOutsideRoutes }) => isOutsideRoutes === true).map(toStandIn),
  ];
}

function toStandIn({ name, address }: ProtocolProgram): StandIn {
  return { name, address };
}
