import type { FastifyInstance } from 'fastify';
import type { KnownKey } from '../../platform/callers/key-cache.ts';
import { KEYLESS, type Limits } from '../../platform/plans/plans.ts';
import { sendGatewayError } from '../http/errors.ts';
import { requestContextOf } from './request-context.ts';
import { clientNetwork } from './client-network.ts';
import type { Subject } from '../limits/rate-limiter.ts';

export const API_KEY_HEADER = 'x-api-key';

/** Who sent a request. */
export interface Caller {
  /** Null without one. */
  readonly key: KnownKey | null;
  readonly subject: Subject;
  readonly limits: Limits;
  /** Names of products; null: every product. */
  readonly products: readonly string[] | null;
}

/** Returns null if there is no such key or it has expired. */
export type FindKey = (key: string, now: number) => KnownKey | null;

/** Identifies the caller by its key, or by its address if it sent none. Refuses an unknown key, whatever the path. */
export function addCaller(app: FastifyInstance, findKey: FindKey, now: () => number): void {
  app.addHook('onRequest', (request, reply, done) => {
    const header = request.headers[API_KEY_HEADER];
    if (header === undefined) {
      const subject: Subject = { kind: 'client', id: clientNetwork(requestContextOf(request).ip) };
      requestContextOf(request).caller = { key: null, subject, limits: KEYLESS, products: null };
      done();
      return;
    }
    const key = typeof header === 'string' ? findKey(header, now()) : null;
    if (key === null) {
      sendGatewayError(reply, 401, 'Unauthorized');
      return;
    }
    const { organisationId, limits, products } = key;
    requestContextOf(request).caller = {
      key,
      subject: { kind: 'organisation', id: organisationId },
      limits,
      products,
    };
    done();
  });
}
