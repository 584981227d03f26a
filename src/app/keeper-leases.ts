import { randomUUID } from 'node:crypto';
import type { Leases } from '../common/ports/leases.ts';
import { createSharedLeases } from '../store/shared/leases.ts';
import type { Valkey } from '../store/shared/valkey.ts';

/** The lead of a keeper that is gone passes on after this time. */
const LEASE_MS = 6_000;

/** Creates the leases by which one of several keepers leads. Returns null without Valkey, where each keeper is alone. */
export function createKeeperLeases(valkey: Valkey | null): Leases | null {
  if (valkey === null) return null;
  return createSharedLeases(valkey, {
    kind: 'order-keeper',
    self: randomUUID(),
    leaseMs: LEASE_MS,
    whenLost: 'Valkey does not answer, so no keeper leads',
  });
}
