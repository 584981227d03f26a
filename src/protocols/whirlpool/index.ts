import type { Protocol } from '../../protocol/protocol.ts';
import { ANCHOR_FIRST_ERROR } from '../../protocol/venue/venue.ts';
import { whirlpoolGenesis } from './genesis/genesis.ts';
import { ORCA_PLATFORM } from './positions/platform.ts';
import { whirlpoolPositions } from './positions/fetcher.ts';
import { WHIRLPOOL_ERRORS } from './program/errors.ts';
import { WHIRLPOOL_PROGRAM } from './program/program.ts';
import { whirlpool } from './venue.ts';
import { WHIRLPOOL_INSTRUCTIONS } from './whirlpool-decoding.ts';
import { WHIRLPOOL_ACCOUNTS } from './whirlpool-account-types.ts';

/** Orca's pools of concentrated liquidity. */
export const whirlpoolProtocol: Protocol = {
  name: 'whirlpool',
  programs: [{ name: 'whirlpool', address: WHIRLPOOL_PROGRAM }],
  venue: whirlpool,
  platforms: [ORCA_PLATFORM],
  fetchers: [whirlpoolPositions],
  genesis: { pools: whirlpoolGenesis },
  errors: [{ program: WHIRLPOOL_PROGRAM, names: WHIRLPOOL_ERRORS, firstCode: ANCHOR_FIRST_ERROR }],
  instructions: [WHIRLPOOL_INSTRUCTIONS],
  accounts: [WHIRLPOOL_ACCOUNTS],
};
