import { createOutageLog } from '../common/outage-log.ts';
import { packageRoot } from '../common/package.ts';
import type { Metrics } from '../common/ports/metrics.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import { openInvites, type Invites } from '../invites/opening/open-invites.ts';
import { openInviteReturner, type OpenedInviteReturner } from '../invites/returning/open-invite-returner.ts';
import { createInviteProgramCheck } from '../invites/program/invite-program-check.ts';
import { searchInviteProgram } from '../invites/program/invite-program-search.ts';
import { jupiterSendProtocol } from '../protocols/jupiter-send/index.ts';
import { readStandIns } from '../sandbox/genesis/network-accounts.ts';
import { createKeeperLeases } from './keeper-leases.ts';
import type { LowerRooms } from './lower-rooms.ts';
import type { GasWallet } from '../waiting-orders/fills/gas-wallet.ts';
import type { StartContext } from './state/start-context.ts';

/** The invites as the product works with them. */
export interface AppInvites extends Pick<Invites, 'lists' | 'history'> {
  /** Returns if the network has the program of invites, and throws a refusal otherwise. */
  readonly requireProgram: () => Promise<void>;
  readonly lifetimeSeconds: bigint;
  /** Returns why they are not followed; null when they are. */
  readonly unhealthy: () => string | null;
  /** Returns no further invite. Resolves when none is on its way. */
  readonly drain: () => Promise<void>;
}

const DAY_SECONDS = 86_400n;

interface InviteParts {
  readonly metrics: Metrics;
  /** Null where nobody pays for returns, or this process returns none. */
  readonly gasWallet: GasWallet | null;
}

/**
 * Opens the record of invites, and the service that returns those that have expired. Both begin to work as soon as the network
 * turns out to have the program of invites.
 */
export async function openAppInvites(
  opening: StartContext,
  lower: LowerRooms,
  parts: InviteParts,
): Promise<AppInvites> {
  const { config, logger, toClose } = opening;
  const { state, network, market } = lower;
  const { lifetimeDays, historyDays } = config.send;
  const invites = openInvites({
    chain: market.chain,
    store: state.store,
    isOwnNetwork: network.embedded !== null,
    historyDays,
    timers: SYSTEM_TIMERS,
    createOutageLog: () =>
      createOutageLog(
        logger,
        'invites cannot be followed; what is missed meanwhile is read later',
        'invites are followed again',
      ),
    onDefect: (where, error) => logger.error({ where, err: error }, 'invites'),
  });
  toClose(invites.close);
  const returner = openReturner(opening, lower, invites, parts);
  const [program] = await readStandIns(
    jupiterSendProtocol.programs ?? [],
    new URL('programs/dist/', packageRoot),
  );
  if (program === undefined) throw new Error('the protocol of invites has no program');
  const requireProgram = createInviteProgramCheck({
    chain: market.chain,
    binary: program.elf,
    onFound: () => {
      invites.start();
      returner?.start();
    },
  });
  toClose(await searchInviteProgram(requireProgram, SYSTEM_TIMERS));
  return {
    lists: invites.lists,
    history: invites.history,
    requireProgram,
    lifetimeSeconds: BigInt(lifetimeDays) * DAY_SECONDS,
    unhealthy: () => invites.unhealthy() ?? returner?.unhealthy() ?? null,
    drain: async () => returner?.drain(),
  };
}

function openReturner(
  { logger, toClose }: StartContext,
  { state, network, market }: LowerRooms,
  { expired }: Invites,
  { metrics, gasWallet }: InviteParts,
): OpenedInviteReturner | null {
  if (gasWallet === null) return null;
  const returner = openInviteReturner({
    chain: market.chain,
    describeFailure: market.describeFailure,
    expired,
    gasWallet,
    leases: network.embedded === null ? createKeeperLeases(state.valkey) : null,
    timers: SYSTEM_TIMERS,
    metrics,
    outage: createOutageLog(
      logger,
      'expired invites are not returned now; they are returned when what fails answers again',
      'expired invites are returned again',
    ),
    onDefect: (where, error) => logger.error({ where, err: error }, 'the return of invites failed'),
  });
  toClose(returner.close);
  return returner;
}
