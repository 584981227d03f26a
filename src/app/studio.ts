import type { LaunchDirectory } from '../launches/launch.ts';
import { chooseFraction } from '../common/choose-fraction.ts';
import type { Metrics } from '../common/ports/metrics.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import type { LaunchCraftDependencies } from '../studio/creating/craft-launch.ts';
import type { FeeClaimDependencies } from '../studio/launched/fee-claim.ts';
import type { LaunchAddressDependencies } from '../studio/launched/launch-addresses.ts';
import { LaunchKeys } from '../studio/keys/launch-keys.ts';
import type { StudioMedia } from '../studio/media/open-media.ts';
import { openLaunchSweep } from '../studio/submissions/open-launch-sweep.ts';
import { StudioLaunches } from '../studio/submissions/studio-launches.ts';
import type { SubmitLaunchDependencies } from '../studio/submissions/submit-launch.ts';
import type { LowerRooms } from './lower-rooms.ts';
import type { AppState } from './state/state.ts';
import type { StartContext } from './state/start-context.ts';
import { openAppStudioMedia } from './studio-media.ts';
import type { GasWallet } from '../waiting-orders/fills/gas-wallet.ts';

/** The studio as the product works with it. */
export interface AppStudio {
  /** What launches are prepared with. */
  readonly creating: LaunchCraftDependencies;
  /** What launches are submitted with. */
  readonly submitting: SubmitLaunchDependencies;
  /** What launches are read with, and claims of their fees are made. */
  readonly launched: FeeClaimDependencies & LaunchAddressDependencies;
  /** The files of launches. */
  readonly media: StudioMedia;
}

/** Opens the keys of launches, which follow from the secret that instances share. */
export function openLaunchKeys({ deriveKey }: Pick<AppState, 'deriveKey'>): LaunchKeys {
  return new LaunchKeys(deriveKey('configurations of launches'));
}

interface StudioParts {
  readonly metrics: Metrics;
  readonly keys: LaunchKeys;
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
  { metrics, keys, gasWallet, launches, getRestUrl }: StudioParts,
): Promise<AppStudio> {
  const { config, logger, toClose } = opening;
  const { state, network, market } = lower;
  const { chain, pools, describeFailure } = market;
  const isOwnNetwork = network.embedded !== null;
  const sponsor = config.production ? null : (network.wallets?.sponsor.address ?? null);
  const ownPartner = isOwnNetwork ? (gasWallet?.keypair.address ?? sponsor) : null;
  const getOrigin = () => config.studio.url ?? (isOwnNetwork ? getRestUrl() : null);
  const media = await openAppStudioMedia(opening, lower, { metrics, getOrigin });
  const submitted = new StudioLaunches(state.store, chain.genesisHash);
  const stopSweep = openLaunchSweep({
    chain,
    launches: submitted,
    timers: SYSTEM_TIMERS,
    onDefect: (error) =>
      logger.warn({ err: error }, 'it could not be found out what became of launches; it is tried again'),
  });
  toClose(stopSweep);
  return {
    creating: {
      chain,
      keys,
      links: media.links,
      getOrigin,
      partner: config.studio.partner ?? ownPartner,
      random: chooseFraction,
    },
    submitting: { chain, timers: SYSTEM_TIMERS, describeFailure, keys, launches: submitted, media },
    launched: { chain, describeFailure, launches, keys, readKnown: (address) => pools.account(address) },
    media,
  };
}
