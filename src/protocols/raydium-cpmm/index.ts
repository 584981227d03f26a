import type { Protocol } from '../../protocol/protocol.ts';
import { ANCHOR_FIRST_ERROR } from '../../protocol/venue/venue.ts';
import { raydiumCpmmGenesis } from './genesis/genesis.ts';
import { RAYDIUM_PLATFORM } from './platform.ts';
import { raydiumCpmmPositions } from './positions.ts';
import { RAYDIUM_CPMM_ERRORS } from './program/errors.ts';
import { RAYDIUM_CPMM_PROGRAM } from './program/program.ts';
import { raydiumCpmm } from './venue.ts';
import { CPMM_INSTRUCTIONS } from './cpmm-decoding.ts';
import { CPMM_ACCOUNTS } from './cpmm-account-types.ts';

/** Raydium's constant-product pools. */
export const raydiumCpmmProtocol: Protocol = {
  name: 'raydium-cpmm',
  programs: [{ name: 'raydium-cpmm', address: RAYDIUM_CPMM_PROGRAM }],
  venue: raydiumCpmm,
  platforms: [RAYDIUM_PLATFORM],
  fetchers: [raydiumCpmmPositions],
  genesis: { pools: raydiumCpmmGenesis },
  errors: [{ program: RAYDIUM_CPMM_PROGRAM, names: RAYDIUM_CPMM_ERRORS, firstCode: ANCHOR_FIRST_ERROR }],
  instructions: [CPMM_INSTRUCTIONS],
  accounts: [CPMM_ACCOUNTS],
};
