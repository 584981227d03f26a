import type { Address } from '../../solana/address.ts';
import type { RecordedInvite } from '../invite.ts';

/**
 * What an event says of an invite. The event of a creation has no end, and the event of an end knows neither the signature nor the
 * time of the creation.
 */
export type InviteStep = RecordedInvite;

/** An invite with its number. Another invite of the same key has another number. */
export interface NumberedInvite {
  readonly number: number;
  readonly invite: RecordedInvite;
}

/** What is to be written for some steps. */
export interface InviteChanges {
  readonly inserted: readonly NumberedInvite[];
  readonly updated: readonly NumberedInvite[];
  /** The numbers of invites of which nobody knows how they ended. */
  readonly removed: readonly number[];
  /** How many invites have got a number afterwards. */
  readonly invites: number;
}

/**
 * Computes what some steps change. If an invite is created or ends where another one is open, the end of the other one was missed,
 * and the other one is removed. An end whose creation was missed is recorded all the same, because it says nearly everything.
 *
 * @param known - The open invites at the addresses of the steps.
 * @param invites - How many invites have got a number.
 */
export function computeInviteChanges(
  steps: readonly InviteStep[],
  known: readonly NumberedInvite[],
  invites: number,
): InviteChanges {
  const open = new Map<Address, NumberedInvite>(known.map((each) => [each.invite.invite, each]));
  const newest = new Map<number, NumberedInvite>();
  const removed = new Set<number>();
  let count = invites;
  for (const step of steps) {
    const found = open.get(step.invite);
    const isEndOfFound = found !== undefined && step.end !== null && isSameInvite(found.invite, step);
    if (found !== undefined && !isEndOfFound) removed.add(found.number);
    const changed = isEndOfFound
      ? { number: found.number, invite: { ...found.invite, end: step.end } }
      : { number: ++count, invite: step };
    newest.set(changed.number, changed);
    if (step.end === null) open.set(step.invite, changed);
    else open.delete(step.invite);
  }
  const written = [...newest.values()].filter(({ number }) => !removed.has(number));
  return {
    inserted: written.filter(({ number }) => number > invites),
    updated: written.filter(({ number }) => number <= invites),
    removed: [...removed].filter((number) => number <= invites),
    invites: count,
  };
}

/** The key is the same one, because the address is derived from it. */
function isSameInvite(one: RecordedInvite, other: RecordedInvite): boolean {
  return (
    one.sender === other.sender &&
    one.mint === other.mint &&
    one.amount === other.amount &&
    one.expiresAt === other.expiresAt
  );
}
