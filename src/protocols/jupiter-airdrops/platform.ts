import type { PositionPlatform } from '../../protocol/positions/platform.ts';
import { JUPITER_CHANNELS } from '../jupiter-exchange/platform.ts';

/** The airdrops of the Jupiter distributor. */
export const JUPUARY_PLATFORM: PositionPlatform = {
  id: 'jupiter-jupuary',
  name: 'Jupuary',
  image: 'https://static.jup.ag/jup/icon.png',
  description:
    'What airdrops of the Jupiter distributor still owe to wallets that have claimed a part of them.',
  isDeprecated: false,
  tokens: ['JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'],
  tags: ['dao'],
  links: {
    website: 'https://jup.ag/',
    ...JUPITER_CHANNELS,
    github: 'https://github.com/jup-ag/distributor',
  },
};
