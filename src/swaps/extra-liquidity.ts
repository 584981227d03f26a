import type { ChainClock } from '../chain/chain.ts';
import type { Liquidity } from '../market/pools/liquidity.ts';
import type { Route } from '../market/router/index.ts';
import type { Address } from '../solana/address.ts';
import type { FillTerms } from './fill-terms.ts';

/** Liquidity beside the pools, such as the order books of makers. The router searches with one candidate at a time. */
export interface ExtraLiquidity {
  /** The label by which requests choose or exclude it. */
  readonly label: string;
  /** Selects what may pay the taker most, each together with the pools that it competes with. */
  candidatesFor(pools: Liquidity, wanted: LiquidityRequest): ExtraCandidates;
  /** Returns what the maker in a route signs for; null if none takes part. */
  readonly fillTermsOf: (route: Route) => FillTerms | null;
}

/** A swap for which candidates are selected. */
export interface LiquidityRequest {
  readonly inputMint: Address;
  readonly outputMint: Address;
  readonly amount: bigint;
  readonly clock: ChainClock;
  /** Null if the taker is unknown. A maker never trades with its own books. */
  readonly taker: Address | null;
  /** Filters by venue label; every venue is allowed if absent. */
  readonly allows?: (label: string) => boolean;
  /** Pools and makers that the swap failed with in a simulation; none if absent. */
  readonly avoid?: ReadonlySet<Address>;
  /** Called for each maker that quotes the swap's own pair and cannot take part, and why. Absent: nobody is told. */
  readonly onPassed?: (makerId: string, reason: 'volume' | 'unusable') => void;
  /**
   * Called once for each maker that may take part, after `onPassed`, with the atoms that the swap would pay with its best
   * book, before fees, as estimated. Absent: nobody is told.
   */
  readonly onConsidered?: (makerId: string, estimatedOut: number) => void;
}

export interface ExtraCandidates {
  /** For each candidate, such as a book, the pools together with it. */
  readonly liquidities: readonly Liquidity[];
  /** The makers of the candidates, and the makers that quote the swap's own pair; each once. */
  readonly makerIds: readonly string[];
}
