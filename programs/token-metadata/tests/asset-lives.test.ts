import * as mpl from '@metaplex-foundation/mpl-token-metadata';
import { approveTokenDelegate } from '@metaplex-foundation/mpl-toolbox';
import { none, publicKey, some } from '@metaplex-foundation/umi';
import { describe, expect, it } from 'vitest';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { createAsset, editionOf, metadataOf, network, owner, PROGRAMS, send, stranger } from './assets.ts';
import { mintAsset, readMetadata, readMint, readToken, tokenOf, umi, withAccounts } from './assets.ts';
import { toInstructions, toSigner } from './umi.ts';

describe('Update', () => {
  it('changes fields, collection and flags, and hands the authority on', () => {
    const [mint, collection] = [createAsset(NonFungible), createAsset(NonFungible)];
    const asked = { mint: publicKey(mint), authority: toSigner(owner) };
    const link = { verified: false, key: publicKey(collection) };
    const changed = mpl.updateV1(umi, {
      ...asked,
      data: some({ ...DATA, creators: some([{ address: publicKey(owner), verified: true, share: 100 }]) }),
      collection: mpl.collectionToggle('Set', [link]),
      primarySaleHappened: true,
      newUpdateAuthority: publicKey(stranger),
    });
    expect(send(changed)).toBeNull();
    expect(readMetadata(mint)).toMatchObject({
      name: 'Changed',
      uri: 'https://example.com/2.json',
      updateAuthority: stranger,
      primarySaleHappened: true,
      tokenStandard: 0,
    });
    expect(send(mpl.updateV1(umi, { ...asked, isMutable: false }))).toMatchObject({ custom: 158 });
    const theirs = { mint: publicKey(mint), authority: toSigner(stranger) };
    expect(send(mpl.updateAsUpdateAuthorityV2(umi, { ...theirs, isMutable: false }))).toBeNull();
    expect(send(mpl.updateV1(umi, { ...theirs, data: some({ ...DATA, creators: NOBODY }) }))).toMatchObject({
      custom: 59,
    });
    expect(send(mpl.updateV1(umi, { ...theirs, isMutable: true }))).toMatchObject({ custom: 73 });
  });

  it('refuses a stranger, a holder, an authority that does not sign, and a delegate', () => {
    const mint = mintAsset(NonFungible);
    const asked = { mint: publicKey(mint), isMutable: false };
    expect(send(mpl.updateV1(umi, { ...asked, authority: toSigner(stranger) }))).toMatchObject({
      custom: 158,
    });
    send(mpl.transferV1(umi, transfer(mint)));
    const token = publicKey(tokenOf(stranger, mint));
    const holder = { ...asked, authority: toSigner(stranger), token };
    expect(send(mpl.updateV1(umi, holder))).toMatchObject({ custom: 145 });
    const [instruction] = toInstructions(mpl.updateV1(umi, asked)) as [Instruction];
    const unsigned = withAccounts(instruction, { 0: [owner, 0], 6: [network.payer, 3] });
    expect(network.send([unsigned]).error).toMatchObject({ kind: 'MissingRequiredSignature' });
    const record = mpl.updateAsDataDelegateV2(umi, {
      mint: publicKey(mint),
      token,
      delegateRecord: publicKey(metadataOf(mint)),
      authority: toSigner(stranger),
    });
    expect(send(record)).toMatchObject({ custom: 145 });
  });

  it('verifies no collection and no creator other than the authority', () => {
    const [mint, collection] = [createAsset(NonFungible), createAsset(NonFungible)];
    const verified = mpl.collectionToggle('Set', [{ verified: true, key: publicKey(collection) }]);
    const asked = { mint: publicKey(mint), authority: toSigner(owner) };
    expect(send(mpl.updateV1(umi, { ...asked, collection: verified }))).toMatchObject({ custom: 74 });
    const creators = some([{ address: publicKey(stranger), verified: true, share: 100 }]);
    expect(send(mpl.updateV1(umi, { ...asked, data: some({ ...DATA, creators }) }))).toMatchObject({
      custom: 54,
    });
    const long = some({ ...DATA, name: 'x'.repeat(33), creators: NOBODY });
    expect(send(mpl.updateV1(umi, { ...asked, data: long }))).toMatchObject({ custom: 11 });
    const standard = { ...asked, tokenStandard: mpl.TokenStandard.Fungible };
    expect(send(mpl.updateAsUpdateAuthorityV2(umi, standard))).toMatchObject({ custom: 135 });
    const rules = mpl.ruleSetToggle('Clear');
    expect(send(mpl.updateV1(umi, { ...asked, ruleSet: rules }))).toMatchObject({ custom: 135 });
  });
});

