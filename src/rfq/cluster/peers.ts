import { randomBytes, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { type PeerRequests, openPeerRequests } from '../../common/ports/peer-requests.ts';
import type { Broadcast, MessageTransport } from '../../common/ports/message-transport.ts';
import { LeasedOwners } from './leased-owners.ts';
import type { MakerOwners } from '../makers/maker-owners.ts';
import type { ExecutionStore, ExecutionStoreOptions } from '../../common/ports/execution-store.ts';
import { createSharedLeases } from '../../store/shared/leases.ts';
import { createSharedBroadcast, createSharedTransport } from '../../store/shared/message-transport.ts';
import { createSharedExecutionStore } from '../../store/shared/execution-store.ts';
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
   * Returns the other instance that owns a maker; null when this one owns it, or none does.
   * @throws Unavailable when Valkey does not answer
   */
  readonly findOwner: MakerOwners['findOwner'];
}

export interface OpenPeersOptions {
  readonly valkey: Valkey;
  /** Timers by which other instances must have answered. */
  readonly deadlines: Timers;
  /** Called with the name of this instance before it joins. */
  readonly onJoin: (instance: string) => void;
  /** Called when a request of another instance could not be handled. */
  readonly onDefect: (error: unknown) => void;
}

const MAKER_LEASES = {
  kind: 'maker',
  /** Makers of an instance that was killed can be taken over after this time. */
  leaseMs: 6_000,
  whenLost: 'Which instance has a maker cannot be known at the moment; try again in a second',
} as const;

/** Joins the instances on the same Valkey, under a name that no other instance ever has. */
export async function openPeers({ valkey, deadlines, onJoin, onDefect }: OpenPeersOptions): Promise<Peers> {
  const self = `${hostname()}-${randomBytes(6).toString('hex')}`;
  onJoin(self);
  const timers = SYSTEM_TIMERS;
  const requests = await openPeerRequests({
    transport: createSharedTransport(valkey, self, 'ask'),
    timers: deadlines,
    newId: randomUUID,
    onDefect,
  });
  const leases = createSharedLeases(valkey, { self, ...MAKER_LEASES });
  const owners = new LeasedOwners({ leases, requests, timers, onDefect });
  return {
    openExecutionStore: (options) => createSharedExecutionStore(valkey, options),
    transport: createSharedTransport(valkey, self, 'to'),
    owners,
    requests,
    broadcast: createSharedBroadcast(valkey, 'books'),
    findOwner: (makerId) => owners.findOwner(makerId),
  };
}
