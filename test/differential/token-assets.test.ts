import * as mpl from '@metaplex-foundation/mpl-token-metadata';
import { publicKey, some, type TransactionBuilder } from '@metaplex-foundation/umi';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createBuildingUmi, toInstructions, toSigner } from '../../programs/token-metadata/tests/umi.ts';
import { namedAddress } from '../../programs/raydium-cpmm/tests/fixture.ts';
import { sampleCases } from '../../src/testing/random.ts';
import type { Address } from '../../src/solana/address.ts';
import type { Instruction } from '../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../src/solana/pda.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../src/solana/program-addresses.ts';
import {
  deriveEditionAddress,
  deriveMetadataAddress,
  TOKEN_METADATA_PROGRAM,
} from '../../src/solana/programs/token-metadata/program.ts';
import { Comparison, compareCases, compareWrongAccounts, type ValidInstruction } from './comparison.ts';
import { readMetadataBuild } from './token-metadata/build.ts';
import { NO_ACCOUNT, PUBLIC_PROGRAM, Twin } from './twin.ts';

const FEATURE_NOT_SUPPORTED = 145;
const dump = readMetadataBuild();
const [owner, stranger] = [namedAddress('asset owner'), namedAddress('asset stranger')];
const umi = createBuildingUmi(owner);

describe.skipIf(dump === null)('token assets and the public program', () => {
  it('refuse the same wrong accounts', async () => {
    const networks = new AssetTwin();
    const valid = networks.prepare();
    await compareWrongAccounts(new Comparison('assets, wrong accounts', networks), valid);
  });

  it('do the same in the lives of assets', async () => {
    const networks = new AssetTwin();
    networks.prepare();
    const steps = sampleCases(action, { cases: 4000, seed: SEED, against: PUBLIC_PROGRAM });
    await compareCases(new Comparison('asset lives', networks), steps, (each) => {
      for (const instruction of toInstructions(build(each))) {
        const different = networks.difference(instruction);
        if (different !== null) return different;
      }
      return null;
    });
  });
});

const { NonFungible, Fungible, FungibleAsset } = mpl.TokenStandard;

class AssetTwin extends Twin {
  constructor() {
    super('token-metadata', TOKEN_METADATA_PROGRAM, dump as Uint8Array);
    this.both((network) => {
      for (const wallet of [owner, stranger]) {
        network.setAccount(wallet, { ...NO_ACCOUNT, lamports: 10n ** 14n });
      }
    });
  }

  /** The stand-in refuses what it leaves out, where the public program finds another reason or panics. */
  override endDifference(given: Instruction): string | null {
    const instruction = withoutWritablePrograms(given);
    const different = super.endDifference(instruction);
    if (different === null) return null;
    const [ours, theirs] = [this.standIn, this.publicBuild].map((one) => one.simulate([instruction]).error);
    const left = ours?.custom === FEATURE_NOT_SUPPORTED && theirs !== null;
    const panicked = ours !== null && theirs?.kind === 'ProgramFailedToComplete';
    if (!left && !panicked) return different;
    this.expectedDifferences++;
    return null;
  }

  /** Runs what the client has built in both, which must succeed. */
  run(builder: TransactionBuilder): void {
    for (const instruction of toInstructions(builder)) {
      const outcomes = this.send(instruction).map(({ error }) => error);
      expect(outcomes).toEqual([null, null]);
    }
  }

