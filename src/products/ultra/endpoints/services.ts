import type { ConcurrencyLimit } from '../../../common/collections/concurrency-limit.ts';
import type { HoldingsDependencies } from '../holdings/holdings.ts';
import type { ReclaimDependencies } from '../reclaim/craft-reclaim.ts';
import type { ShieldDependencies } from '../shield/shield.ts';
import type { ExecuteSignedDependencies } from '../../../transactions/signed/execute-signed.ts';

import type { TradeHistoryDependencies } from '../trades/trade-history.ts';

/** What the handlers of the product's endpoints are given. */
export interface UltraServices {
  readonly holdings: HoldingsDependencies;
  /** Limits how many requests that read or simulate much run at once. */
  readonly turns: ConcurrencyLimit;
  readonly shield: ShieldDependencies;
  readonly trades: TradeHistoryDependencies;
  /** What transactions that wallets sign are made and landed with. */
  readonly wallets: ReclaimDependencies & ExecuteSignedDependencies;
}
