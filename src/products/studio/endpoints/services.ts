import type { Address } from '../../../solana/address.ts';
import type { FeeClaimDependencies } from '../../../studio/launched/fee-claim.ts';
import type { LaunchAddressDependencies } from '../../../studio/launched/launch-addresses.ts';
import type { MediaServices } from './media-answers.ts';

/** What the handlers of the endpoints about existing launches are given. */
export interface LaunchedServices {
  /** What launches are read with, and claims of their fees are made. */
  readonly launched: FeeClaimDependencies & LaunchAddressDependencies;
}

/** What the handlers of the product's endpoints are given. */
export interface StudioServices extends LaunchedServices, MediaServices {
  /** The wallet that gets the operator's share of launches; null if none is known, so that none are prepared. */
  readonly partner: Address | null;
}
