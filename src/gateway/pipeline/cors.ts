import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RATE_LIMIT_HEADERS } from './rate-limit.ts';
import { UNKNOWN_PARAMETERS_HEADER } from '../http/unknown-parameters.ts';
import { REQUEST_ID_HEADER } from '../http/log/request-id.ts';
import { addStep } from './request/step.ts';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';
/** Headers that a page may send if its preflight names none. */
const HEADERS = 'content-type, x-api-key, authorization';
const EXPOSED = [REQUEST_ID_HEADER, ...RATE_LIMIT_HEADERS, 'retry-after', UNKNOWN_PARAMETERS_HEADER].join(
  ', ',
);
const ONE_DAY_SECONDS = '86400';
/** Header names, separated by commas. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~, -]{1,1024}$/;

/**
 * Adds the CORS headers, and answers preflights before any key is looked at. Keys travel in a header that a page sets
 * itself, never in cookies, so a foreign page cannot use anything on a visitor's behalf. A route that allows cookies answers
 * the origin by its name, because browsers do not accept `*` then. A route for pages of this server has no such headers.
 * @param origins - The origins whose pages may call the gateway; null: all.
 */
export function addCors(app: FastifyInstance, origins: readonly string[] | null): void {
  addStep(app, 'onRequest', (request, reply) => !answerCors(request, reply, origins));
}

/** Adds the headers. Returns true if the request was a preflight, which is then answered. */
function answerCors(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[] | null,
): boolean {
  const { allowsCookies = false, anyOrigin = false, ownOrigin = false } = request.routeOptions.config;
  if (ownOrigin) return false;
  if (anyOrigin || (origins === null && !allowsCookies)) reply.header('access-control-allow-origin', '*');
  else {
    reply.header('vary', 'origin');
    const { origin } = request.headers;
    const isAllowed = origin !== undefined && (origins === null || origins.includes(origin));
    if (isAllowed) reply.header('access-control-allow-origin', origin);
    else if (origins === null) reply.header('access-control-allow-origin', '*');
    if (isAllowed && allowsCookies) reply.header('access-control-allow-credentials', 'true');
  }
  // Only pages read this header, and pages of other sites always send their origin.
  if (request.headers.origin !== undefined) reply.header('access-control-expose-headers', EXPOSED);
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined)
    return false;
  const asked = request.headers['access-control-request-headers'];
  const names = asked !== undefined && HEADER_NAMES.test(asked) ? asked : HEADERS;
  reply
    .header('access-control-allow-methods', METHODS)
    .header('access-control-allow-headers', names)
    .header('access-control-max-age', ONE_DAY_SECONDS)
    .code(204)
    .send();
  return true;
}
