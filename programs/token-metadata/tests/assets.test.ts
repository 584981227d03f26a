import * as mpl from '@metaplex-foundation/mpl-token-metadata';
import { none, publicKey, some } from '@metaplex-foundation/umi';
import { describe, expect, it } from 'vitest';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import {
  createAsset,
  describeAsset,
  FIELDS,
  network,
  owner,
  send,
  stranger,
  umi,
  writeMint,
} from './assets.ts';
import { editionOf, metadataOf, readEdition, readMetadata, readMint, readToken, tokenOf } from './assets.ts';
import { PROGRAMS, withAccounts } from './assets.ts';
import { toInstructions, toSigner } from './umi.ts';

describe('Create and Mint of a non-fungible token', () => {
  it('make the mint, its metadata and its master edition, which takes over both rights of the mint', () => {
    const mint = network.newAddress();
    expect(send(mpl.createNft(umi, { mint: toSigner(mint), ...FIELDS }))).toBeNull();
    const edition = editionOf(mint);
    const { mintAuthority, freezeAuthority, supply, decimals } = readMint(mint);
    expect({ mintAuthority, freezeAuthority, supply, decimals }).toEqual({
      mintAuthority: edition,
      freezeAuthority: edition,
      supply: 1n,
      decimals: 0,
    });
    const metadata = network.account(metadataOf(mint));
    expect(metadata?.lamports).toBe(network.svm.minimumBalanceForRentExemption(607n) + 10_000_000n);
    expect(readMetadata(mint)).toMatchObject({
      name: 'Name',
      symbol: 'SYM',
      uri: 'https://example.com/1.json',
      sellerFeeBasisPoints: 550,
      creators: [{ address: owner, verified: true, share: 100 }],
      updateAuthority: owner,
      mint,
      tokenStandard: 0,
    });
    expect(readEdition(mint)).toEqual('0600000000000000000100000000000000000000');
    expect(network.account(edition)?.lamports).toBe(network.svm.minimumBalanceForRentExemption(20n));
    const token = tokenOf(owner, mint);
    expect(readToken(token)).toMatchObject({ mint, owner, amount: 1n });
  });

  it('write how many prints there may be', () => {
    const limited = network.newAddress();
    const supply = mpl.printSupply('Limited', [7n]);
    expect(send(mpl.createNft(umi, { mint: toSigner(limited), ...FIELDS, printSupply: supply }))).toBeNull();
    expect(readEdition(limited)).toBe('0600000000000000000107000000000000000000');
    const open = network.newAddress();
    const unlimited = mpl.printSupply('Unlimited');
    expect(send(mpl.createNft(umi, { mint: toSigner(open), ...FIELDS, printSupply: unlimited }))).toBeNull();
    expect(readEdition(open)).toBe('0600000000000000000000000000000000000000');
  });

  it('make a mint of Token-2022 that points to the metadata and can be closed by it', () => {
    const mint = network.newAddress();
    const splTokenProgram = publicKey(PROGRAMS.token2022);
    const token = publicKey(tokenOf(owner, mint, PROGRAMS.token2022));
    const nft = mpl.createNft(umi, {
      mint: toSigner(mint),
      ...FIELDS,
      splTokenProgram,
      token,
      tokenOwner: publicKey(owner),
    });
    expect(send(nft)).toBeNull();
    const metadata = metadataOf(mint);
    const { extensions } = readMint(mint);
    expect(extensions.map(({ type }) => type)).toEqual([3, 18]);
    expect(network.account(mint)?.data).toHaveLength(270);
    expect(network.account(metadata)).not.toBeNull();
  });

  it('mint one token and no second one', () => {
    const mint = createAsset(mpl.TokenStandard.NonFungible);
    const again = {
      mint: publicKey(mint),
      tokenStandard: mpl.TokenStandard.NonFungible,
      tokenOwner: publicKey(owner),
    };
    expect(send(mpl.mintV1(umi, { ...again, amount: 2 }))).toMatchObject({ custom: 16 });
    expect(send(mpl.mintV1(umi, { ...again, amount: 0 }))).toMatchObject({ custom: 168 });
    expect(send(mpl.mintV1(umi, { ...again, amount: 1 }))).toBeNull();
    expect(send(mpl.mintV1(umi, { ...again, amount: 1 }))).toMatchObject({ custom: 16 });
  });

  it('refuse a stranger as the authority, and one that does not sign', () => {
    const mint = createAsset(mpl.TokenStandard.NonFungible);
    const asked = {
      mint: publicKey(mint),
      tokenStandard: mpl.TokenStandard.NonFungible,
      tokenOwner: publicKey(owner),
    };
    expect(send(mpl.mintV1(umi, { ...asked, authority: toSigner(stranger) }))).toMatchObject({ custom: 7 });
    const [instruction] = toInstructions(mpl.mintV1(umi, asked)) as [Instruction];
    // The owner pays too, so the payer is another one here.
    const unsigned = withAccounts(instruction, { 6: [owner, 0], 8: [network.payer, 3] });
    expect(network.send([unsigned]).error).toMatchObject({ kind: 'MissingRequiredSignature' });
  });

  it('refuse an edition of another mint, and another program as the token program', () => {
    const [mint, other] = [network.newAddress(), createAsset(mpl.TokenStandard.NonFungible)];
    const edition = publicKey(editionOf(other));
    expect(
      send(
        mpl.createV1(umi, { ...describeAsset(mint, mpl.TokenStandard.NonFungible), masterEdition: edition }),
      ),
    ).toMatchObject({
      custom: 27,
    });
    const token = { splTokenProgram: publicKey(PROGRAMS.metadata) };
    expect(
      send(mpl.createV1(umi, { ...describeAsset(mint, mpl.TokenStandard.NonFungible), ...token })),
    ).toMatchObject({ custom: 149 });
    const system = { splTokenProgram: publicKey(PROGRAMS.system) };
    expect(
      send(mpl.createV1(umi, { ...describeAsset(mint, mpl.TokenStandard.NonFungible), ...system })),
    ).not.toBeNull();
    expect(network.account(mint)).toBeNull();
  });
});

