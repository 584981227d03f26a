import { randomBytes } from 'node:crypto';
import { createOutageLog } from '../common/outage-log.ts';
import type { Metrics } from '../common/ports/metrics.ts';
import { SYSTEM_TIMERS, waitWithin } from '../common/ports/timers.ts';
import { LaunchIndex } from '../launches/following/launch-index.ts';
import { addGasBudget } from './gas-wallet.ts';
import { createGraduationBudgets } from '../launches/graduating/graduation-gas.ts';
import { openGraduator, type OpenedGraduator } from '../launches/graduating/open-graduator.ts';
import type { PaysForLaunch } from '../launches/launch.ts';
import type { Address } from '../solana/address.ts';
import { createKeypairFromSeed } from '../solana/keypair.ts';
import type { GasWallet } from '../waiting-orders/fills/gas-wallet.ts';
import { createKeeperLeases } from './keeper-leases.ts';
import type { LowerRooms } from './lower-rooms.ts';
import type { StartContext } from './state/start-context.ts';

const SEED_BYTES = 32;

interface LaunchParts {
  readonly metrics: Metrics;
  /** Whether a product of this instance has made a launch. Null if no product launches tokens. */
  readonly isOwnLaunch: PaysForLaunch | null;
}

/** Opens the index of launches on bonding curves, until the application is closed. */
export async function openAppLaunches(
  { config, logger, toClose }: StartContext,
  { network, market: { chain, pools } }: Pick<LowerRooms, 'network' | 'market'>,
  { metrics, isOwnLaunch }: LaunchParts,
): Promise<LaunchIndex> {
  const isOwnNetwork = network.embedded !== null;
  const { graduatedConfigs } = config.launches;
  const launches = await LaunchIndex.open({
    chain,
    isOwnNetwork,
    genesisCreators: network.launchCreators,
    readKnown: (address) => pools.account(address),
    paysFor: joinPaidLaunches({ isOwnNetwork, graduatedConfigs, isOwnLaunch }),
    timers: SYSTEM_TIMERS,
    metrics,
    outage: createOutageLog(
      logger,
      'launches cannot be read now; what is known of them stays, and they are read again',
      'launches are read again',
    ),
  });
  toClose(() => launches.close());
  return launches;
}

interface GraduatorParts {
  readonly metrics: Metrics;
  readonly launches: LaunchIndex;
  /** Null where nobody pays for migrations, or this process migrates none. */
  readonly gasWallet: GasWallet | null;
}

/**
 * Joins the reasons for which the operator pays for the migration of a launch: it is on the instance's own network, its
 * configuration is named, or it was made by a product of this instance. Returns null if none of them can hold.
 */
export function joinPaidLaunches({
  isOwnNetwork,
  graduatedConfigs,
  isOwnLaunch,
}: Pick<LaunchParts, 'isOwnLaunch'> & {
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
  { metrics, launches, gasWallet }: GraduatorParts,
): OpenedGraduator | null {
  if (gasWallet === null || !launches.paysForSome) return null;
  const { lamportsPerDay } = config.launches;
  const budgets = createGraduationBudgets(gasWallet.keypair.address, lamportsPerDay, state.store);
  addGasBudget(metrics, {
    name: 'migrations of launches',
    payer: gasWallet.keypair.address,
    budget: budgets.large,
    atLimit:
      'Launches whose curve is complete wait until midnight UTC; small ones have half of it. The setting is graduation-lamports-per-day.',
  });
  const graduator = openGraduator({
    chain: market.chain,
    describeFailure: market.describeFailure,
    launches,
    gasWallet,
    budgets,
    worthInDollars: (mint, atoms) => market.prices.worthInDollars(mint, atoms),
    leases: network.embedded === null ? createKeeperLeases(state.valkey) : null,
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
