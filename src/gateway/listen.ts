import type { FastifyInstance } from 'fastify';
import { OperatorError } from '../operator-error.ts';

/** Where a server is to listen; `setting` is the configuration's name of the port. */
export interface ListenOptions {
  readonly host: string;
  readonly port: number;
  readonly setting: string;
}

/**
 * @returns the server's base URL, with the port that the system chose where 0 was asked for
 * @throws OperatorError when the port cannot be had
 */
export async function listen(app: FastifyInstance, { host, port, setting }: ListenOptions): Promise<string> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    throw listenError(error, { host, port, setting });
  }
  const address = app.server.address();
  if (address === null || typeof address === 'string') throw new Error(`${setting} is not a TCP port`);
  return `http://${reachable(host)}:${address.port}`;
}

/** What to tell when a port cannot be had; anything else is handed back as it is. */
export function listenError(error: unknown, { host, port, setting }: ListenOptions): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const where = `${setting} ${port} on ${host}`;
  const remedy = `choose another with --${setting}`;
  if (code === 'EADDRINUSE') {
    return new OperatorError(`${where} is in use, perhaps by another instance; stop that, or ${remedy}`);
  }
  if (code === 'EACCES') return new OperatorError(`${where} may not be used by this user; ${remedy}`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
    return new OperatorError(
      `${where} cannot be used: this machine has no such address; choose another with --host`,
    );
  }
  return error;
}

/** A host under which a client on this machine reaches a server that listens on `host`, as a URL writes it. */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