  prepare(): ValidInstruction[] {
    const [collection, member, loose] = ['collection', 'member', 'loose'].map(mintOf) as [
      Address,
      Address,
      Address,
    ];
    const [coin, unminted, fresh] = ['coin', 'unminted', 'fresh'].map(mintOf) as [Address, Address, Address];
    const link = { collection: some({ verified: false, key: publicKey(collection) }) };
    this.run(mpl.createNft(umi, { ...asset(collection), isCollection: true }));
    this.run(mpl.createNft(umi, { ...asset(member), ...link }));
    this.run(mpl.createNft(umi, { ...asset(loose), ...link }));
    this.run(mpl.verifyCollectionV1(umi, { ...metadata(member), ...parent(collection) }));
    this.run(mpl.createFungible(umi, { ...asset(coin), decimals: some(6) }));
    this.run(mpl.mintV1(umi, { ...minting(coin, Fungible), amount: 50n }));
    this.run(mpl.createV1(umi, { ...asset(unminted), tokenStandard: NonFungible }));
    const data = {
      name: 'Other',
      symbol: 'OTH',
      uri: 'https://x.test',
      sellerFeeBasisPoints: 5,
      creators: null,
    };
    const holder = { tokenOwner: publicKey(owner), authority: toSigner(owner) };
    const moved = { ...holder, destinationOwner: publicKey(stranger) };
    const built: (readonly [string, TransactionBuilder])[] = [
      ['create', mpl.createV1(umi, { ...asset(fresh), tokenStandard: NonFungible })],
      ['create pieces', mpl.createV1(umi, { ...asset(fresh), tokenStandard: FungibleAsset })],
      ['mint', mpl.mintV1(umi, minting(unminted, NonFungible))],
      ['mint coins', mpl.mintV1(umi, { ...minting(coin, Fungible), amount: 7n })],
      [
        'update',
        mpl.updateV1(umi, { mint: publicKey(loose), authority: toSigner(owner), isMutable: some(false) }),
      ],
      [
        'update as authority',
        mpl.updateAsUpdateAuthorityV2(umi, {
          mint: publicKey(coin),
          data: some(data as never),
          token: publicKey(tokenOf(owner, coin)),
        }),
      ],
      ['verify creator', mpl.verifyCreatorV1(umi, metadata(loose))],
      ['unverify creator', mpl.unverifyCreatorV1(umi, metadata(loose))],
      ['verify collection', mpl.verifyCollectionV1(umi, { ...metadata(loose), ...parent(collection) })],
      ['unverify collection', mpl.unverifyCollectionV1(umi, { ...metadata(member), ...parent(collection) })],
      ['transfer', mpl.transferV1(umi, { ...moved, mint: publicKey(loose), tokenStandard: NonFungible })],
      [
        'transfer coins',
        mpl.transferV1(umi, { ...moved, mint: publicKey(coin), tokenStandard: Fungible, amount: 3n }),
      ],
      ['burn', mpl.burnV1(umi, { ...holder, mint: publicKey(loose), tokenStandard: NonFungible })],
      [
        'burn member',
        mpl.burnV1(umi, {
          ...holder,
          mint: publicKey(member),
          tokenStandard: NonFungible,
          collectionMetadata: publicKey(deriveMetadataAddress(collection)),
        }),
      ],
      [
        'burn coins',
        mpl.burnV1(umi, { ...holder, mint: publicKey(coin), tokenStandard: Fungible, amount: 50n }),
      ],
    ];
    const strangers = [
      stranger,
      coin,
      TOKEN_METADATA_PROGRAM,
      TOKEN_2022_PROGRAM,
      tokenOf(owner, coin),
      deriveMetadataAddress(coin),
      deriveEditionAddress(collection).address,
    ];
    return built.map(
      ([name, builder]) => [name, ...(toInstructions(builder) as [Instruction]), strangers] as const,
    );
  }
}

const SEED = 20_261_127;
const NAMES = [
  'collection',
  'member',
  'loose',
  'coin',
  'unminted',
  'later',
  'later pieces',
  'later nft',
] as const;

/** One step of a random life: what is done, to which asset, by whom, with all that some of the kinds look at. */
const action = fc.record({
  kind: fc.constantFrom(
    'create',
    'mint',
    'mint',
    'update',
    'updateAs',
    'verify',
    'unverify',
    'verifyCollection',
    'unverifyCollection',
    'transfer',
    'transfer',
    'burn',
    'edition',
  ),
  name: fc.constantFrom(...NAMES),
  other: fc.constantFrom(...NAMES),
  authority: fc.constantFrom(owner, owner, owner, stranger),
  holder: fc.constantFrom(owner, owner, stranger),
  to: fc.constantFrom(owner, stranger),
  standard: fc.constantFrom(0, 0, 1, 2, 2, 3),
  named: fc.constantFrom(0, 1, 2),
  amount: fc.constantFrom(0n, 1n, 1n, 1n, 2n, 7n, 60n),
  supply: fc.constantFrom(
    mpl.printSupply('Zero'),
    mpl.printSupply('Limited', [3n]),
    mpl.printSupply('Unlimited'),
  ),
  counts: fc.constantFrom(0, 1, 2),
  flag: fc.option(fc.boolean()),
  authorityTo: fc.option(fc.constantFrom(owner, stranger), { freq: 2 }),
  toggle: fc.constantFrom('None', 'Clear', 'Set'),
  verified: fc.boolean(),
  text: fc.string({ maxLength: 12 }),
  withToken: fc.boolean(),
  withEdition: fc.boolean(),
});
type Action = typeof action extends fc.Arbitrary<infer Step> ? Step : never;

