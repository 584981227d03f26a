import { PROGRAM_AUTHORITIES, getProgramAuthority } from '../../protocol/venue/aggregator-program.ts';
import { TokenLedgers } from '../../market/aggregator/token-ledgers.ts';
import { LookupTableIndex } from '../../market/pools/lookup-tables.ts';
import { Pools } from '../../market/pools/pools.ts';
import type { Prices } from '../../market/prices/prices.ts';
import { joinProgramErrorExplanations, joinProgramErrorNames } from '../../market/program-errors.ts';
import { venueLabels } from '../../protocol/venue/venue.ts';
import { PROTOCOLS } from '../../protocols/index.ts';
import { VENUES } from '../../protocols/venues.ts';
import { JUPITER_RFQ_V2 } from '../../rfq/index.ts';
import { VolatilityEstimator } from '../../market/prices/volatility.ts';
import type { OpenedNetwork } from '../state/network.ts';
import type { Chain } from '../../chain/chain.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import type { Address } from '../../solana/address.ts';
import { type DescribeFailure, createFailureDescriber } from '../../transactions/transaction-failure.ts';
import { TokenAccountMints } from '../../transactions/token-account-mints.ts';

/** What transactions of products are built from: every pool of the network's venues, and its lookup tables. */
export interface Market {
  readonly chain: Chain;
  readonly pools: Pools;
  readonly prices: Prices;
  readonly lookupTables: LookupTableIndex;
  readonly tokenAccountMints: TokenAccountMints;
  readonly tokenLedgers: TokenLedgers;
  /** The variance per slot of the logarithm of a pool's price, as it moved lately. */
  readonly variancePerSlot: (pool: Address) => number;
  /** The labels of the venues that routes may use, by the program that routes call. */
  readonly venueLabels: Readonly<Record<Address, string>>;
  readonly describeFailure: DescribeFailure;
  /** Returns an account for a tip. The accounts alternate, so that tips do not all write to the same one. */
  readonly pickTipAccount: () => Address;
  readonly close: () => void;
}

/**
 * Reads every pool of the network's venues and its lookup tables, and keeps them current until `close` is called. Prices are
 * those of market data, which is opened after the pools.
 * @param network - `lookupTables` are the addresses of those that transactions may use.
 */
export async function openMarket({
  chain,
  lookupTables: addresses,
}: Pick<OpenedNetwork, 'chain' | 'lookupTables'>): Promise<Omit<Market, 'prices'>> {
  const pools = await Pools.open(chain, VENUES);
  const volatility = new VolatilityEstimator(pools, () => chain.slot('processed'));
  const lookupTables = await LookupTableIndex.open(chain, addresses);
  let tips = 0;
  return {
    chain,
    pools,
    variancePerSlot: (pool) => volatility.variancePerSlot(pool),
    lookupTables,
    tokenAccountMints: new TokenAccountMints(chain),
    tokenLedgers: new TokenLedgers(chain, SYSTEM_TIMERS.now),
    venueLabels: { ...venueLabels(VENUES), [JUPITER_RFQ_V2.program]: JUPITER_RFQ_V2.label },
    describeFailure: createFailureDescriber(
      joinProgramErrorNames(PROTOCOLS),
      joinProgramErrorExplanations(PROTOCOLS),
    ),
    pickTipAccount: () => getProgramAuthority(tips++ % PROGRAM_AUTHORITIES.length),
    close: () => {
      lookupTables.close();
      volatility.close();
      pools.close();
    },
  };
}
