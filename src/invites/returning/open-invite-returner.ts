import { InviteReturner, type InviteReturnerOptions } from './invite-returner.ts';

/** A service that returns expired invites. */
export interface OpenedInviteReturner {
  /** Begins to work. */
  readonly start: () => void;
  /** Returns why expired invites are not returned by this process; null when they are, or another process returns them. */
  readonly unhealthy: () => string | null;
  /** Begins no further return. Resolves when none is on its way. */
  readonly drain: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Opens the service that returns expired invites to their senders by itself. */
export function openInviteReturner(options: InviteReturnerOptions): OpenedInviteReturner {
  const returner = new InviteReturner(options);
  return {
    start: () => returner.start(),
    unhealthy: () => returner.unhealthy(),
    drain: () => returner.drain(),
    close: () => returner.close(),
  };
}
