import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import {
  createMetadataV3,
  updateMetadataV2,
} from '../../../src/solana/programs/token-metadata/instructions.ts';
import {
  decodeMetadata,
  encodeMetadata,
  type MetadataFields,
  type TokenMetadata,
} from '../../../src/solana/programs/token-metadata/account.ts';
import {
  deriveMetadataAddress,
  TOKEN_METADATA_PROGRAM,
} from '../../../src/solana/programs/token-metadata/program.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import { namedAddress } from '../../raydium-cpmm/tests/fixture.ts';
import { AUTHORITY, creation, creationOf } from './cases.ts';

describe('CreateMetadataAccountV3', () => {
  it('writes the account that readers of the public program decode, and charges 0.01 SOL in addition to the rent', () => {
    start();
    expect(create()).toBeNull();
    const account = network.account(deriveMetadataAddress(mint));
    const rent = network.svm.minimumBalanceForRentExemption(607n);
    expect(account?.owner).toBe(TOKEN_METADATA_PROGRAM);
    expect(account?.lamports).toBe(rent + 10_000_000n);
    const expected: TokenMetadata = {
      ...FIELDS,
      updateAuthority: AUTHORITY,
      mint,
      primarySaleHappened: false,
      isMutable: true,
      tokenStandard: 2,
    };
    expect(metadata()).toEqual(expected);
    expect(Buffer.from(account?.data ?? [])).toEqual(Buffer.from(encodeMetadata(expected)));
    expect(create()).toMatchObject({ custom: 199 });
  });

  it('refuses a mint of Token-2022, and a signer that is not the mint authority', () => {
    start(TOKEN_2022_PROGRAM);
    expect(create()).toMatchObject({ custom: 153 });
    start();
    const parties = { mint, mintAuthority: stranger, payer: network.payer, updateAuthority: stranger };
    expect(network.send([createMetadataV3(parties, FIELDS, true)]).error).toMatchObject({ custom: 10 });
  });

  it('refuses texts that are too long, and a royalty above the whole', () => {
    start();
    expect(create({ ...FIELDS, name: 'x'.repeat(33) })).toMatchObject({ custom: 11 });
    expect(create({ ...FIELDS, symbol: 'x'.repeat(11) })).toMatchObject({ custom: 12 });
    expect(create({ ...FIELDS, uri: 'x'.repeat(201) })).toMatchObject({ custom: 13 });
    expect(create({ ...FIELDS, sellerFeeBasisPoints: 10_001 })).toMatchObject({ custom: 41 });
  });
});

describe('UpdateMetadataAccountV2', () => {
  it('changes fields and authority until they are frozen', () => {
    start();
    create();
    const fields = { ...FIELDS, name: 'Saturn', uri: '' };
    const handOver = updateMetadataV2(mint, AUTHORITY, { fields, updateAuthority: stranger });
    expect(network.send([handOver]).error).toBeNull();
    expect(metadata()).toMatchObject({ name: 'Saturn', uri: '', updateAuthority: stranger });
    expect(network.send([handOver]).error).toMatchObject({ custom: 7 });
    expect(network.send([updateMetadataV2(mint, stranger, { isMutable: false })]).error).toBeNull();
    expect(network.send([updateMetadataV2(mint, stranger, { fields })]).error).toMatchObject({ custom: 59 });
    expect(network.send([updateMetadataV2(mint, stranger, { isMutable: true })]).error).toMatchObject({
      custom: 73,
    });
  });
});

describe('the instructions', () => {
  it('leave an account that the codec reads, or none', () => {
    const property = fc.property(creation, (each) => {
      start();
      const outcome = network.send([creationOf(each, token, network.payer)]);
      expect(network.account(deriveMetadataAddress(mint)) === null).toBe(outcome.error !== null);
      if (outcome.error !== null) return;
      const { name, symbol, uri, creators } = each.fields;
      const shown = { name, symbol, uri, creators, isMutable: each.isMutable, mint };
      const trimmed = Object.fromEntries(
        Object.entries(shown).map(([key, value]) => [
          key,
          typeof value === 'string' && key !== 'mint' ? value.replace(/\0+$/, '') : value,
        ]),
      );
      expect(metadata()).toMatchObject(trimmed);
    });
    assertProperty(property, { cases: 300, seed: SEED });
  });

  it('are refused when the stand-in leaves them out', () => {
    const instruction = (...data: number[]) => ({
      programAddress: TOKEN_METADATA_PROGRAM,
      accounts: [],
      data: Uint8Array.from(data),
    });
    expect(network.send([instruction(44)]).error).toMatchObject({ custom: 145 });
    expect(network.send([instruction(0)]).error).toMatchObject({ custom: 75 });
    expect(network.send([instruction()]).error).toMatchObject({ custom: 189 });
    expect(network.send([instruction(200)]).error).toMatchObject({ kind: 'InvalidInstructionData' });
  });
});

const SEED = 20_261_123;
const FIELDS: MetadataFields = {
  name: 'Jupiter',
  symbol: 'JUP',
  uri: 'https://example.com/jup.json',
  sellerFeeBasisPoints: 0,
  creators: null,
};
const mint = namedAddress('mint');
const network = new TestNetwork(['token-metadata']);
const token = { mint, tokenProgram: TOKEN_PROGRAM, decimals: 6, extensions: [] };
const stranger = network.newWallet();

function start(tokenProgram = TOKEN_PROGRAM): void {
  const account = {
    mintAuthority: AUTHORITY,
    supply: 0n,
    decimals: 6,
    freezeAuthority: null,
    extensions: [],
  };
  network.setData(mint, tokenProgram, encodeMint(account));
  network.setAccount(deriveMetadataAddress(mint), {
    lamports: 0n,
    owner: network.payer,
    data: new Uint8Array(0),
    executable: false,
    rentEpoch: 0n,
  });
}

function create(fields = FIELDS, isMutable = true) {
  const parties = { mint, mintAuthority: AUTHORITY, payer: network.payer, updateAuthority: AUTHORITY };
  return network.send([createMetadataV3(parties, fields, isMutable)]).error;
}

function metadata(): TokenMetadata {
  return decodeMetadata(network.account(deriveMetadataAddress(mint))?.data ?? new Uint8Array(0));
}
