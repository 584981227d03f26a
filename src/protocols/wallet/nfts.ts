import {
  type DisplayMetadata,
  readMetadataAccount,
  readMintMetadata,
} from '../../solana/programs/token-metadata/display.ts';
import { deriveMetadataAddress } from '../../solana/programs/token-metadata/program.ts';
import type { CollectibleAsset } from '../../protocol/positions/element.ts';
import type {
  PositionFetcher,
  WalletMint,
  WalletReader,
  WalletToken,
} from '../../protocol/positions/fetcher.ts';
import { WALLET_NFTS } from './platform.ts';
import { reportOmittedTokens } from '../../protocol/positions/omitted-tokens.ts';
import { isCollectible } from './tokens.ts';

/** The maximum number of collectibles whose metadata accounts are read. */
const MAX_METADATA = 500;

/**
 * Up to this number of collectibles, the metadata accounts are read together with the mints, which saves a round of
 * reads.
 */
const MAX_READ_AT_ONCE = 64;

/** Finds the wallet's collectibles that do not represent positions, with their on-chain metadata. */
export const walletNfts: PositionFetcher = {
  id: `${WALLET_NFTS}-solana`,
  platformId: WALLET_NFTS,
  fetch: async (wallet) => {
    const few = await wallet.singleTokens();
    if (few.length <= MAX_READ_AT_ONCE)
      void wallet.accounts(few.map(({ mint }) => deriveMetadataAddress(mint)));
    const found = await findCollectibles(wallet);
    const outside = found.map(({ mint }) => readOwn(mint)).map((own) => own === null);
    const asked = found.filter((_, index) => outside[index]).slice(0, MAX_METADATA);
    const accounts = await wallet.accounts(asked.map(({ mint }) => deriveMetadataAddress(mint.address)));
    const kept = new Map(
      asked.map(({ mint }, index) => [mint.address, readMetadataAccount(accounts[index] ?? null)]),
    );
    const assets = found.map(({ token, mint }) =>
      createCollectibleAsset(token, readOwn(mint) ?? kept.get(mint.address) ?? null),
    );
    return {
      elements: assets.length === 0 ? [] : [{ type: 'multiple', label: 'Wallet', assets }],
      unreadable: await reportOmittedTokens(wallet),
    };
  },
};

async function findCollectibles(wallet: WalletReader) {
  const held = await wallet.singleTokens();
  const [claimed, mints] = await Promise.all([
    wallet.claimedMints(),
    wallet.mints(held.map(({ mint }) => mint)),
  ]);
  return held.flatMap((token) => {
    const mint = mints.get(token.mint);
    if (mint === undefined || claimed.has(token.mint) || !isCollectible(token, mint)) return [];
    return [{ token, mint }];
  });
}

function createCollectibleAsset(
  { address, mint }: WalletToken,
  metadata: DisplayMetadata | null,
): CollectibleAsset {
  const asset = { type: 'collectible', mint, amount: 1n, ref: address } as const;
  if (metadata === null) return { ...asset, traits: [], collection: null };
  const { name, uri, additional, collection } = metadata;
  const additionalValue = (wanted: string) => additional.find(([key]) => key === wanted)?.[1];
  const [imageUri, description] = [additionalValue('image'), additionalValue('description')];
  return {
    ...asset,
    ...(name === '' ? {} : { name }),
    ...(uri === '' ? {} : { dataUri: uri }),
    ...(imageUri === undefined ? {} : { imageUri }),
    ...(description === undefined ? {} : { description }),
    traits: additional
      .filter(([key]) => key !== 'image' && key !== 'description')
      .map(([trait_type, value]) => ({ trait_type, value })),
    collection: collection === null ? null : { id: collection },
  };
}

/** Reads the metadata in the mint itself, or returns null if there is none that can be read. */
function readOwn({ address, extensions }: WalletMint): DisplayMetadata | null {
  return readMintMetadata(address, extensions);
}
