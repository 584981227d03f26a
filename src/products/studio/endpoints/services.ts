import type { LaunchCraftDependencies } from '../../../studio/creating/craft-launch.ts';
import type { FeeClaimDependencies } from '../../../studio/launched/fee-claim.ts';
import type { LaunchAddressDependencies } from '../../../studio/launched/launch-addresses.ts';
import type { SubmitLaunchDependencies } from '../../../studio/submissions/submit-launch.ts';
import type { MediaServices } from './media-answers.ts';

/** What the handlers of the endpoints about existing launches are given. */
export interface LaunchedServices {
  /** What launches are read with, and claims of their fees are made. */
  readonly launched: FeeClaimDependencies & LaunchAddressDependencies;
}

/** What the handlers of the product's endpoints are given. */
export interface StudioServices extends LaunchedServices, MediaServices {
  /** What launches are prepared with. */
  readonly creating: LaunchCraftDependencies;
  /** What launches are submitted with. */
  readonly submitting: SubmitLaunchDependencies;
}
