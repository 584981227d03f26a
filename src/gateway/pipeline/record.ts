import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Decision, RequestEntry } from '../../platform/traffic/request-entry.ts';
import { redactPath } from '../http/redact-path.ts';
import { requestContextOf } from './request-context.ts';
import type { Route } from './route.ts';
import { CLIENT_CLOSED_REQUEST } from './in-flight-requests.ts';
import { type Client, clientReader } from './client-network.ts';

/** Must not wait: it is called while the connection is still busy with the answer. */
export type RecordRequest = (entry: RequestEntry) => void;

const MAX_PATH_LENGTH = 256;
const MICROSECONDS = 1_000;

/**
 * Records every request when it was answered or given up, but for preflights and what is free for all. It is the last
 * of the steps, so that what comes after it is the handler.
 */
export function addRecord(app: FastifyInstance, record: RecordRequest, now: () => number): void {
  const readClient = clientReader();
  app.addHook('preValidation', (request, reply, done) => {
    requestContextOf(request).passedAfter = reply.elapsedTime;
    done();
  });
  app.requestFinishedListeners.push((request, reply, status) => {
    const decision = decisionOf(request, status);
    if (decision !== null)
      record(entryOf(request, { reply, status }, decision, readClient(requestContextOf(request).ip), now()));
  });
}

/** Null for what is not recorded. */
function decisionOf(request: FastifyRequest, status: number): Decision | null {
  const { caller, firewall, verdict, route, passedAfter } = requestContextOf(request);
  if (route.isFree) return null;
  if (caller === null) return status === 401 ? 'unauthorised' : status === 503 ? 'unavailable' : null;
  if (firewall?.outcome === 'deny') return 'firewall-deny';
  if (firewall?.outcome === 'limit') return 'firewall-limit';
  if (verdict === null) return status === 403 ? 'no-access' : 'unavailable';
  if (!verdict.admitted) return 'plan-limit';
  // No place was left for it.
  return status === 503 && passedAfter < 0 ? 'unavailable' : 'admitted';
}

function entryOf(
  request: FastifyRequest,
  { reply, status }: { readonly reply: FastifyReply; readonly status: number },
  decision: Decision,
  client: Client,
  at: number,
): RequestEntry {
  const { url, method } = request;
  const { caller, firewall, route, passedAfter, answeredAfter } = requestContextOf(request);
  const key = caller?.key ?? null;
  const endpoint = route.url ?? '';
  const total = reply.elapsedTime;
  const answered = answeredAfter < 0 ? total : answeredAfter;
  const passed = passedAfter < 0 ? answered : passedAfter;
  return {
    requestId: request.id,
    at,
    owner: key === null ? null : { organisationId: key.organisationId, teamId: key.teamId, keyId: key.id },
    method,
    path: pathOf(url, endpoint),
    endpoint,
    status,
    decision,
    firewall,
    // Nobody pays for what came without a key.
    credits: key === null ? 0 : costOf(decision, route, status),
    gatewayUs: Math.round(passed * MICROSECONDS),
    handlerUs: Math.round((answered - passed) * MICROSECONDS),
    sendUs: Math.round((total - answered) * MICROSECONDS),
    client: client.network,
  };
}

/**
 * The path without the query, which may hold a wallet's address. Most requests spell it as the route does, and then
 * there is nothing to redact in it.
 */
function pathOf(url: string, endpoint: string): string {
  const isAsRegistered =
    url.startsWith(endpoint) && (url.length === endpoint.length || url[endpoint.length] === '?');
  return (isAsRegistered && endpoint !== '' ? endpoint : redactPath(url)).slice(0, MAX_PATH_LENGTH);
}

/**
 * What an endpoint answered is paid for with a key, refusals by the product included; defects, what is not there and
 * what nobody waited for are not.
 */
function costOf(decision: Decision, { url, credits }: Route, status: number): number {
  const answered =
    decision === 'admitted' && url !== null && status < CLIENT_CLOSED_REQUEST && status !== 405;
  return answered ? credits : 0;
}
