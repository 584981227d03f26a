import type { PositionPlatform } from '../../protocol/positions/platform.ts';

/** Raydium, of whose pools Sluice reads those of constant product. */
export const RAYDIUM_PLATFORM: PositionPlatform = {
  id: 'raydium',
  name: 'Raydium',
  image: 'https://raydium.io/favicon.ico',
  description: 'Liquidity of constant-product pools.',
  defiLlamaId: 'parent#raydium',
  isDeprecated: false,
  tokens: ['4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R'],
  tags: ['dex'],
  links: {
    website: 'https://raydium.io/',
    documentation: 'https://docs.raydium.io/',
    github: 'https://github.com/raydium-io',
    discord: 'https://discord.com/invite/raydium',
    telegram: 'https://t.me/raydiumprotocol',
  },
};
