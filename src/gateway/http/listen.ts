import type { FastifyInstance } from 'fastify';
import { type ListenOptions, listenError } from '../../common/listen-error.ts';

/**
 * @returns the server's base URL, with the port that the system chose where 0 was asked for
 * @throws OperatorError when the port cannot be had
 */
export async function listen(app: FastifyInstance, { host, port, setting }: ListenOptions): Promise<string> {
  const scheme = 'setSecureContext' in app.server ? 'https' : 'http';
  const listenTextResolver = (address: string) =>
    `${setting} is served at ${address.replace(/^https?/, scheme)}`;
  try {
    await app.listen({ host, port, listenTextResolver });
  } catch (error) {
    throw listenError(error, { host, port, setting });
  }
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error(`${setting} is not a TCP port`);
  return `${scheme}://${reachable(host)}:${address.port}`;
}

/** A host under which a client on this machine reaches a server that listens on `host`, as a URL writes it. */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
