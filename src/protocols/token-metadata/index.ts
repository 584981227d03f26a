import type { Protocol } from '../../protocol/protocol.ts';
import { TOKEN_METADATA_PROGRAM } from '../../solana/programs/token-metadata/program.ts';

/** The program that keeps the names of tokens. Its codecs are in `src/solana`, because the chain reads them too. */
export const tokenMetadataProtocol: Protocol = {
  name: 'token-metadata',
  programs: [{ name: 'token-metadata', address: TOKEN_METADATA_PROGRAM, loadsAfterAggregator: true }],
};
