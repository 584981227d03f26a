import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendGatewayError } from '../http/errors.ts';
import { REQUEST_ID_HEADER } from '../http/log/request-id.ts';
import { addSecurityHeaders } from '../http/security-headers.ts';
import { validateRequestHead } from '../http/validate-request-head.ts';
import { addStep } from './request/step.ts';

/** Adds the request's id and the security headers to every answer, and refuses requests with an ambiguous head. */
export function addRequestHead(app: FastifyInstance): void {
  addStep(app, 'onRequest', (request, reply) => {
    addOwnHeaders(request, reply);
    const problem = validateRequestHead(request.raw);
    if (problem === null) return true;
    sendGatewayError(reply, problem.status, problem.message);
    return false;
  });
}

/** Adds the headers that every answer has, including those to malformed requests. */
export function addOwnHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header(REQUEST_ID_HEADER, request.id);
  addSecurityHeaders(reply);
}
