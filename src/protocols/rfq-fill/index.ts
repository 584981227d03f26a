import type { Protocol } from '../../protocol/protocol.ts';
import { RFQ_FILL_PROGRAM } from './fill-step.ts';
import { RFQ_FILL_INTERFACE } from './interface.ts';
import { RFQ_FILL_INSTRUCTIONS } from './rfq-fill-decoding.ts';

/** The program that settles the order books of makers, as a step of a route. */
export const rfqFillProtocol: Protocol = {
  name: 'rfq-fill',
  programs: [
    {
      name: 'rfq-fill',
      address: RFQ_FILL_PROGRAM,
      loadsAfterAggregator: true,
      interface: RFQ_FILL_INTERFACE,
    },
  ],
  instructions: [RFQ_FILL_INSTRUCTIONS],
};
