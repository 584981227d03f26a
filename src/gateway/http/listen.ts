import type { FastifyInstance } from 'fastify';
import { type ListenOptions, toListenError } from '../../common/listen-error.ts';

/**
 * Makes a server listen.
 * Returns its base URL; if port 0 was asked for, with the port that the system chose.
 * @throws OperatorError if the port cannot be used
 */
export async function listen(app: FastifyInstance, { host, port, setting }: ListenOptions): Promise<string> {
  const scheme = 'setSecureContext' in app.server ? 'https' : 'http';
  const listenTextResolver = (address: string) =>
    `${setting} is served at ${address.replace(/^https?/, scheme)}`;
  try {
    await app.listen({ host, port, listenTextResolver });
  } catch (error) {
    throw toListenError(error, { host, port, setting });
  }
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error(`${setting} is not a TCP port`);
  return `${scheme}://${toReachableHost(host)}:${address.port}`;
}

/**
 * Returns the host by which a client on this machine reaches a server that listens on `host`, in the form for a URL.
 */
export function toReachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
