import type { Protocol } from '../../protocol/protocol.ts';
import { JUPITER_LEND_ERRORS } from './errors/index.ts';
import { RECEIPT_TOKENS } from './genesis/receipt-tokens.ts';
import { LENDING_INTERFACE } from './lending/interface.ts';
import { earnReceipts } from './lending/positions.ts';
import { jupiterLendGenesis } from './lend-genesis.ts';
import {
  FLASHLOAN_PROGRAM,
  LENDING_PROGRAM,
  LIQUIDITY_PROGRAM,
  ORACLE_PROGRAM,
  REWARDS_PROGRAM,
  VAULTS_PROGRAM,
} from './lending-base/programs.ts';
import { FLASHLOAN_CALLS, LENDING_CALLS, VAULTS_CALLS } from './lending-base/public-builds.ts';
import { vaultPositions } from './vaults/positions.ts';
import { lending } from './venue/venue.ts';
import { LEND_INSTRUCTIONS } from './lend-decoding.ts';
import { LEND_ACCOUNTS } from './lend-account-types.ts';

/** The lending programs: earn tokens, which are also a venue, and borrow vaults over the same liquidity. */
export const jupiterLendProtocol: Protocol = {
  name: 'jupiter-lend',
  programs: [
    { name: 'liquidity', address: LIQUIDITY_PROGRAM },
    { name: 'lending-reward-rate-model', address: REWARDS_PROGRAM },
    {
      name: 'lending',
      address: LENDING_PROGRAM,
      unlikeCalls: LENDING_CALLS,
      interface: LENDING_INTERFACE,
    },
    { name: 'oracle', address: ORACLE_PROGRAM, loadsAfterAggregator: true },
    { name: 'vaults', address: VAULTS_PROGRAM, loadsAfterAggregator: true, unlikeCalls: VAULTS_CALLS },
    {
      name: 'flashloan',
      address: FLASHLOAN_PROGRAM,
      loadsAfterAggregator: true,
      unlikeCalls: FLASHLOAN_CALLS,
    },
  ],
  venue: lending,
  fetchers: [earnReceipts, vaultPositions],
  issuedTokens: RECEIPT_TOKENS,
  genesis: jupiterLendGenesis,
  errors: JUPITER_LEND_ERRORS,
  instructions: LEND_INSTRUCTIONS,
  accounts: LEND_ACCOUNTS,
};
