import { createOutageLog } from '../common/outage-log.ts';
import { packageRoot } from '../common/package.ts';
import { SYSTEM_TIMERS } from '../common/ports/timers.ts';
import { openInvites, type Invites } from '../invites/opening/open-invites.ts';
import { createInviteProgramCheck } from '../invites/program/invite-program-check.ts';
import { jupiterSendProtocol } from '../protocols/jupiter-send/index.ts';
import { readStandIns } from '../sandbox/genesis/network-accounts.ts';
import type { LowerRooms } from './lower-rooms.ts';
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

/** Opens the record of invites. It is kept as soon as the network turns out to have their program. */
export async function openAppInvites(
  { config, logger, toClose }: StartContext,
  { state, network, market }: LowerRooms,
): Promise<AppInvites> {
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
  const [program] = await readStandIns(
    jupiterSendProtocol.programs ?? [],
    new URL('programs/dist/', packageRoot),
  );
  if (program === undefined) throw new Error('the protocol of invites has no program');
  const requireProgram = createInviteProgramCheck({
    chain: market.chain,
    binary: program.elf,
    onFound: invites.start,
  });
  // A network that does not answer now, or has no such program, is asked again with each request.
  await requireProgram().catch(() => undefined);
  return {
    lists: invites.lists,
    history: invites.history,
    requireProgram,
    lifetimeSeconds: BigInt(lifetimeDays) * DAY_SECONDS,
    unhealthy: invites.unhealthy,
    drain: async () => undefined,
  };
}
