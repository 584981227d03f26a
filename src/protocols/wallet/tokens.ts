import type { TokenAsset } from '../../protocol/positions/element.ts';
import type { PositionFetcher, WalletMint, WalletToken } from '../../protocol/positions/fetcher.ts';
import { reportOmittedTokens } from '../../protocol/positions/omitted-tokens.ts';
import { WALLET_TOKENS } from './platform.ts';

/**
 * Finds the tokens of both token programs that are neither collectibles nor represent positions. Each account is one
 * asset, because a wallet may have several accounts of one mint.
 */
export const walletTokens: PositionFetcher = {
  id: `${WALLET_TOKENS}-solana`,
  platformId: WALLET_TOKENS,
  fetch: async (wallet) => {
    const held = await wallet.heldTokens();
    const [claimed, omitted, mints] = await Promise.all([
      wallet.claimedMints(),
      reportOmittedTokens(wallet),
      wallet.mints(held.map(({ mint }) => mint)),
    ]);
    const unreadable = held
      .filter(({ mint }) => !mints.has(mint))
      .map(({ address, mint }) => ({ address, reason: `its mint ${mint} is no mint of a token program` }));
    const assets = held
      .filter((token) => !claimed.has(token.mint) && isFungible(token, mints.get(token.mint)))
      .map(createTokenAsset);
    return {
      elements: assets.length === 0 ? [] : [{ type: 'multiple', label: 'Wallet', assets }],
      unreadable: [...omitted, ...unreadable],
    };
  },
};

function createTokenAsset({ address, mint, amount, frozen }: WalletToken): TokenAsset {
  const asset = { type: 'token', mint, amount, ref: address } as const;
  return frozen ? { ...asset, attributes: { tags: ['Frozen'] } } : asset;
}

function isFungible(token: WalletToken, mint: WalletMint | undefined): boolean {
  return mint !== undefined && !isCollectible(token, mint);
}

/** Whether a token is a collectible: the only token of a mint without decimals. */
export function isCollectible(
  { amount }: Pick<WalletToken, 'amount'>,
  { decimals, supply }: WalletMint,
): boolean {
  return amount === 1n && decimals === 0 && supply === 1n;
}
