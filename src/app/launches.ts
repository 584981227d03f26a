import { randomBytes } from 'node:crypto';
import { createOutageLog } from '../common/outage-log.ts';
import type { Metrics } from '../common/ports/metrics.ts';
import { SYSTEM_TIMERS, waitWithin } from '../common/ports/timers.ts';
import { LaunchIndex } from '../launches/following/launch-index.ts';
import { openGraduator, type OpenedGraduator } from '../launches/graduating/open-graduator.ts';
import type { PaysForLaunch } from '../launches/launch.ts';
import type { Address } from '../solana/address.ts';
import { createKeypairFromSeed } from '../solana/keypair.ts';
import { GasBudget } from '../waiting-orders/fills/gas-budget.ts';
import type { GasWallet } from '../waiting-orders/fills/gas-wallet.ts';
import { createKeeperLeases } from './keeper-leases.ts';
import type { LowerRooms } from './lower-rooms.ts';
import type { StartContext } from './state/start-context.ts';

/** The name by which the budget of migrations is kept apart from that of fills. */
const BUDGET = 'launches';
const SEED_BYTES = 32;

/** Opens the index of launches on bonding curves, until the application is closed. */
export async function openAppLaunches(
  { logger, toClose }: Pick<StartContext, 'logger' | 'toClose'>,
  { market: { chain, pools } }: Pick<LowerRooms, 'market'>,
): Promise<LaunchIndex> {
  const launches = await LaunchIndex.open({
    chain,
    readKnown: (address) => pools.account(address),
    timers: SYSTEM_TIMERS,
    onDefect: (error) =>
      logger.warn({ err: error }, 'configurations of launches could not be read; they are read again'),
  });
  toClose(() => launches.close());
  return launches;
}

interface GraduatorParts {
  readonly metrics: Metrics;
  readonly launches: LaunchIndex;
  /** Null where nobody pays for migrations, or this process migrates none. */
  readonly gasWallet: GasWallet | null;
  /** Whether a product of this instance has made a launch. Null if no product launches tokens. */
  readonly isOwnLaunch: PaysForLaunch | null;
}

/**
 * Joins the reasons for which the operator pays for the migration of a launch: it is on the instance's own network, its
 * configuration is named, or it was made by a product of this instance. Returns null if none of them can hold.
 */
export function joinPaidLaunches({
  isOwnNetwork,
  graduatedConfigs,
  isOwnLaunch,
}: Pick<GraduatorParts, 'isOwnLaunch'> & {
  readonly isOwnNetwork: boolean;
  readonly graduatedConfigs: readonly Address[];
}): PaysForLaunch | null {
  if (isOwnNetwork) return () => true;
  if (graduatedConfigs.length === 0) return isOwnLaunch;
  const paidConfigs = new Set(graduatedConfigs);
  return (launch) => paidConfigs.has(launch.config) || isOwnLaunch?.(launch) === true;
}

/** Opens the service that migrates launches whose curve is complete, as far as the operator pays. Returns null if it migrates none. */
export function openAppGraduator(
  { config, logger, toClose }: StartContext,
  { state, network, market }: LowerRooms,
  { metrics, launches, gasWallet, isOwnLaunch }: GraduatorParts,
): OpenedGraduator | null {
  const isOwnNetwork = network.embedded !== null;
  const { graduatedConfigs, lamportsPerDay } = config.launches;
  const paysFor = joinPaidLaunches({ isOwnNetwork, graduatedConfigs, isOwnLaunch });
  if (gasWallet === null || paysFor === null) return null;
  const limits = { perWallet: lamportsPerDay, inAll: lamportsPerDay };
  const graduator = openGraduator({
    chain: market.chain,
    describeFailure: market.describeFailure,
    launches,
    paysFor,
    gasWallet,
    budget: new GasBudget(gasWallet.keypair.address, limits, state.store, BUDGET),
    leases: isOwnNetwork ? null : createKeeperLeases(state.valkey),
    createFreshKey: () => createKeypairFromSeed(randomBytes(SEED_BYTES)),
    timers: SYSTEM_TIMERS,
    metrics,
    outage: createOutageLog(
      logger,
      'launches are not migrated now; they are migrated when what fails answers again',
      'launches are migrated again',
    ),
    onDefect: (where, error) => logger.error({ where, err: error }, 'the migration of launches failed'),
  });
  toClose(async () => {
    await waitWithin(graduator.drain(), config.stopTimeoutMs, SYSTEM_TIMERS);
    await graduator.close();
  });
  return graduator;
}
