import type { Protocol } from '../../protocol/protocol.ts';
import { ANCHOR_FIRST_ERROR } from '../../protocol/venue/venue.ts';
import { LIMIT_ORDER_ERRORS } from './errors.ts';
import { jupiterLimitOrderGenesis } from './genesis.ts';
import { LIMIT_ORDER_PROGRAM } from './program.ts';
import { LIMIT_ORDER_INSTRUCTIONS } from './limit-order-decoding.ts';
import { LIMIT_ORDER_ACCOUNTS } from './limit-order-account-types.ts';

/** The program of orders that wait for a price. Its positions are read beside those of the other order programs. */
export const jupiterLimitOrderProtocol: Protocol = {
  name: 'jupiter-limit-order',
  programs: [{ name: 'limit-order', address: LIMIT_ORDER_PROGRAM, loadsAfterAggregator: true }],
  genesis: jupiterLimitOrderGenesis,
  errors: [{ program: LIMIT_ORDER_PROGRAM, names: LIMIT_ORDER_ERRORS, firstCode: ANCHOR_FIRST_ERROR }],
  instructions: [LIMIT_ORDER_INSTRUCTIONS],
  accounts: [LIMIT_ORDER_ACCOUNTS],
};
