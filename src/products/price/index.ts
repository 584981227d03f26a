import type { Chain } from '../../chain/chain.ts';
import type { Liquidity } from '../../market/pools/liquidity.ts';
import type { MarketData } from '../../market-data/market-data.ts';
import { defineProduct } from '../product.ts';
import { createPriceAnswers } from './endpoints/answers.ts';
import { candles } from './endpoints/candles.ts';
import { priceStream } from './endpoints/price-stream.ts';
import { prices } from './endpoints/prices.ts';
import { pricesV2 } from './endpoints/prices-v2.ts';
import { openExtraInfo } from './extra-info/extra-info.ts';

export interface PriceDependencies {
  readonly market: { readonly chain: Pick<Chain, 'clock'>; readonly pools: Liquidity };
  readonly marketData: MarketData;
}

export const price = defineProduct({
  name: 'price',
  description: 'Prices in US dollars of tokens, with candles and streams.',
  basePaths: ['/price'],
  examples: [
    {
      title: 'the price of SOL in US dollars',
      path: prices.path,
      query: { ids: 'So11111111111111111111111111111111111111112' },
    },
  ],
  endpoints: [prices, candles, priceStream, pricesV2],
  open: ({ market: { chain, pools }, marketData }: PriceDependencies) => {
    const extraInfo = openExtraInfo({ chain, pools, marketData });
    return {
      services: {
        marketData,
        answers: createPriceAnswers(marketData),
        extraInfo: extraInfo.of,
        clock: () => Number(chain.clock().unixTimestamp),
        now: () => performance.now(),
      },
      close: extraInfo.close,
    };
  },
});