describe('Create over a mint that exists', () => {
  it('refuses a non-fungible token with decimals or with a supply above one', () => {
    const standard = mpl.TokenStandard.NonFungible;
    expect(send(mpl.createV1(umi, describeAsset(writeMint({ decimals: 6 }), standard)))).toMatchObject({
      custom: 136,
    });
    expect(send(mpl.createV1(umi, describeAsset(writeMint({ supply: 2n }), standard)))).toMatchObject({
      custom: 136,
    });
    expect(send(mpl.createV1(umi, describeAsset(writeMint({ supply: 1n }), standard)))).toBeNull();
  });

  it('refuses a non-fungible token that nobody could freeze', () => {
    const mint = writeMint({ freezeAuthority: null });
    expect(send(mpl.createV1(umi, describeAsset(mint, mpl.TokenStandard.NonFungible)))).toMatchObject({
      custom: 130,
    });
  });

  it('refuses a stranger as the mint authority, and an update authority that does not sign for an edition', () => {
    const mint = writeMint({});
    const fungible = describeAsset(mint, mpl.TokenStandard.Fungible);
    expect(send(mpl.createV1(umi, { ...fungible, authority: toSigner(stranger) }))).toMatchObject({
      custom: 10,
    });
    const nft = { ...describeAsset(mint, mpl.TokenStandard.NonFungible), creators: none<mpl.Creator[]>() };
    expect(send(mpl.createV1(umi, { ...nft, updateAuthority: publicKey(stranger) }))).toMatchObject({
      custom: 8,
    });
  });

  it('refuses texts that are too long and a mint that does not sign for its making', () => {
    const nft = (fields: object) =>
      send(
        mpl.createV1(umi, {
          ...describeAsset(network.newAddress(), mpl.TokenStandard.NonFungible),
          ...fields,
        }),
      );
    expect(nft({ name: 'x'.repeat(33) })).toMatchObject({ custom: 11 });
    expect(nft({ symbol: 'x'.repeat(11) })).toMatchObject({ custom: 12 });
    expect(nft({ uri: 'x'.repeat(201) })).toMatchObject({ custom: 13 });
    expect(nft({ mint: publicKey(network.newAddress()) })).toMatchObject({ custom: 134 });
  });
});

