import type { Protocol } from '../../protocol/protocol.ts';
import { LIGHTHOUSE_PROGRAM } from './program.ts';

/** The assertions that wallets append to what they sign. */
export const lighthouseProtocol: Protocol = {
  name: 'lighthouse',
  programs: [{ name: 'lighthouse', address: LIGHTHOUSE_PROGRAM, loadsAfterAggregator: true }],
  instructions: [
    {
      program: LIGHTHOUSE_PROGRAM,
      label: 'Lighthouse',
      instructions: [
        { name: 'assert_account_data', tag: '02', accounts: 'target_account' },
        { name: 'assert_account_info', tag: '05', accounts: 'target_account' },
      ],
    },
  ],
};
