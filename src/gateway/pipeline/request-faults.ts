import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { CountedFaults, type FaultStatus } from '../../common/collections/counted-faults.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { sendDefect, sendGatewayError, sendUnavailable } from '../http/errors.ts';
import { getRequestContext } from './request/request-context.ts';
import { addStep } from './request/step.ts';

/** A fault of the next requests of a path, for tests of clients. */
export interface RequestFault {
  /**
   * The path as clients request it, without a query. A `*` at its end matches every path that begins with the text
   * before it.
   */
  readonly path: string;
  /** The status that is answered in place of the product's answer; null if the request is processed after the delay. */
  readonly status: FaultStatus | null;
  /** Milliseconds before the request is answered or processed, 0 to 60,000. */
  readonly delayMs: number;
  /** The number of requests that it strikes, 1 to 1,000. */
  readonly count: number;
}

/** A request that a fault has struck. */
export interface StruckRequest {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: FaultStatus | null;
  readonly delayMs: number;
  /** Unix milliseconds. */
  readonly at: number;
}

export type RequestFaults = CountedFaults<RequestFault, StruckRequest>;

const RETRY_AFTER_SECONDS = 1;

/** Returns an empty set of faults. */
export function createRequestFaults(): RequestFaults {
  return new CountedFaults();
}

/**
 * Applies the faults. It runs after a request has passed the limits of its caller, so that a struck request is counted,
 * logged and measured like any other. Each status has the same body and headers as a real answer of the gateway.
 */
export function addRequestFaults(app: FastifyInstance, faults: RequestFaults, timers: Timers): void {
  addStep(app, 'onRequest', (request, reply) => {
    if (faults.waiting.length === 0) return true;
    const path = getFaultPath(request);
    const fault = faults.take(
      (each) => isMeant(each, path),
      ({ status, delayMs }) => {
        const { id: requestId, method } = request;
        return { requestId, method, path, status, delayMs, at: timers.now() };
      },
    );
    if (fault === null) return true;
    if (fault.delayMs === 0) return strike(fault, request, reply);
    return (proceed) =>
      afterDelay(fault, request, timers, () => {
        if (strike(fault, request, reply)) proceed();
      });
  });
}

/** Calls `go` after the delay, unless the client has left by then. */
function afterDelay(
  { delayMs }: RequestFault,
  request: FastifyRequest,
  timers: Timers,
  go: () => void,
): void {
  const context = getRequestContext(request);
  context.release = timers.after(delayMs, () => {
    context.release = null;
    go();
  });
}

/** Returns the path as the client requested it. At an additional port, it is the one that the REST port has for it. */
function getFaultPath({ url }: FastifyRequest): string {
  return url.split('?', 1)[0] ?? url;
}

function isMeant({ path }: RequestFault, asked: string): boolean {
  return path.endsWith('*') ? asked.startsWith(path.slice(0, -1)) : asked === path;
}

/** Answers a request with the status of a fault. Returns whether it is processed instead, because the fault has none. */
function strike({ status }: RequestFault, request: FastifyRequest, reply: FastifyReply): boolean {
  switch (status) {
    case null:
      return true;
    case 429: {
      const context = getRequestContext(request);
      const { verdict } = context;
      if (verdict !== null) context.verdict = { ...verdict, admitted: false, current: verdict.limit };
      sendGatewayError(reply, status, '[API Gateway] Too many requests');
      return false;
    }
    case 500:
      sendDefect(reply, request);
      return false;
    case 503:
      sendUnavailable(reply, 'Too many requests are under way; try again in a second', RETRY_AFTER_SECONDS);
      return false;
    default:
      sendGatewayError(reply, status, status === 502 ? 'Bad Gateway' : 'Gateway Timeout');
      return false;
  }
}
