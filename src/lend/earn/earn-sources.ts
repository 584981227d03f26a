import type { Chain } from '../../chain/chain.ts';
import type { Prices } from '../../market/prices/prices.ts';
import type { StakingAprOf } from '../assets/asset.ts';
import type { EarnMarkets } from './markets/earn-markets.ts';

/** The sources of earn actions, rates and positions. */
export interface EarnSources {
  readonly chain: Chain;
  readonly prices: Prices;
  readonly stakingAprOf: StakingAprOf;
  readonly markets: EarnMarkets;
}
