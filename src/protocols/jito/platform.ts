import type { PositionPlatform } from '../../protocol/positions/platform.ts';

/** Jito. The stake accounts with its rewards are read with all others, as native stake. */
export const JITO_PLATFORM: PositionPlatform = {
  id: 'jito',
  name: 'Jito',
  image: 'https://www.jito.network/favicon.ico',
  description: 'The rewards of block space auctions that arrived at stake accounts and can be withdrawn.',
  defiLlamaId: 'parent#jito',
  isDeprecated: false,
  tokens: ['J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn', 'jtojtomepa8beP8AuQc6eXt5FriJwfFMwQx2v2f9mCL'],
  tags: ['lst'],
  links: {
    website: 'https://www.jito.network/',
    documentation: 'https://www.jito.network/docs/jitosol/overview/',
    github: 'https://github.com/jito-foundation',
    twitter: 'https://twitter.com/jito_sol',
    discord: 'https://discord.gg/jito',
    medium: 'https://medium.com/@Jito-Foundation',
  },
};
