import { Type } from 'typebox';
import { named } from '../../named-schema.ts';
import { OtherAnswer } from '../../endpoint.ts';
import type { MakerDesk } from '../../../rfq/desk/maker-desk.ts';
import type { OrderLedger } from '../../../swaps/ledger/order-ledger.ts';
import { DEFAULT_RANGE_DAYS, capRangeByRegistration } from '../../makers/maker-range.ts';

/** The maker of a key. */
export interface CallingMaker {
  readonly id: string;
  readonly enabled: boolean;
  /** Unix milliseconds of its registration. What is older is of another maker that had the same id and was removed. */
  readonly createdAt: number;
}

/** What the endpoints for makers work with. */
export interface MakerServices {
  readonly ledger: OrderLedger;
  readonly desk: MakerDesk;
  /** Finds the maker that a key was issued to; null if there is none. */
  readonly findMaker: (key: string) => CallingMaker | null;
  /** Unix milliseconds. */
  readonly now: () => number;
}

export const MakerRefusal = named('MakerRefusal', Type.Object({ error: Type.String() }));

/** Returns the maker whose key a request carries, or the refusal. Nothing else decides whose rows are read. */
export function findCallingMaker(
  { findMaker }: Pick<MakerServices, 'findMaker'>,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): CallingMaker | OtherAnswer {
  const key = headers['x-api-key'];
  if (typeof key !== 'string' || key.trim() === '') {
    return new OtherAnswer(401, { error: 'x-api-key must be the key of a maker' });
  }
  const maker = findMaker(key);
  if (maker === null) {
    return new OtherAnswer(403, { error: 'the key in x-api-key is that of an organisation, not of a maker' });
  }
  if (!maker.enabled) return new OtherAnswer(403, { error: `the operator disabled the maker ${maker.id}` });
  return maker;
}

/** Returns the refusal for a maker that was removed while its request was answered. */
export function refuseRemovedMaker({ id }: CallingMaker): OtherAnswer {
  return new OtherAnswer(403, { error: `the operator removed the maker ${id}` });
}

const DAY_MS = 86_400_000;

/**
 * @param now - Unix milliseconds.
 * @returns the requested range since the registration of the maker, or the refusal if it ends before it begins or is longer than `maxDays`
 */
export function resolveMakerRange(
  { since, until }: { readonly since?: number; readonly until?: number },
  now: number,
  maxDays: number,
  { createdAt }: Pick<CallingMaker, 'createdAt'>,
): { readonly since: number; readonly until: number } | OtherAnswer {
  // The range includes what is given out in this millisecond.
  const end = until ?? now + 1;
  const begin = since ?? Math.max(end - DEFAULT_RANGE_DAYS * DAY_MS, 0);
  if (begin >= end) {
    return new OtherAnswer(400, { error: `since must be earlier than until, got ${begin} and ${end}` });
  }
  if (end - begin > maxDays * DAY_MS) {
    return new OtherAnswer(400, { error: `since and until must be at most ${maxDays} days apart` });
  }
  return capRangeByRegistration({ since: begin, until: end }, createdAt);
}

const Time = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: 8_640_000_000_000_000, description }));
/** The parameters of a range of time. */
export const RANGE = {
  since: Time(`Unix milliseconds; ${DEFAULT_RANGE_DAYS} days ago when absent.`),
  until: Time('Unix milliseconds; now when absent.'),
};
