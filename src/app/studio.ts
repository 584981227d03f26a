import type { LaunchDirectory } from '../launches/launch.ts';
import type { Address } from '../solana/address.ts';
import type { FeeClaimDependencies } from '../studio/launched/fee-claim.ts';
import { LaunchKeys } from '../studio/keys/launch-keys.ts';
import type { LaunchAddressDependencies } from '../studio/launched/launch-addresses.ts';
import type { StudioMedia } from '../studio/media/open-media.ts';
import type { LowerRooms } from './lower-rooms.ts';
import type { StartContext } from './state/start-context.ts';
import { openAppStudioMedia } from './studio-media.ts';
import type { GasWallet } from '../waiting-orders/fills/gas-wallet.ts';

/** The studio as the product works with it. */
export interface AppStudio {
  /** The wallet that gets the operator's share of launches; null if none is known, so that none are prepared. */
  readonly partner: Address | null;
  /** What launches are read with, and claims of their fees are made. */
  readonly launched: FeeClaimDependencies & LaunchAddressDependencies;
  /** The files of launches. */
  readonly media: StudioMedia;
}

interface StudioParts {
  /** Null where nobody pays for fills, or this process makes none. */
  readonly gasWallet: GasWallet | null;
  readonly launches: LaunchDirectory;
  /** Returns the URL of `rest-port`; null as long as nothing listens there. */
  readonly getRestUrl: () => string | null;
}

/** Opens the preparation of launches. */
export async function openAppStudio(
  opening: StartContext,
  lower: LowerRooms,
  { gasWallet, launches, getRestUrl }: StudioParts,
): Promise<AppStudio> {
  const { config } = opening;
  const { state, network, market } = lower;
  const own = network.embedded === null ? null : (gasWallet?.keypair.address ?? null);
  const { chain, pools, describeFailure } = market;
  const keys = new LaunchKeys(state.deriveKey('configurations of launches'));
  const getOrigin = () => config.studio.url ?? (network.embedded === null ? null : getRestUrl());
  return {
    partner: config.studio.partner ?? own,
    launched: { chain, describeFailure, launches, keys, readKnown: (address) => pools.account(address) },
    media: await openAppStudioMedia(opening, lower, { getOrigin }),
  };
}
