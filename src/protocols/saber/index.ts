import type { Protocol } from '../../protocol/protocol.ts';
import { SABER_ERRORS } from './errors.ts';
import { saberGenesis } from './genesis.ts';
import { SABER_PLATFORM } from './platform.ts';
import { saberPositions } from './positions.ts';
import { SABER_PROGRAM } from './program.ts';
import { saber } from './venue.ts';
import { SABER_INSTRUCTIONS } from './saber-decoding.ts';
import { SABER_ACCOUNTS } from './saber-account-types.ts';

/** Saber's pools of two tokens of equal worth. */
export const saberProtocol: Protocol = {
  name: 'saber',
  programs: [{ name: 'saber', address: SABER_PROGRAM }],
  venue: saber,
  platforms: [SABER_PLATFORM],
  fetchers: [saberPositions],
  genesis: { pools: saberGenesis },
  errors: [{ program: SABER_PROGRAM, names: SABER_ERRORS, firstCode: 0 }],
  instructions: [SABER_INSTRUCTIONS],
  accounts: [SABER_ACCOUNTS],
};
