import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import { formatForError } from '../../../common/format-for-error.ts';
import { SYSTEM_TIMERS } from '../../../common/ports/timers.ts';
import { sendGatewayError } from '../../http/errors.ts';
import { findForwarding } from '../../http/forwarded-requests.ts';
import { MinuteBudget } from './minute-budget.ts';
import { CallPlaces } from './call-places.ts';
import { findOutsideRefusal } from './outside-methods.ts';
import { MAX_RPC_BODY_BYTES, parseRpcCall } from './rpc-call.ts';

/** An outside RPC as the pages of the portal use it. Each call may cost the operator money. */
export interface PortalOutside {
  /**
   * Makes a call, and returns the answer as the RPC wrote it, or with the RPC's refusal. It has at most 1 MiB.
   *
   * @throws ChainUnavailable if there is none
   */
  readonly call: (method: string, params: readonly unknown[]) => Promise<string>;
  /** The calls that pages may make in a minute. 0: none. */
  readonly callsPerMinute: number;
  /** In production, only pages of the admin port call the RPC directly. */
  readonly production: boolean;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/** Calls that wait for their answers. */
const MAX_CALLS = 8;
/** What one caller may use of the calls of a minute, and all callers without a key together. */
const CALLER_PART = 1 / 3;
const CLIENTS_PART = 2 / 3;
/** The calls of the page that causes most of them, which is that of an account. No part of a budget is smaller. */
const LEAST_PART = 3;

/** What pages have called an outside RPC for, in the last minute. The pages of the admin port have a budget of their own. */
export class OutsideBudget {
  readonly #outside: PortalOutside;
  readonly #budgets: Readonly<Record<'rest' | 'admin', MinuteBudget>>;

  constructor(outside: PortalOutside) {
    this.#outside = outside;
    const { callsPerMinute: forAll } = outside;
    const toPart = (part: number) => Math.min(forAll, Math.max(LEAST_PART, Math.ceil(forAll * part)));
    this.#budgets = {
      rest: new MinuteBudget({
        forAll,
        forCaller: toPart(CALLER_PART),
        forClients: toPart(CLIENTS_PART),
      }),
      // Who asks the admin port is the operator, or runs on this machine.
      admin: new MinuteBudget({ forAll, forCaller: forAll, forClients: forAll }),
    };
  }

  /**
   * Takes the calls that a request causes, one by default. Returns null, or the refusal that was sent.
   *
   * @example
   * ```ts
   * import type { FastifyReply, FastifyRequest } from 'fastify';
   * import type { OutsideBudget } from './outside-rpc.ts';
   *
   * async function answer(request: FastifyRequest, reply: FastifyReply, budget: OutsideBudget | null) {
   *   return budget?.take(request, reply, 2) ?? reply.send({});
   * }
   * ```
   */
  take(request: FastifyRequest, reply: FastifyReply, calls = 1): FastifyReply | null {
    const { now, callsPerMinute } = this.#outside;
    if (callsPerMinute < calls) return sendGatewayError(reply, 403, describeLimit(callsPerMinute, calls));
    const budget = this.#budgets[isFromAdminPort(request) ? 'admin' : 'rest'];
    const refusal = budget.take(request.caller, now(), calls);
    if (refusal === null) return null;
    const seconds = Math.max(1, Math.ceil(refusal.waitMs / 1_000));
    reply.header('retry-after', seconds);
    return sendGatewayError(
      reply,
      429,
      `${SPENT[refusal.spent]} what pages may read of the outside RPC in a minute, because its calls cost the operator; try again in ${seconds} s`,
    );
  }
}

function describeLimit(callsPerMinute: number, calls: number): string {
  return callsPerMinute === 0
    ? 'The operator lets pages make no calls of the outside RPC (rpc-portal-calls is 0)'
    : `The operator lets pages make fewer calls of the outside RPC than the ${calls} that this takes (rpc-portal-calls is ${callsPerMinute})`;
}

const SPENT = {
  caller: 'You have used your part of',
  clients: 'Callers without a key have used their part of',
  all: 'All callers together have used',
} as const;

/** Registers `POST /portal/data/rpc` over an outside RPC: one call that reads a single thing. */
export function registerOutsideRpc(
  app: FastifyInstance,
  path: string,
  options: RouteShorthandOptions,
  outside: PortalOutside,
  budget: OutsideBudget,
): void {
  const places = new CallPlaces(MAX_CALLS, SYSTEM_TIMERS.after);
  app.post(path, { ...options, bodyLimit: MAX_RPC_BODY_BYTES }, async (request, reply) => {
    if (outside.production && !isFromAdminPort(request))
      return sendGatewayError(
        reply,
        403,
        'In production, only pages of the admin port read from the outside RPC, because its calls cost the operator',
      );
    const { method, params } = parseRpcCall(request.body, describeRefusal);
    const refused = budget.take(request, reply);
    if (refused !== null) return refused;
    const answer = await places.run(request.caller, () => outside.call(method, params as readonly unknown[]));
    return reply.header('cache-control', 'no-store').type('application/json; charset=utf-8').send(answer);
  });
}

function describeRefusal(method: string, params: unknown): string | null {
  const why = findOutsideRefusal(method, params);
  return why === null ? null : `Pages do not call ${formatForError(method)} of an outside RPC: ${why}`;
}

function isFromAdminPort({ raw }: FastifyRequest): boolean {
  return findForwarding(raw) !== null;
}
