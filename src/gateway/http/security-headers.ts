import type { FastifyReply } from 'fastify';

/**
 * Answers are data: a browser may not run them, frame them, or guess another type. `frame-ancestors` replaces
 * `x-frame-options`. The documentation page sets a policy of its own.
 */
const HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
} as const;

/** Adds the security headers to an answer. */
export function addSecurityHeaders(reply: FastifyReply): void {
  reply.headers(HEADERS);
}
