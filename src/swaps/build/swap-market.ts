import type { Chain } from '../../chain/chain.ts';
import type { LookupTableIndex } from '../../market/pools/lookup-tables.ts';
import type { Pools } from '../../market/pools/pools.ts';
import type { Prices } from '../../market/prices/prices.ts';
import type { Address } from '../../solana/address.ts';
import type { Bps } from '../../solana/units.ts';
import type { SlippageGrounds } from './slippage.ts';
import type { DescribeFailure } from '../../transactions/transaction-failure.ts';
import type { TokenLedgers } from '../../market/aggregator/token-ledgers.ts';
import type { TokenAccountMints } from '../../transactions/token-account-mints.ts';

/**
 * What building a swap reads. Everything is cached; only an account that a request names explicitly may cost a read.
 */
export interface SwapMarket {
  readonly chain: Chain;
  readonly pools: Pools;
  readonly prices: Prices;
  readonly lookupTables: LookupTableIndex;
  /** Recent variance of the logarithm of a pool's price, per slot. */
  readonly variancePerSlot: (pool: Address) => number;
  /** Called with every slippage that is estimated, and the values it was estimated from. */
  readonly noteSlippage: (estimated: SlippageGrounds & { readonly bps: Bps }) => void;
  readonly tokenAccountMints: TokenAccountMints;
  readonly tokenLedgers: Pick<TokenLedgers, 'pick'>;
  readonly describeFailure: DescribeFailure;
  /** Picks one of the accounts that tips can be paid to. */
  readonly pickTipAccount: () => Address;
}
