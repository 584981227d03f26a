import type { PositionPlatform } from '../../protocol/positions/platform.ts';

/** Saber. */
export const SABER_PLATFORM: PositionPlatform = {
  id: 'saber',
  name: 'Saber',
  image: 'https://saberdao.io/favicon.ico',
  description: 'Liquidity of pools of equal tokens.',
  defiLlamaId: 'saber',
  isDeprecated: false,
  tags: ['dex'],
  links: { website: 'https://saberdao.io/' },
};
