import type { Protocol } from '../../protocol/protocol.ts';
import { ANCHOR_FIRST_ERROR } from '../../protocol/venue/venue.ts';
import { meteoraDbcCreatorFees } from './creator-fee-positions.ts';
import { meteoraDbcGenesis } from './genesis/genesis.ts';
import { METEORA_DBC_ERRORS } from './program/errors.ts';
import { METEORA_DBC_PROGRAM } from './program/program.ts';
import { meteoraDbc } from './venue.ts';
import { DBC_INSTRUCTIONS } from './dbc-decoding.ts';
import { DBC_ACCOUNTS } from './dbc-account-types.ts';

/** Meteora's dynamic bonding curves, on which tokens are launched. */
export const meteoraDbcProtocol: Protocol = {
  name: 'meteora-dbc',
  programs: [{ name: 'meteora-dbc', address: METEORA_DBC_PROGRAM }],
  venue: meteoraDbc,
  fetchers: [meteoraDbcCreatorFees],
  genesis: meteoraDbcGenesis,
  errors: [{ program: METEORA_DBC_PROGRAM, names: METEORA_DBC_ERRORS, firstCode: ANCHOR_FIRST_ERROR }],
  instructions: [DBC_INSTRUCTIONS],
  accounts: [DBC_ACCOUNTS],
};
