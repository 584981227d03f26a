import fc from 'fast-check';
import { describe, it } from 'vitest';
import { sampleCases } from '../../src/testing/random.ts';
import {
  AUTHORITY,
  type Creation,
  creation,
  creationOf,
  type Update,
  update,
  updateOf,
} from '../../programs/token-metadata/tests/cases.ts';
import { namedAddress, type Token } from '../../programs/raydium-cpmm/tests/fixture.ts';
import type { Address } from '../../src/solana/address.ts';
import type { Instruction } from '../../src/solana/messages/instruction.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../src/solana/program-addresses.ts';
import {
  deriveMetadataAddress,
  TOKEN_METADATA_PROGRAM,
} from '../../src/solana/programs/token-metadata/program.ts';
import { encodeMint } from '../../src/solana/programs/token/mint.ts';
import { Comparison, compareCases, compareWrongAccounts, type ValidInstruction } from './comparison.ts';
import { readMetadataBuild } from './token-metadata/build.ts';
import { NO_ACCOUNT, PUBLIC_PROGRAM, Twin } from './twin.ts';

const FEATURE_NOT_SUPPORTED = 145;
/** What is wrong with creators; the public program finds it in the order of a hash table. */
const CREATOR_ERRORS = new Set<number | undefined>([51, 54, 55]);
const dump = readMetadataBuild();

const MINTS = [mintOf(6, TOKEN_PROGRAM), mintOf(0, TOKEN_PROGRAM), mintOf(6, TOKEN_2022_PROGRAM)];

class MetadataTwin extends Twin {
  readonly payer: Address = namedAddress('payer');

  constructor() {
    super('token-metadata', TOKEN_METADATA_PROGRAM, dump as Uint8Array, { comparesCalls: true });
    this.both((network) => {
      network.setAccount(this.payer, { ...NO_ACCOUNT, lamports: 10n ** 14n });
      for (const { mint, tokenProgram, decimals } of MINTS) {
        const base = { mintAuthority: AUTHORITY, supply: 0n, decimals, freezeAuthority: null };
        network.setData(mint, tokenProgram, encodeMint({ ...base, extensions: [] }));
      }
    });
  }

  /** Where the public program panics or makes a mint, the stand-in refuses. */
  override endDifference(instruction: Instruction): string | null {
    const different = super.endDifference(instruction);
    if (different === null) return null;
    const [ours, theirs] = [this.standIn, this.publicBuild].map((one) => one.simulate([instruction]).error);
    const explained = theirs?.kind === 'ProgramFailedToComplete' || ours?.custom === FEATURE_NOT_SUPPORTED;
    if (ours === null || !explained) return different;
    this.expectedDifferences++;
    return null;
  }

  override difference(instruction: Instruction): string | null {
    return super.difference(instruction, {
      expected: (_, ours, theirs) =>
        CREATOR_ERRORS.has(ours.error?.custom) && CREATOR_ERRORS.has(theirs.error?.custom),
    });
  }

  forget(mint: Address): void {
    this.both((network) => network.setAccount(deriveMetadataAddress(mint), NO_ACCOUNT));
  }
}

describe.skipIf(dump === null)('token metadata and the public program', () => {
  it('do the same in creations', async () => {
    const networks = new MetadataTwin();
    const cases = sampleCases(creation, { cases: 4000, seed: SEED, against: PUBLIC_PROGRAM });
    await compareCases(new Comparison('metadata creations', networks), cases, (each, index) => {
      const token = MINTS[index % MINTS.length] as Token;
      networks.forget(token.mint);
      return networks.difference(creationOf(each, token, networks.payer));
    });
  });

  it('do the same in the lives of metadata', async () => {
    const networks = new MetadataTwin();
    const comparison = new Comparison('metadata lives', networks);
    const life = fc.record({ start: creation, changes: fc.array(update, { minLength: 6, maxLength: 6 }) });
    const lives = sampleCases(life, { cases: 800, seed: SEED + 1, against: PUBLIC_PROGRAM });
    const steps = lives.flatMap(({ start, changes }, index): readonly (Creation | Update)[] => [
      { ...start, updateAuthoritySigns: index % 8 > 0 },
      ...changes,
    ]);
    const [{ mint }] = MINTS as [Token];
    await compareCases(comparison, steps, (each) => {
      if (!('standard' in each)) return networks.difference(updateOf(each, mint));
      networks.forget(mint);
      return networks.difference(creationOf(each, MINTS[0] as Token, networks.payer));
    });
  });

  it('refuse the same wrong accounts', async () => {
    const networks = new MetadataTwin();
    const [made, other] = MINTS as [Token, Token];
    const fields = {
      name: 'Name',
      symbol: 'SYM',
      uri: 'https://x.test',
      sellerFeeBasisPoints: 0,
      creators: null,
      collection: null,
      uses: null,
    };
    const start: Creation = {
      standard: null,
      fields,
      isMutable: true,
      primarySaleHappened: false,
      details: null,
      updateAuthoritySigns: true,
    };
    networks.send(creationOf(start, made, networks.payer));
    const strangers = [made.mint, other.mint, networks.payer, deriveMetadataAddress(made.mint)];
    const change: Update = { fields, updateAuthority: null, primarySaleHappened: null, isMutable: null };
    const valid: ValidInstruction[] = [
      ['create v3', creationOf(start, other, networks.payer), strangers],
      ['create', creationOf({ ...start, standard: 2 }, other, networks.payer), strangers],
      ['update v2', updateOf(change, made.mint), strangers],
    ];
    await compareWrongAccounts(new Comparison('metadata, wrong accounts', networks), valid);
  });
});

const SEED = 20_261_123;

function mintOf(decimals: number, tokenProgram: Address): Token {
  return { mint: namedAddress(`mint ${decimals} ${tokenProgram}`), tokenProgram, decimals, extensions: [] };
}
