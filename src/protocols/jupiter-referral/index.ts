import type { Protocol } from '../../protocol/protocol.ts';
import { ANCHOR_FIRST_ERROR } from '../../protocol/venue/venue.ts';
import { REFERRAL_PROGRAM } from '../../solana/programs/referral/program.ts';
import { REFERRAL_ERRORS } from './errors.ts';
import { jupiterReferralGenesis } from './genesis.ts';
import { REFERRAL_INSTRUCTIONS } from './referral-decoding.ts';
import { REFERRAL_ACCOUNTS } from './referral-account-types.ts';

/** The program that shares the fees of swaps with integrators. Its addresses are in `src/solana`: swaps pay into them. */
export const jupiterReferralProtocol: Protocol = {
  name: 'jupiter-referral',
  programs: [{ name: 'referral', address: REFERRAL_PROGRAM, loadsAfterAggregator: true }],
  genesis: jupiterReferralGenesis,
  errors: [{ program: REFERRAL_PROGRAM, names: REFERRAL_ERRORS, firstCode: ANCHOR_FIRST_ERROR }],
  instructions: [REFERRAL_INSTRUCTIONS],
  accounts: [REFERRAL_ACCOUNTS],
};
