import type { Protocol } from '../../protocol/protocol.ts';
import { address } from '../../solana/address.ts';

/** Creates accounts with exactly the rent that they need. */
const SYSTEM_EXTRAS_PROGRAM = address('SysExL2WDyJi9aRZrXorrjHJut3JwHQ7R9bTyctbNNG');

/** Creates associated token accounts where they are missing. */
const TOKEN_EXTRAS_PROGRAM = address('TokExjvjJmhKaRBShsBAsbSvEWMA1AgUNK7ps4SAc2p');

/** The helper programs that umi calls when it makes mints and token accounts. */
export const mplToolboxProtocol: Protocol = {
  name: 'mpl-toolbox',
  programs: [
    { name: 'system-extras', address: SYSTEM_EXTRAS_PROGRAM, loadsAfterAggregator: true },
    { name: 'token-extras', address: TOKEN_EXTRAS_PROGRAM, loadsAfterAggregator: true },
  ],
  instructions: [
    {
      program: SYSTEM_EXTRAS_PROGRAM,
      label: 'System extras',
      instructions: [
        {
          name: 'create_account_with_rent',
          tag: '00',
          args: [
            ['space', 'u64'],
            ['program_id', 'pubkey'],
          ],
          accounts: 'payer new_account system_program',
        },
        { name: 'transfer_all_sol', tag: '01', accounts: 'source destination system_program' },
      ],
    },
    {
      program: TOKEN_EXTRAS_PROGRAM,
      label: 'Token extras',
      instructions: [
        {
          name: 'create_token_if_missing',
          tag: '00',
          accounts: 'payer token mint owner ata system_program token_program associated_token_program',
        },
      ],
    },
  ],
};
