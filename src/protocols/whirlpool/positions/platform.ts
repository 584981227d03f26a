import type { PositionPlatform } from '../../../protocol/positions/platform.ts';

/** Orca, the platform of the Whirlpools. */
export const ORCA_PLATFORM: PositionPlatform = {
  id: 'orca',
  name: 'Orca',
  image: 'https://www.orca.so/favicon.ico',
  description: 'Positions of concentrated liquidity in Whirlpools.',
  defiLlamaId: 'orca-dex',
  isDeprecated: false,
  tokens: ['orcaEKTdK7LKz57vaAYr9QeNsVEPfiu6QeMU1kektZE'],
  tags: ['dex'],
  links: {
    website: 'https://www.orca.so/',
    documentation: 'https://docs.orca.so/',
    github: 'https://github.com/orca-so',
    twitter: 'https://twitter.com/orca_so',
    discord: 'https://discord.orca.so/',
    medium: 'https://orca-so.medium.com/',
  },
};
