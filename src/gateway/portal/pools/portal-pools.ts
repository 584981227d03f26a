import type { PoolViews } from '../../../market/pool-views/pool-views.ts';
import type { Address } from '../../../solana/address.ts';

/** How a token is shown. Its symbol is text that anybody may have written. */
export interface ShownToken {
  readonly symbol: string | null;
  /** Null while its mint is not read. */
  readonly decimals: number | null;
  readonly isVerified: boolean;
}

/** Pools as the pages of the portal read them. */
export interface PortalPools {
  readonly views: Pick<PoolViews, 'list' | 'summarize' | 'find' | 'quote' | 'venueLabels'>;
  readonly showToken: (mint: Address) => ShownToken;
}
