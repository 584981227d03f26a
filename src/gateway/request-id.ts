import { randomUUID } from 'node:crypto';

/** Every response carries it, refusals of malformed requests included. Always our own: a client's is not trusted. */
export const REQUEST_ID_HEADER = 'x-api-gateway-request-id';

export function newRequestId(): string {
  return randomUUID();
}
