import type { FastifyInstance } from 'fastify';
import type { KnownKey } from '../../../platform/callers/key-cache.ts';
import {
  type ChangedLimits,
  getKeylessLimits,
  type KeylessSettings,
  NO_CHANGED_LIMITS,
} from '../../../platform/plans/plan-limits.ts';
import { KEYLESS_LIMITS, type Limits } from '../../../platform/plans/plans.ts';
import { sendGatewayError } from '../../http/errors.ts';
import { getRequestContext } from './request-context.ts';
import { addStep } from './step.ts';
import { toClientNetwork } from './client-network.ts';
import type { RateLimitSubject } from '../../limits/rate-limiter.ts';

export const API_KEY_HEADER = 'x-api-key';

/** Who sent a request. */
export interface Caller {
  /** Null if the request carries no key. */
  readonly key: KnownKey | null;
  /** Whose requests are counted together against the limits. */
  readonly subject: RateLimitSubject;
  readonly limits: Limits;
  /** Names of the products that the key may use; null: every product. */
  readonly products: readonly string[] | null;
}

/** Returns null if the key is unknown or has expired. `now` is in Unix milliseconds. */
export type FindKey = (key: string, now: number) => KnownKey | null;

/** Returns the limits of a caller without a key, by its address; null if it needs one. */
export type KeylessLimits = (ip: string) => Limits | null;

/**
 * Creates the limits of callers without a key.
 * @param changed - Returns what the operator has changed since. Default: nothing.
 */
export function createKeylessLimits(
  settings: KeylessSettings,
  changed: () => ChangedLimits = () => NO_CHANGED_LIMITS,
): KeylessLimits {
  let seen = changed();
  let inForce = getKeylessLimits(settings, seen);
  return (ip) => {
    if (changed() !== seen) {
      seen = changed();
      inForce = getKeylessLimits(settings, seen);
    }
    const limits = inForce[LOOPBACK.test(ip) ? 'keyless-local' : 'keyless'];
    return limits.main === 0 ? null : limits;
  };
}

const LOOPBACK = /^(::1$|(::ffff:)?127\.)/i;

/**
 * Identifies the caller by its key, or by its address if it sent none or an empty one, as some clients do. Answers 401 to an
 * unknown key on every path.
 */
export function addCaller(
  app: FastifyInstance,
  findKey: FindKey,
  keyless: KeylessLimits,
  now: () => number,
): void {
  addStep(app, 'onRequest', (request, reply) => {
    const header = request.headers[API_KEY_HEADER];
    if (header === undefined || isBlank(header)) {
      const context = getRequestContext(request);
      const limits = keyless(context.ip) ?? (context.route.isFree ? KEYLESS_LIMITS : null);
      if (limits === null) {
        sendGatewayError(reply, 401, 'Unauthorized');
        return false;
      }
      const subject: RateLimitSubject = { kind: 'client', id: toClientNetwork(context.ip) };
      context.caller = { key: null, subject, limits, products: null };
      return true;
    }
    const key = typeof header === 'string' ? findKey(header, now()) : null;
    if (key === null) {
      sendGatewayError(reply, 401, 'Unauthorized');
      return false;
    }
    const { organisationId, limits, products } = key;
    getRequestContext(request).caller = {
      key,
      subject: { kind: 'organisation', id: organisationId },
      limits,
      products,
    };
    return true;
  });
}

function isBlank(header: string | readonly string[]): boolean {
  return typeof header === 'string' && header.trim() === '';
}
