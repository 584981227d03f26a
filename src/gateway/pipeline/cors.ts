import type { FastifyReply, FastifyRequest } from 'fastify';
import { RATE_LIMIT_HEADERS } from './rate-limit.ts';
import { REQUEST_ID_HEADER } from '../http/request-id.ts';

const METHODS = 'GET, POST, PUT, PATCH, DELETE';
/** What a page may send when it does not say; libraries add headers of their own, which mean nothing here. */
const HEADERS = 'content-type, x-api-key, authorization';
const EXPOSED = [REQUEST_ID_HEADER, ...RATE_LIMIT_HEADERS, 'retry-after'].join(', ');
const ONE_DAY_SECONDS = '86400';
/** Header names, separated by commas. */
const HEADER_NAMES = /^[\w!#$%&'*+.^`|~, -]{1,1024}$/;

/**
 * Unless `origins` names some, any site may call: keys travel in a header that a page sets itself, never in cookies, so
 * there is nothing that a foreign page could use on a visitor's behalf. A preflight is answered here, before keys are looked at.
 * @returns true when the request was a preflight and is answered
 */
export function answerCors(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[] | null = null,
): boolean {
  if (origins === null) reply.header('access-control-allow-origin', '*');
  else {
    reply.header('vary', 'origin');
    const origin = origins.find((one) => one === request.headers.origin);
    if (origin !== undefined) reply.header('access-control-allow-origin', origin);
  }
  // Means something to a page alone, and pages of other sites always say where they are from.
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
