import type { PositionPlatform } from '../../protocol/positions/platform.ts';

/** The pages and channels that all platforms of Jupiter have. */
export const JUPITER_CHANNELS = {
  github: 'https://github.com/jup-ag',
  twitter: 'https://twitter.com/JupiterExchange',
  discord: 'https://discord.gg/jup',
};

/** The platform of orders, perpetuals, locks, lending, invites and fees of launches, each of which is a protocol. */
export const JUPITER_EXCHANGE_PLATFORM: PositionPlatform = {
  id: 'jupiter-exchange',
  name: 'Jupiter',
  image: 'https://static.jup.ag/jup/icon.png',
  description:
    'Orders, perpetuals, locks, lending and invites of the Jupiter programs, and fees of launches.',
  defiLlamaId: 'parent#jupiter',
  isDeprecated: false,
  tokens: ['27G8MtK7VtTcCHkpASjSDdkWWYfoqT6ggEuKidVJidD4', 'jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v'],
  tags: ['dapp'],
  links: { website: 'https://jup.ag/', ...JUPITER_CHANNELS },
};
