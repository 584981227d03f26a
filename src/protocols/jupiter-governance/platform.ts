import type { PositionPlatform } from '../../protocol/positions/platform.ts';

/** The votes of JUP. */
export const JUPITER_GOVERNANCE_PLATFORM: PositionPlatform = {
  id: 'jupiter-governance',
  name: 'Jupiter DAO',
  image: 'https://static.jup.ag/jup/icon.png',
  description: 'JUP that is staked to vote.',
  isDeprecated: false,
  tokens: ['JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'],
  tags: ['dao'],
  links: { website: 'https://vote.jup.ag/', twitter: 'https://x.com/jup_dao' },
};
