import type { FastifyReply } from 'fastify';

/** Adds a header of the request by which the answer differs, beside those that earlier steps have added. */
export function addVary(reply: FastifyReply, name: string): FastifyReply {
  const known = reply.getHeader('vary');
  return reply.header('vary', known === undefined ? name : `${known}, ${name}`);
}