describe('Verify and Unverify', () => {
  it('mark a creator, by its own signature only', () => {
    const creators = [
      { address: publicKey(owner), verified: false, share: 40 },
      { address: publicKey(stranger), verified: false, share: 60 },
    ];
    const mint = createAsset(NonFungible, { creators });
    const account = { metadata: publicKey(metadataOf(mint)) };
    expect(send(mpl.verifyCreatorV1(umi, { ...account, authority: toSigner(stranger) }))).toBeNull();
    expect(readMetadata(mint).creators?.map(({ verified }) => verified)).toEqual([false, true]);
    expect(send(mpl.unverifyCreatorV1(umi, { ...account, authority: toSigner(stranger) }))).toBeNull();
    expect(readMetadata(mint).creators?.map(({ verified }) => verified)).toEqual([false, false]);
    const nobody = { ...account, authority: toSigner(network.newWallet()) };
    expect(send(mpl.verifyCreatorV1(umi, nobody))).toMatchObject({ custom: 40 });
  });

  it('mark a member of a collection by the authority of the collection, and count a sized one', () => {
    const collection = mintAsset(NonFungible, {
      collectionDetails: mpl.collectionDetails('V1', { size: 9n }),
    });
    const link = some({ verified: false, key: publicKey(collection) });
    const member = mintAsset(NonFungible, { collection: link });
    const asked = { metadata: publicKey(metadataOf(member)), collectionMint: publicKey(collection) };
    const strange = { ...asked, authority: toSigner(stranger) };
    expect(send(mpl.verifyCollectionV1(umi, strange))).toMatchObject({ custom: 7 });
    expect(send(mpl.verifyCollectionV1(umi, { ...asked, authority: toSigner(owner) }))).toBeNull();
    expect(readSize(collection)).toBe(1n);
    expect(send(mpl.verifyCollectionV1(umi, { ...asked, authority: toSigner(owner) }))).toBeNull();
    expect(readSize(collection)).toBe(1n);
    expect(send(mpl.burnV1(umi, burn(member)))).toMatchObject({ custom: 103 });
    expect(send(mpl.unverifyCollectionV1(umi, strange))).toMatchObject({ custom: 7 });
    expect(send(mpl.unverifyCollectionV1(umi, { ...asked, authority: toSigner(owner) }))).toBeNull();
    expect(readSize(collection)).toBe(0n);
  });

  it('refuse a collection that allows prints, that the asset does not name, or that is fungible', () => {
    const prints = mintAsset(NonFungible, { printSupply: mpl.printSupply('Unlimited') });
    const fungible = createAsset(mpl.TokenStandard.Fungible);
    const verify = (named: typeof prints, given: typeof prints) => {
      const member = createAsset(NonFungible, {
        collection: some({ verified: false, key: publicKey(named) }),
      });
      const asked = { metadata: publicKey(metadataOf(member)), collectionMint: publicKey(given) };
      return send(mpl.verifyCollectionV1(umi, { ...asked, authority: toSigner(owner) }));
    };
    expect(verify(prints, prints)).toMatchObject({ custom: 82 });
    expect(verify(prints, createAsset(NonFungible))).toMatchObject({ custom: 80 });
    expect(verify(fungible, fungible)).toMatchObject({ custom: 57 });
  });
});

describe('Transfer', () => {
  it('moves tokens to an account that it makes, by the holder or a delegate of the token program', () => {
    const mint = mintAsset(NonFungible);
    expect(send(mpl.transferV1(umi, { ...transfer(mint), authority: toSigner(stranger) }))).toMatchObject({
      custom: 158,
    });
    expect(send(mpl.transferV1(umi, { ...transfer(mint), amount: 0 }))).toMatchObject({ custom: 174 });
    expect(send(mpl.transferV1(umi, { ...transfer(mint), amount: 2 }))).toMatchObject({ custom: 184 });
    expect(send(mpl.transferV1(umi, transfer(mint)))).toBeNull();
    expect(readToken(tokenOf(stranger, mint)).amount).toBe(1n);
    expect(readToken(tokenOf(owner, mint)).amount).toBe(0n);
    expect(send(mpl.transferV1(umi, transfer(mint)))).toMatchObject({ custom: 184 });
    const other = mintAsset(NonFungible);
    const source = publicKey(tokenOf(owner, other));
    const delegated = { source, delegate: publicKey(stranger), owner: toSigner(owner), amount: 1 };
    expect(send(approveTokenDelegate(umi, delegated))).toBeNull();
    expect(send(mpl.transferV1(umi, { ...transfer(other), authority: toSigner(stranger) }))).toBeNull();
    expect(readToken(tokenOf(stranger, other)).amount).toBe(1n);
  });
});

