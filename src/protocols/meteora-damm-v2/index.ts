import type { Protocol } from '../../protocol/protocol.ts';
import { ANCHOR_FIRST_ERROR } from '../../protocol/venue/venue.ts';
import { meteoraDammV2Genesis } from './genesis/genesis.ts';
import { METEORA_PLATFORM } from './positions/platform.ts';
import { meteoraDammV2Positions } from './positions/fetcher.ts';
import { METEORA_DAMM_V2_ERRORS } from './program/errors.ts';
import { METEORA_DAMM_V2_PROGRAM } from './program/program.ts';
import { meteoraDammV2 } from './venue.ts';
import { DAMM_V2_INSTRUCTIONS } from './damm-decoding.ts';
import { DAMM_ACCOUNTS } from './damm-account-types.ts';

/** Meteora's DAMM v2 pools. */
export const meteoraDammV2Protocol: Protocol = {
  name: 'meteora-damm-v2',
  programs: [{ name: 'meteora-damm-v2', address: METEORA_DAMM_V2_PROGRAM }],
  venue: meteoraDammV2,
  platforms: [METEORA_PLATFORM],
  fetchers: [meteoraDammV2Positions],
  genesis: { pools: meteoraDammV2Genesis },
  errors: [
    { program: METEORA_DAMM_V2_PROGRAM, names: METEORA_DAMM_V2_ERRORS, firstCode: ANCHOR_FIRST_ERROR },
  ],
  instructions: [DAMM_V2_INSTRUCTIONS],
  accounts: [DAMM_ACCOUNTS],
};
