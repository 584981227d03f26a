import { randomBytes, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import { type Instances, openInstances } from '../common/ports/instances.ts';
import type { Broadcast, Relay } from '../common/ports/relay.ts';
import { type MakerHomes, SharedHomes } from '../rfq/index.ts';
import type { SharedRuns } from '../common/ports/shared-runs.ts';
import { leasesOver } from '../store/shared/leases.ts';
import { broadcastOver, relayOver } from '../store/shared/relay.ts';
import { sharedRuns } from '../store/shared/runs.ts';
import type { Valkey } from '../store/shared/valkey.ts';
import { SHARED_ORDERS } from '../products/swap/execution/stored-order.ts';
import { SYSTEM_TIMERS, type Timers } from '../common/ports/timers.ts';
import { SHARED_TAKER_LEASES } from '../transactions/sponsor/taker-leases.ts';

/** What an instance needs of the others. */
export interface Peers {
  /** Executions, each by one instance. */
  readonly runs: SharedRuns;
  /** Sponsored executions by their takers, one at a time of each. */
  readonly sponsoredTakers: SharedRuns;
  /** Hands on what another instance is to execute. */
  readonly relay: Relay;
  /** Which instance has which maker. */
  readonly homes: MakerHomes;
  readonly instances: Instances;
  /** Publishes the makers' books. */
  readonly broadcast: Broadcast;
  /** The other instance that has a maker; null when this one has, or none. @throws Unavailable */
  readonly homeOf: MakerHomes['find'];
}

const MAKER_LEASES = {
  kind: 'maker',
  /** Of an instance that was killed, makers are known to be gone after so long. */
  leaseMs: 6_000,
  whenLost: 'Which instance has a maker cannot be known at the moment; try again in a second',
} as const;

/**
 * Joins this instance, under a name that no other has and none after it will have, with those on the same Valkey.
 * @param deadlines by which other instances must have answered
 */
export async function openPeers(
  valkey: Valkey,
  logger: FastifyBaseLogger,
  deadlines: Timers = SYSTEM_TIMERS,
): Promise<Peers> {
  const self = `${hostname()}-${randomBytes(6).toString('hex')}`;
  logger.info({ instance: self }, 'this is one of the instances on this Valkey');
  const onDefect = (error: unknown) =>
    logger.error({ err: error }, 'what another instance asks has a defect');
  const timers = SYSTEM_TIMERS;
  const instances = await openInstances({
    relay: relayOver(valkey, self, 'ask'),
    timers: deadlines,
    newId: randomUUID,
    onDefect,
  });
  const leases = leasesOver(valkey, { self, ...MAKER_LEASES });
  const homes = new SharedHomes({ leases, instances, timers, onDefect });
  return {
    runs: sharedRuns(valkey, SHARED_ORDERS),
    sponsoredTakers: sharedRuns(valkey, SHARED_TAKER_LEASES),
    relay: relayOver(valkey, self, 'to'),
    homes,
    instances,
    broadcast: broadcastOver(valkey, 'books'),
    homeOf: (makerId) => homes.find(makerId),
  };
}
