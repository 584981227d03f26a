import type { Route } from '../../../market/router/index.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import type { Address } from '../../../solana/address.ts';
import type { SwapMarket } from '../../../swaps/build/swap-market.ts';
import type { VenueChoice } from '../../../swaps/build/swap-terms.ts';
import type { FloorLimits } from '../../../waiting-orders/fills/floor.ts';
import type { ReferenceQuote } from '../../../waiting-orders/fills/fill-planner.ts';

/** What the planners of a keeper read, and who pays and signs. */
export interface OrderPlanDependencies {
  readonly market: SwapMarket;
  /** Labels of the venues that routes may use, by program. */
  readonly venueLabels: Readonly<Record<string, string>>;
  /** Pays for all transactions, and fills limit orders. */
  readonly gasWallet: Keypair;
  /** Whether that wallet is known to hold too little for any fill. Absent: it never is. */
  readonly isGasEmpty?: () => boolean;
  /** Fills DCA orders: one of the keys that the program lets fill. It may be the gas wallet. Null leaves them alone. */
  readonly dcaKeeper: Keypair | null;
  readonly limits: FloorLimits;
  /** The venues that fills may lead over; absent allows every venue. */
  readonly venues?: VenueChoice;
  /** Returns US dollars for whole tokens, by prices that can be relied on. */
  readonly findReferences: (inputMint: Address, outputMint: Address) => ReferenceQuote;
}

/** What the planners of one keeper share. */
export interface PlanContext extends OrderPlanDependencies {
  /** Returns another number each time, so that transactions that are otherwise alike differ. */
  readonly nextSerial: () => number;
  /** Pools that the route leaves out, because earlier fills of the order over them failed. */
  readonly avoided: ReadonlySet<Address>;
  /** Remembers the route of a fill that is about to be tried. */
  readonly noteRoute: (order: { readonly address: Address; readonly failures: number }, route: Route) => void;
}
