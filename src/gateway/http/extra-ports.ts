import type { IncomingMessage } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type ListenOptions, toListenError } from '../../common/listen-error.ts';
import { toReachableHost } from './listen.ts';

/** A further port of a server. */
export interface ExtraPort extends ListenOptions {
  /** The path that is served at the root of the port, such as `/swap/v2`. The port's other paths are relative to it. */
  readonly path: string;
}

/** The scheme and the host of a target in absolute form, which every server has to take. */
const ORIGIN = /^https?:\/\/[^/?#]+/i;

/**
 * The additional ports of one server. Each serves the paths below one path of the server. Their connections are handed
 * to the server, so its bounds, limits, steps and certificate apply to all ports together.
 */
export class ExtraPorts {
  readonly #paths = new Map<number, string>();
  readonly #listeners: Server[] = [];

  /** Returns the target of a request; on an additional port, it is below the port's path. */
  targetOf({ url = '/', socket }: Pick<IncomingMessage, 'url' | 'socket'>): string {
    if (this.#paths.size === 0) return url;
    const path = this.#paths.get(socket.localPort ?? 0);
    if (path === undefined) return url;
    const own = url.replace(ORIGIN, '');
    const below = own.startsWith('/') ? own.slice(1) : own;
    return below === '' || below.startsWith('?') ? `${path}${below}` : `${path}/${below}`;
  }

  /**
   * Makes the server listen on another port too.
   * @param app - Listens already.
   * @returns the base URL of the port
   * @throws OperatorError if the port cannot be used
   */
  async listen(app: FastifyInstance, { host, port, setting, path }: ExtraPort): Promise<string> {
    const isTls = 'setSecureContext' in app.server;
    // Node's own servers for HTTP and TLS listen with these options.
    const listener = createServer({ noDelay: true, allowHalfOpen: !isTls }, (socket) => {
      app.server.emit('connection', socket);
    });
    listener.maxConnections = app.server.maxConnections;
    await new Promise<void>((resolve, reject) => {
      listener.once('error', (error) => reject(toListenError(error, { host, port, setting })));
      listener.listen({ host, port }, resolve);
    });
    this.#listeners.push(listener);
    const { port: chosen } = listener.address() as AddressInfo;
    this.#paths.set(chosen, path);
    return `${isTls ? 'https' : 'http'}://${toReachableHost(host)}:${chosen}`;
  }

  /** Stops accepting connections. Resolves when the server has closed the existing ones. */
  async close(): Promise<void> {
    await Promise.all(
      this.#listeners.splice(0).map((listener) => new Promise((resolve) => listener.close(resolve))),
    );
  }
}
