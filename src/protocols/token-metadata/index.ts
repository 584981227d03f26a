import type { Protocol } from '../../protocol/protocol.ts';
import { TOKEN_METADATA_PROGRAM } from '../../solana/programs/token-metadata/program.ts';
import { METADATA_ACCOUNTS } from './metadata-account-types.ts';

/** The program that keeps the names of tokens. Its codecs are in `src/solana`, because the chain reads them too. */
export const tokenMetadataProtocol: Protocol = {
  name: 'token-metadata',
  programs: [{ name: 'token-metadata', address: TOKEN_METADATA_PROGRAM, loadsAfterAggregator: true }],
  instructions: [
    {
      program: TOKEN_METADATA_PROGRAM,
      label: 'Token metadata',
      instructions: [
        {
          name: 'create_metadata_account_v3',
          tag: '21',
          args: [
            ['name', 'string'],
            ['symbol', 'string'],
            ['uri', 'string'],
          ],
          accounts: 'metadata mint mint_authority payer update_authority system_program',
        },
        { name: 'update_metadata_account_v2', tag: '0f', accounts: 'metadata update_authority' },
        {
          name: 'create_master_edition_v3',
          tag: '11',
          accounts:
            'edition mint update_authority mint_authority payer metadata token_program system_program',
        },
        { name: 'burn', tag: '29' },
        { name: 'create', tag: '2a' },
        { name: 'mint', tag: '2b' },
        { name: 'transfer', tag: '31' },
        { name: 'update', tag: '32' },
        { name: 'verify', tag: '34' },
        { name: 'unverify', tag: '35' },
      ],
    },
  ],
  accounts: [METADATA_ACCOUNTS],
};