function build(each: Action): TransactionBuilder {
  const [mint, other] = [mintOf(each.name), mintOf(each.other)];
  const authority = toSigner(each.authority);
  const key = publicKey(mint);
  const metadataAccount = publicKey(deriveMetadataAddress(mint));
  const link = { verified: each.verified, key: publicKey(other) };
  const edition = each.withEdition ? { edition: publicKey(deriveEditionAddress(mint).address) } : {};
  const token = each.withToken ? { token: publicKey(tokenOf(each.holder, mint)) } : {};
  const creators = [{ address: publicKey(each.holder), verified: each.verified, share: 100 }];
  const details = [
    null,
    mpl.collectionDetails('V1', { size: 3n }),
    mpl.collectionDetails('V2', { padding: new Array(8).fill(0) }),
  ][each.counts];
  const data = { name: each.text, symbol: 'S', uri: 'u', sellerFeeBasisPoints: 5, creators: some(creators) };
  const changes = {
    mint: key,
    authority,
    ...edition,
    ...token,
    data: each.flag === null ? null : data,
    newUpdateAuthority: each.authorityTo === null ? null : publicKey(each.authorityTo),
    primarySaleHappened: each.flag,
    isMutable: each.flag === false && each.text.length < 11 ? null : each.flag,
    collection:
      each.toggle === 'Set'
        ? mpl.collectionToggle('Set', [link])
        : mpl.collectionToggle(each.toggle as 'None'),
    collectionDetails:
      details == null ? mpl.collectionDetailsToggle('None') : mpl.collectionDetailsToggle('Set', [details]),
  };
  switch (each.kind) {
    case 'create':
      return mpl.createV1(umi, {
        ...asset(mint),
        tokenStandard: each.standard,
        collection: each.flag === null ? null : some({ ...link, verified: false }),
        printSupply: some(each.supply),
        collectionDetails: details === undefined ? null : details,
        decimals: some(each.counts),
        authority,
        ...(each.flag === null ? {} : { creators: some(creators) }),
      });
    case 'mint':
      return mpl.mintV1(umi, {
        mint: key,
        authority,
        tokenStandard: each.named,
        tokenOwner: publicKey(each.holder),
        amount: each.amount,
      });
    case 'update':
      return mpl.updateV1(umi, changes);
    case 'updateAs':
      return mpl.updateAsUpdateAuthorityV2(umi, {
        ...changes,
        tokenStandard: each.flag === null ? null : each.standard,
      });
    case 'verify':
      return mpl.verifyCreatorV1(umi, { metadata: metadataAccount, authority });
    case 'unverify':
      return mpl.unverifyCreatorV1(umi, { metadata: metadataAccount, authority });
    case 'verifyCollection':
      return mpl.verifyCollectionV1(umi, { metadata: metadataAccount, authority, ...parent(other) });
    case 'unverifyCollection':
      return mpl.unverifyCollectionV1(umi, { metadata: metadataAccount, authority, ...parent(other) });
    case 'transfer':
      return mpl.transferV1(umi, {
        mint: key,
        authority,
        tokenOwner: publicKey(each.holder),
        destinationOwner: publicKey(each.to),
        tokenStandard: each.named,
        amount: each.amount,
      });
    case 'burn':
      return mpl.burnV1(umi, {
        mint: key,
        authority,
        tokenOwner: publicKey(each.holder),
        tokenStandard: each.named,
        amount: each.amount,
        ...(each.withToken ? { collectionMetadata: publicKey(deriveMetadataAddress(other)) } : {}),
      });
    case 'edition':
      return mpl.createMasterEditionV3(umi, {
        mint: key,
        mintAuthority: authority,
        updateAuthority: authority,
        maxSupply: each.flag === null ? null : each.amount,
      });
  }
}

/** The program itself, which stands for what is left out, can be neither written nor sign. */
function withoutWritablePrograms(instruction: Instruction): Instruction {
  const accounts = instruction.accounts.map((account) =>
    account.address === TOKEN_METADATA_PROGRAM ? { ...account, role: 0 as const } : account,
  );
  return { ...instruction, accounts };
}

function mintOf(name: string): Address {
  return namedAddress(`asset ${name}`);
}

function asset(mint: Address) {
  const sellerFeeBasisPoints = { basisPoints: 550n, identifier: '%', decimals: 2 } as const;
  return { mint: toSigner(mint), name: 'Name', symbol: 'SYM', uri: 'https://x.test', sellerFeeBasisPoints };
}

function metadata(mint: Address) {
  return { metadata: publicKey(deriveMetadataAddress(mint)), authority: toSigner(owner) };
}

function parent(mint: Address) {
  return { collectionMint: publicKey(mint) };
}

function minting(mint: Address, tokenStandard: mpl.TokenStandard) {
  return { mint: publicKey(mint), tokenStandard, tokenOwner: publicKey(owner), amount: 1n };
}

function tokenOf(wallet: Address, mint: Address): Address {
  return deriveAssociatedTokenAddress(wallet, mint, TOKEN_PROGRAM);
}
