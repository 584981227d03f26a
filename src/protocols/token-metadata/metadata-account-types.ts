import { BASIS_POINTS, type ProgramAccounts } from '../../protocol/accounts/program-accounts.ts';
import { decodeMetadata } from '../../solana/programs/token-metadata/account.ts';
import { TOKEN_METADATA_PROGRAM } from '../../solana/programs/token-metadata/program.ts';

/** The accounts with the names of tokens. */
export const METADATA_ACCOUNTS: ProgramAccounts = {
  program: TOKEN_METADATA_PROGRAM,
  types: [
    {
      name: 'Token metadata',
      summary: 'The name and the symbol of a token, as its maker wrote them.',
      read: decodeMetadata,
      fields: {
        name: 'text',
        symbol: 'text',
        uri: 'text',
        sellerFeeBasisPoints: BASIS_POINTS,
        share: { outOf: 100 },
        tokenStandard: { names: { 0: 'not fungible', 1: 'fungible asset', 2: 'fungible' } },
      },
    },
  ],
};
