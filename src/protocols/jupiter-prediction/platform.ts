import type { PositionPlatform } from '../../protocol/positions/platform.ts';
import { JUPITER_CHANNELS } from '../jupiter-exchange/platform.ts';

/** Positions on prediction markets. */
export const JUPITER_PREDICTION_PLATFORM: PositionPlatform = {
  id: 'jupiter-pm',
  name: 'Jupiter Prediction Markets',
  image: 'https://static.jup.ag/jup/icon.png',
  description: 'Contracts of prediction markets, of which each pays a dollar if its side wins.',
  isDeprecated: false,
  tags: ['dapp'],
  links: { website: 'https://jup.ag/prediction/', ...JUPITER_CHANNELS },
};