describe('Burn', () => {
  it('closes the token, the edition and the metadata, which keeps the fee', () => {
    const mint = mintAsset(NonFungible);
    const before = network.account(owner)?.lamports ?? 0n;
    const rents = [165n, 20n, 607n].map((size) => network.svm.minimumBalanceForRentExemption(size));
    expect(send(mpl.burnV1(umi, { ...burn(mint), authority: toSigner(stranger) }))).toMatchObject({
      custom: 158,
    });
    expect(send(mpl.burnV1(umi, { ...burn(mint), amount: 2 }))).toMatchObject({ custom: 184 });
    expect(send(mpl.burnV1(umi, burn(mint)))).toBeNull();
    expect(network.account(owner)?.lamports).toBe(before + rents.reduce((sum, rent) => sum + rent));
    expect(network.account(tokenOf(owner, mint))).toBeNull();
    expect(network.account(editionOf(mint))).toBeNull();
    expect(network.account(metadataOf(mint))).toMatchObject({
      lamports: 10_000_000n,
      owner: PROGRAMS.metadata,
    });
    expect(network.account(metadataOf(mint))?.data).toEqual(Uint8Array.of(0));
    expect(readMint(mint).supply).toBe(0n);
  });

  it("does not close another asset's edition", () => {
    const [mint, other] = [mintAsset(NonFungible), mintAsset(NonFungible)];
    const edition = publicKey(editionOf(other));
    expect(send(mpl.burnV1(umi, { ...burn(mint), edition }))).toMatchObject({ custom: 27 });
    expect(network.account(editionOf(other))).not.toBeNull();
  });

  it('burns some of a fungible token, and closes the account with the last', () => {
    const mint = createAsset(mpl.TokenStandard.Fungible);
    const coins = { mint: publicKey(mint), tokenStandard: mpl.TokenStandard.Fungible };
    send(mpl.mintV1(umi, { ...coins, tokenOwner: publicKey(owner), amount: 10n }));
    const held = { ...burn(mint), tokenStandard: mpl.TokenStandard.Fungible };
    expect(send(mpl.burnV1(umi, { ...held, amount: 4n }))).toBeNull();
    expect(readToken(tokenOf(owner, mint)).amount).toBe(6n);
    expect(send(mpl.burnV1(umi, { ...held, amount: 7n }))).toMatchObject({ custom: 184 });
    expect(send(mpl.burnV1(umi, { ...held, amount: 6n }))).toBeNull();
    expect(network.account(tokenOf(owner, mint))).toBeNull();
    expect(readMetadata(mint).mint).toBe(mint);
  });
});

describe('the instructions over assets that exist', () => {
  it('refuse authorization data and data of any other length', () => {
    const mint = mintAsset(NonFungible);
    const authorized = { ...transfer(mint), authorizationData: some({ payload: { map: new Map() } }) };
    expect(send(mpl.transferV1(umi, authorized))).toMatchObject({ custom: 145 });
    const built = [
      mpl.transferV1(umi, transfer(mint)),
      mpl.burnV1(umi, burn(mint)),
      mpl.updateV1(umi, { mint: publicKey(mint), isMutable: true }),
      mpl.verifyCreatorV1(umi, { metadata: publicKey(metadataOf(mint)), authority: toSigner(owner) }),
    ];
    for (const [instruction] of built.map(toInstructions) as [Instruction][]) {
      const { data } = instruction;
      for (const wrong of [data.slice(0, -1), Uint8Array.of(...data, 0), data.slice(0, 1)]) {
        const { error } = network.send([{ ...instruction, data: wrong }]);
        expect(error).toMatchObject({ kind: 'InvalidInstructionData' });
      }
      const cut = { ...instruction, accounts: instruction.accounts.slice(0, -1) };
      expect(network.send([cut]).error).toMatchObject({ kind: 'NotEnoughAccountKeys' });
    }
  });
});

const { NonFungible } = mpl.TokenStandard;
const NOBODY = none<mpl.Creator[]>();
const DATA = {
  name: 'Changed',
  symbol: 'CHG',
  uri: 'https://example.com/2.json',
  sellerFeeBasisPoints: 100,
};

function transfer(mint: ReturnType<typeof mintAsset>) {
  return {
    mint: publicKey(mint),
    authority: toSigner(owner),
    tokenOwner: publicKey(owner),
    destinationOwner: publicKey(stranger),
    tokenStandard: NonFungible,
  };
}

function burn(mint: ReturnType<typeof mintAsset>) {
  const asked = { mint: publicKey(mint), authority: toSigner(owner), tokenOwner: publicKey(owner) };
  return { ...asked, tokenStandard: NonFungible };
}

/** Returns how many members the collection counts. */
function readSize(collection: ReturnType<typeof mintAsset>): bigint {
  const { data } = network.account(metadataOf(collection)) ?? { data: new Uint8Array(0) };
  const details = mpl.getMetadataAccountDataSerializer().deserialize(data)[0].collectionDetails;
  if (details.__option === 'None' || details.value.__kind !== 'V1')
    throw new Error('the collection is not sized');
  return details.value.size;
}
