import type { Protocol } from '../../protocol/protocol.ts';
import { ANCHOR_FIRST_ERROR } from '../../protocol/venue/venue.ts';
import { DCA_PROGRAM } from './dca-program.ts';
import { DCA_ERRORS } from './errors.ts';
import { jupiterDcaGenesis } from './genesis.ts';
import { DCA_INTERFACE } from './interface.ts';
import { DCA_INSTRUCTIONS } from './dca-decoding.ts';
import { DCA_ACCOUNTS } from './dca-account-types.ts';

/** The program of orders that trade in equal parts over time. `jupiter-orders` shows them in portfolios. */
export const jupiterDcaProtocol: Protocol = {
  name: 'jupiter-dca',
  programs: [{ name: 'dca', address: DCA_PROGRAM, loadsAfterAggregator: true, interface: DCA_INTERFACE }],
  genesis: jupiterDcaGenesis,
  errors: [{ program: DCA_PROGRAM, names: DCA_ERRORS, firstCode: ANCHOR_FIRST_ERROR }],
  instructions: [DCA_INSTRUCTIONS],
  accounts: [DCA_ACCOUNTS],
};
