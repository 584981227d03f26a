import { AUTHORITY, type Creation, creationOf } from '../../../programs/token-metadata/tests/cases.ts';
import { namedAddress, token, writeWallet } from '../../../programs/raydium-cpmm/tests/fixture.ts';
import {
  deriveMetadataAddress,
  TOKEN_METADATA_PROGRAM,
} from '../../../src/solana/programs/token-metadata/program.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { readDump } from '../twin.ts';

/** The length of the accounts that today's program makes. It was 679. */
const LENGTH = 607;

/** Returns the dump, or null with a message if there is none or it is that of an older program. */
export function readMetadataBuild(): Buffer | null {
  const dump = readDump(TOKEN_METADATA_PROGRAM);
  const length = dump === null ? LENGTH : readLength(dump);
  if (length === LENGTH) return dump;
  process.stdout.write(
    `skipped: the build makes metadata accounts of ${length} bytes, and not of ${LENGTH}\n`,
  );
  return null;
}

function readLength(dump: Buffer): number | undefined {
  const network = new TestNetwork();
  network.loadProgram(TOKEN_METADATA_PROGRAM, dump);
  const [payer, made] = [namedAddress('payer'), token('metadata of a build')];
  writeWallet(network, payer);
  const mint = { mintAuthority: AUTHORITY, supply: 0n, decimals: 6, freezeAuthority: null, extensions: [] };
  network.setData(made.mint, made.tokenProgram, encodeMint(mint));
  network.send([creationOf(PLAIN, made, payer)]);
  return network.account(deriveMetadataAddress(made.mint))?.data.length;
}

const PLAIN: Creation = {
  standard: null,
  fields: {
    name: 'Name',
    symbol: 'SYM',
    uri: 'https://x.test',
    sellerFeeBasisPoints: 0,
    creators: null,
    collection: null,
    uses: null,
  },
  isMutable: true,
  primarySaleHappened: false,
  details: null,
  updateAuthoritySigns: true,
};
