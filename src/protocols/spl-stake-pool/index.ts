import type { Protocol } from '../../protocol/protocol.ts';
import { STAKE_POOL_ERRORS, STAKEDEX_ERRORS } from './errors.ts';
import { splStakePoolGenesis } from './genesis.ts';
import { STAKE_POOL_PROGRAM, STAKEDEX_PROGRAM } from './program.ts';
import { splStakePool } from './venue.ts';
import { STAKE_POOL_INSTRUCTIONS } from './stake-pool-decoding.ts';
import { STAKE_POOL_ACCOUNTS } from './stake-pool-account-types.ts';

/** Stake pools, and the wrapper program by which routes reach them. */
export const splStakePoolProtocol: Protocol = {
  name: 'spl-stake-pool',
  programs: [
    { name: 'spl-stake-pool', address: STAKE_POOL_PROGRAM },
    { name: 'stakedex', address: STAKEDEX_PROGRAM },
  ],
  venue: splStakePool,
  genesis: { pools: splStakePoolGenesis },
  errors: [
    { program: STAKE_POOL_PROGRAM, names: STAKE_POOL_ERRORS, firstCode: 0 },
    { program: STAKEDEX_PROGRAM, names: STAKEDEX_ERRORS, firstCode: 0 },
  ],
  instructions: STAKE_POOL_INSTRUCTIONS,
  accounts: [STAKE_POOL_ACCOUNTS],
};
