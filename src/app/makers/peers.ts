import { randomBytes, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { FastifyBaseLogger } from 'fastify';
import { type PeerRequests, openPeerRequests } from '../../common/ports/peer-requests.ts';
import type { Broadcast, MessageTransport } from '../../common/ports/message-transport.ts';
import { LeasedOwners, type MakerOwners } from '../../rfq/index.ts';
import type { ExecutionStore, ExecutionStoreOptions } from '../../common/ports/execution-store.ts';
import { leasesOver } from '../../store/shared/leases.ts';
import { broadcastOver, transportOver } from '../../store/shared/message-transport.ts';
import { executionStoreOver } from '../../store/shared/execution-store.ts';
import type { Valkey } from '../../store/shared/valkey.ts';
import { SYSTEM_TIMERS, type Timers } from '../../common/ports/timers.ts';

/** How an instance works with the other instances on the same Valkey. */
export interface Peers {
  /** Opens an execution store that all instances share: one instance at a time executes each task. */
  readonly openExecutionStore: (options: ExecutionStoreOptions) => ExecutionStore;
  /** Forwards executions to the instance that must do them. */
  readonly transport: MessageTransport;
  /** Which instance has which maker. */
  readonly owners: MakerOwners;
  readonly requests: PeerRequests;
  /** Publishes the makers' books. */
  readonly broadcast: Broadcast;
  /**
   * @returns the other instance that owns a maker; null when this one owns it, or none does
   * @throws Unavailable when Valkey does not answer
   */
  readonly findOwner: MakerOwners['findOwner'];
}

const MAKER_LEASES = {
  kind: 'maker',
  /** Makers of an instance that was killed can be taken over after this time. */
  leaseMs: 6_000,
  whenLost: 'Which instance has a maker cannot be known at the moment; try again in a second',
} as const;

/**
 * Joins the instances on the same Valkey, under a name that no other instance ever has.
 * @param deadlines - Timers by which other instances must have answered.
 */
export async function openPeers(
  valkey: Valkey,
  logger: FastifyBaseLogger,
  deadlines: Timers = SYSTEM_TIMERS,
): Promise<Peers> {
  const self = `${hostname()}-${randomBytes(6).toString('hex')}`;
  logger.info({ instance: self }, 'joined the instances on this Valkey');
  const onDefect = (error: unknown) => logger.error({ err: error }, 'a request of another instance failed');
  const timers = SYSTEM_TIMERS;
  const requests = await openPeerRequests({
    transport: transportOver(valkey, self, 'ask'),
    timers: deadlines,
    newId: randomUUID,
    onDefect,
  });
  const leases = leasesOver(valkey, { self, ...MAKER_LEASES });
  const owners = new LeasedOwners({ leases, requests, timers, onDefect });
  return {
    openExecutionStore: (options) => executionStoreOver(valkey, options),
    transport: transportOver(valkey, self, 'to'),
    owners,
    requests,
    broadcast: broadcastOver(valkey, 'books'),
    findOwner: (makerId) => owners.findOwner(makerId),
  };
}
