import type { FastifyBaseLogger } from 'fastify';
import type { Market } from './market.ts';
import type { AppState } from '../state/state.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import { VENUES } from '../../protocols/venues.ts';
import { JUPITER_RFQ_V2 } from '../../rfq/index.ts';
import { ORDER_ENGINE_PROGRAM } from '../../protocols/order-engine/fill-instruction.ts';
import { LiveMarketData } from '../../market-data/live-market-data.ts';

/** How much is kept in memory: about 1.5 GB with all tokens and wallets that there may be. */
const BOUNDS = { maxTokens: 500_000, maxWalletMinutes: 4_000_000, maxBots: 200_000 };

/** Begins to take in the trades of the network. */
export function openMarketData(
  { chain, pools }: Pick<Market, 'chain' | 'pools'>,
  { store }: Pick<AppState, 'store'>,
  logger: FastifyBaseLogger,
): Promise<LiveMarketData> {
  return LiveMarketData.open({
    chain,
    pools,
    venues: VENUES,
    fillPrograms: {
      [JUPITER_RFQ_V2.program]: JUPITER_RFQ_V2.label,
      [ORDER_ENGINE_PROGRAM]: JUPITER_RFQ_V2.label,
    },
    store,
    timers: SYSTEM_TIMERS,
    onDefect: (where, error) => logger.error({ where, err: error }, 'market data failed'),
    ...BOUNDS,
  });
}
