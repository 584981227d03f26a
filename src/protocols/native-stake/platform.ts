import type { PositionPlatform } from '../../protocol/positions/platform.ts';

/** Native coin that is staked. */
export const NATIVE_STAKE_PLATFORM: PositionPlatform = {
  id: 'native-stake',
  name: 'Validators',
  image: 'https://solana.com/favicon.ico',
  description: 'Native coin that is delegated to validators by stake accounts.',
  isDeprecated: false,
  tags: ['dapp'],
  links: {
    website: 'https://solana.com/staking',
    documentation: 'https://solana.com/docs/references/staking',
  },
};
