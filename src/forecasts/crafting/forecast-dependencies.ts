import type { Chain } from '../../chain/chain.ts';
import type { LookupTableIndex } from '../../market/pools/lookup-tables.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { GaslessOrders } from '../../predictions/crafting/paying/gasless-orders.ts';
import type { PredictionEvents } from '../../predictions/prediction.ts';
import type { ForecastHoldings, ForecastRounds } from '../forecast.ts';
import type { ForecastQuotes } from '../quotes/forecast-quotes.ts';

/** What orders on forecasts are made with. */
export interface ForecastCraftDependencies {
  readonly chain: Chain;
  readonly pools: Pools;
  /** Null makes transactions without lookup tables. */
  readonly lookupTables: LookupTableIndex | null;
  readonly events: Pick<PredictionEvents, 'findMarket'>;
  readonly rounds: Pick<ForecastRounds, 'findByMint'>;
  readonly holdings: ForecastHoldings;
  readonly quotes: ForecastQuotes;
  /** Null without a sponsor. */
  readonly gasless: GaslessOrders | null;
  /** Returns a UUID that nobody can foresee. */
  readonly newRequestId: () => string;
}
