import type { PositionPlatform } from '../../../protocol/positions/platform.ts';

/** Meteora, of whose pools Sluice reads those of DAMM v2. */
export const METEORA_PLATFORM: PositionPlatform = {
  id: 'meteora',
  name: 'Meteora',
  image: 'https://www.meteora.ag/favicon.ico',
  description: 'Positions in DAMM v2 pools.',
  defiLlamaId: 'parent#meteora',
  isDeprecated: false,
  tags: ['dex'],
  links: {
    website: 'https://www.meteora.ag/',
    documentation: 'https://docs.meteora.ag/',
    github: 'https://github.com/MeteoraAg',
    twitter: 'https://x.com/MeteoraAG',
    discord: 'https://discord.gg/WwFwsVtvpH',
  },
};
