import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  LOGGED_LENGTHS,
  type RequestDecision,
  type RequestEntry,
} from '../../platform/traffic/log/request-entry.ts';
import { redactPath, redactQuery, redactText } from '../http/log/redact.ts';
import { parseSentPath } from '../../platform/firewall/requested-path.ts';
import { getRequestContext } from './request/request-context.ts';
import type { MatchedRoute } from './request/route.ts';
import { addStep } from './request/step.ts';
import { CLIENT_CLOSED_REQUEST } from './in-flight-requests.ts';
import { createClientReader } from './request/client-network.ts';
import type { AsnOf, CountryOf } from './request/country.ts';

/** Records one request. It must return at once, because it is called while the answer is being sent. */
export type RecordRequest = (entry: RequestEntry) => void;

const MAX_ORDER_ID_LENGTH = 64;
const MICROSECONDS = 1_000;

export interface RecordDependencies {
  readonly record: RecordRequest;
  /** Unix milliseconds. */
  readonly now: () => number;
  readonly countryOf: CountryOf;
  readonly asnOf: AsnOf;
}

/** Where a request came from. */
type Origin = Pick<RequestEntry, 'client' | 'country' | 'asn'>;

/**
 * Records every request when it is answered or its client has left, except preflights and requests to free routes. It is
 * the last step, so the time after it is the handler's.
 */
export function addRecord(app: FastifyInstance, { record, now, countryOf, asnOf }: RecordDependencies): void {
  const readClient = createClientReader();
  addStep(app, 'preValidation', (request, reply) => {
    getRequestContext(request).passedAfter = reply.elapsedTime;
    return true;
  });
  app.requestFinishedListeners.push((request, reply, status) => {
    const decision = findDecision(request, status);
    if (decision === null) return;
    const { ip } = getRequestContext(request);
    const origin = { client: readClient(ip).network, country: countryOf(request, ip), asn: asnOf(ip) };
    record(createRequestEntry(request, { reply, status }, decision, origin, now()));
  });
}

/** Returns null if the request is not recorded. */
function findDecision(request: FastifyRequest, status: number): RequestDecision | null {
  const { caller, firewall, verdict, route, passedAfter } = getRequestContext(request);
  if (route.isFree) return null;
  if (caller === null) return status === 401 ? 'unauthorised' : status === 503 ? 'unavailable' : null;
  if (firewall?.outcome === 'deny') return 'firewall-deny';
  if (firewall?.outcome === 'limit') return 'firewall-limit';
  if (verdict === null) return status === 403 ? 'no-access' : 'unavailable';
  if (!verdict.admitted) return 'plan-limit';
  // A 503 before the handler: no place was free.
  return status === 503 && passedAfter < 0 ? 'unavailable' : 'admitted';
}

function createRequestEntry(
  request: FastifyRequest,
  { reply, status }: { readonly reply: FastifyReply; readonly status: number },
  decision: RequestDecision,
  { client, country, asn }: Origin,
  at: number,
): RequestEntry {
  const { url, method, headers } = request;
  const { caller, firewall, route, passedAfter, answeredAfter, bytesReceived, order } =
    getRequestContext(request);
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
    path: toRecordedPath(url, endpoint),
    endpoint,
    status,
    decision,
    firewall,
    // A request without a key costs nothing.
    credits: key === null ? 0 : computeCredits(decision, route, status),
    gatewayUs: Math.round(passed * MICROSECONDS),
    handlerUs: Math.round((answered - passed) * MICROSECONDS),
    sendUs: Math.round((total - answered) * MICROSECONDS),
    client,
    country,
    asn,
    host: redactText(headers.host ?? findAuthority(request), LOGGED_LENGTHS.host),
    referrer: toReferrerPage(headers.referer),
    userAgent: redactText(headers['user-agent'], LOGGED_LENGTHS.userAgent),
    query: redactQuery(url),
    bytesReceived,
    bytesSent: status === CLIENT_CLOSED_REQUEST || method === 'HEAD' ? 0 : getBodyLength(reply),
    // A client may have sent any text as the id. The signature was read from a transaction.
    order: order === null ? null : { ...order, requestId: redactText(order.requestId, MAX_ORDER_ID_LENGTH) },
  };
}

/** Returns the host over HTTP/2, where a client may leave out the header `host`. */
function findAuthority({ headers }: FastifyRequest): string | undefined {
  const authority = headers[':authority'];
  return typeof authority === 'string' ? authority : undefined;
}

/** The user and password of a URL, after its scheme. */
const USER_INFO = /^([a-z][a-z\d+.-]{0,20}:\/\/)[^/?#]*@/i;
const FRAGMENT = /#.*$/s;

/** Returns the referring page alone, because anything else in its URL may be a secret in an unknown form. */
function toReferrerPage(referrer: string | undefined): string {
  if (referrer === undefined) return '';
  const page = referrer.replace(USER_INFO, '$1').replace(FRAGMENT, '');
  return redactPath(page).slice(0, LOGGED_LENGTHS.referrer);
}

/** Returns the bytes of the answer's body, as Fastify stated them. */
function getBodyLength(reply: FastifyReply): number {
  const length = Number(reply.getHeader('content-length') ?? 0);
  return Number.isSafeInteger(length) ? length : 0;
}

/**
 * Returns the path without the query, which may hold a wallet's address. Most requests spell the path as the route does,
 * so there is nothing to redact in it.
 */
function toRecordedPath(url: string, endpoint: string): string {
  const isAsRegistered =
    url.startsWith(endpoint) && (url.length === endpoint.length || url[endpoint.length] === '?');
  return (isAsRegistered && endpoint !== '' ? endpoint : redactPath(parseSentPath(url))).slice(
    0,
    LOGGED_LENGTHS.path,
  );
}

/**
 * Returns the credits that a request costs. An answer of an endpoint costs its credits, including a refusal by the
 * product. Answers with 5xx, unknown paths, and requests whose client left cost nothing.
 */
function computeCredits(decision: RequestDecision, { url, credits }: MatchedRoute, status: number): number {
  const answered =
    decision === 'admitted' && url !== null && status < CLIENT_CLOSED_REQUEST && status !== 405;
  return answered ? credits : 0;
}
