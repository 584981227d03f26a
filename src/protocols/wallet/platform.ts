import type { PositionPlatform } from '../../protocol/positions/platform.ts';

/** The platform of assets that the wallet holds directly. */
export const WALLET_TOKENS = 'wallet-tokens';
export const WALLET_NFTS = 'wallet-nfts';

/** What the wallet itself holds, as two platforms. */
export const WALLET_PLATFORMS: readonly PositionPlatform[] = [
  {
    id: WALLET_TOKENS,
    name: 'Wallet',
    image: 'https://solana.com/favicon.ico',
    description: 'The native coin and the tokens of both token programs that the wallet itself holds.',
    isDeprecated: false,
    tags: ['wallet'],
    links: { website: 'https://solana.com/' },
  },
  {
    id: WALLET_NFTS,
    name: 'NFTs',
    image: 'https://solana.com/favicon.ico',
    description: 'The collectibles that the wallet itself holds.',
    isDeprecated: false,
    tags: ['wallet'],
    links: { website: 'https://solana.com/' },
  },
];
