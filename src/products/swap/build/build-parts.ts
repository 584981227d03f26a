import type { Chain } from '../../../chain/chain.ts';
import type { LookupTables } from '../../../market/pools/lookup-tables.ts';
import type { Pools } from '../../../market/pools/pools.ts';
import type { Address } from '../../../solana/address.ts';
import type { Bps } from '../../../solana/units.ts';
import type { SlippageGrounds } from './slippage.ts';
import type { TokenAccountMints } from '../../../transactions/token-account-mints.ts';

/** What building a swap reads. All of it is kept warm: only an account that a request names by hand may cost a read. */
export interface BuildParts {
  readonly chain: Chain;
  readonly pools: Pools;
  readonly lookupTables: LookupTables;
  /** Of the logarithm of a pool's price, as it moved of late. */
  readonly variancePerSlot: (pool: Address) => number;
  /** Told of every slippage that is estimated, and on which grounds. */
  readonly noteSlippage: (estimated: SlippageGrounds & { readonly bps: Bps }) => void;
  readonly tokenAccountMints: TokenAccountMints;
  /** One of the accounts that tips are paid to; any of them will do. */
  readonly pickTipAccount: () => Address;
}
