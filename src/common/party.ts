import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Who has a share of what is bounded: an organisation with all its keys, teams and members, or a client without a key, by
 * its network.
 */
export interface Party {
  readonly kind: 'organisation' | 'client';
  readonly id: string;
}

/** What Sluice does for nobody in particular: it follows the network, or reads the transactions that were reported. */
export type OwnWork = 'own' | 'reports';

/** Names the holder of a share. Each client without a key has a share of its own. */
export function toPartyKey(worker: Party | OwnWork): string {
  return typeof worker === 'string' ? worker : `${worker.kind}:${worker.id}`;
}

/**
 * Names the holder of a share. All clients without a key have one share together, so that nobody gets more with more
 * addresses. Sluice's own work has shares too, so that no party can take all of it.
 */
export function getShareHolder(worker: Party | OwnWork): string {
  return typeof worker !== 'string' && worker.kind === 'client' ? 'keyless' : toPartyKey(worker);
}

const current = new AsyncLocalStorage<Party | OwnWork>();

/**
 * Does `work` as that of a party. Everything that it awaits counts as the party's too, however deep it is called; what it
 * leaves to a timer of `SYSTEM_TIMERS` counts as Sluice's own.
 *
 * @example
 * ```ts
 * import { getCurrentWorker, runAs } from './party.ts';
 *
 * await runAs({ kind: 'organisation', id: 'acme' }, async () => {
 *   await Promise.resolve();
 *   return getCurrentWorker(); // { kind: 'organisation', id: 'acme' }
 * });
 * ```
 */
export function runAs<T>(worker: Party | OwnWork, work: () => T): T {
  return current.run(worker, work);
}

/** Returns whose work is being done. */
export function getCurrentWorker(): Party | OwnWork {
  return current.getStore() ?? 'own';
}