describe('Create and Mint of fungible tokens', () => {
  it('make mints with the decimals that are asked for, and mint to the holder', () => {
    const mint = network.newAddress();
    expect(send(mpl.createFungible(umi, { mint: toSigner(mint), ...FIELDS, decimals: some(7) }))).toBeNull();
    const tokens = {
      mint: publicKey(mint),
      tokenStandard: mpl.TokenStandard.Fungible,
      tokenOwner: publicKey(stranger),
    };
    expect(send(mpl.mintV1(umi, { ...tokens, amount: 1_000n }))).toBeNull();
    expect(send(mpl.mintV1(umi, { ...tokens, amount: 5n }))).toBeNull();
    expect(readMint(mint)).toMatchObject({
      mintAuthority: owner,
      freezeAuthority: owner,
      supply: 1_005n,
      decimals: 7,
    });
    expect(send(mpl.mintV1(umi, { ...tokens, authority: toSigner(stranger) }))).toMatchObject({ custom: 10 });
    const pieces = network.newAddress();
    expect(send(mpl.createFungibleAsset(umi, { mint: toSigner(pieces), ...FIELDS }))).toBeNull();
    expect(readMint(pieces).decimals).toBe(0);
  });
});

describe('CreateMasterEditionV3', () => {
  it('makes a non-fungible token of a mint whose one token exists', () => {
    const mint = writeMint({ supply: 1n });
    expect(send(mpl.createV1(umi, describeAsset(mint, mpl.TokenStandard.FungibleAsset)))).toBeNull();
    const edition = {
      mint: publicKey(mint),
      mintAuthority: toSigner(owner),
      updateAuthority: toSigner(owner),
    };
    const strange = { ...edition, updateAuthority: toSigner(stranger) };
    expect(send(mpl.createMasterEditionV3(umi, { ...strange, maxSupply: 0n }))).toMatchObject({ custom: 7 });
    expect(send(mpl.createMasterEditionV3(umi, { ...edition, maxSupply: 3n }))).toBeNull();
    expect(readEdition(mint)).toBe('0600000000000000000103000000000000000000');
    expect(readMetadata(mint).tokenStandard).toBe(0);
  });

  it('refuses a mint with no token or with two', () => {
    for (const supply of [0n, 2n]) {
      const mint = writeMint({ supply });
      send(mpl.createV1(umi, describeAsset(mint, mpl.TokenStandard.FungibleAsset)));
      const edition = {
        mint: publicKey(mint),
        mintAuthority: toSigner(owner),
        updateAuthority: toSigner(owner),
      };
      expect(send(mpl.createMasterEditionV3(umi, { ...edition, maxSupply: 0n }))).toMatchObject({
        custom: 16,
      });
    }
  });
});

describe('the instructions of assets', () => {
  it('refuse programmable assets, by the error for what is not supported', () => {
    const programmable = mpl.createProgrammableNft(umi, { mint: toSigner(network.newAddress()), ...FIELDS });
    expect(send(programmable)).toMatchObject({ custom: 145 });
  });

  it('refuse data of any other length', () => {
    const mint = network.newAddress();
    const [create, mintTo] = toInstructions(mpl.createNft(umi, { mint: toSigner(mint), ...FIELDS })) as [
      Instruction,
      Instruction,
    ];
    for (const instruction of [create, mintTo]) {
      const { data } = instruction;
      const wrong = [data.slice(0, -1), Uint8Array.of(...data, 0), data.slice(0, 2), data.slice(0, 1)];
      for (const each of wrong) {
        const { error } = network.send([{ ...instruction, data: each }]);
        expect(error).toMatchObject({ kind: 'InvalidInstructionData' });
      }
    }
    const endless = Uint8Array.from(create.data);
    // The length of the name, which would reach beyond every account.
    endless.set([255, 255, 255, 255], 2);
    expect(network.send([{ ...create, data: endless }]).error).toMatchObject({
      kind: 'InvalidInstructionData',
    });
  });
});
