import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
  /** Both ends stay open, and nothing comes through. */
  isSilent: boolean;
}

/** Stands between a client and a server on loopback, byte by byte, and cuts what it joins in the ways of a network. */
export class TcpProxy {
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param upstream the server's port */
  static async start(upstream: number): Promise<TcpProxy> {
    const server = createServer();
    const proxy = new TcpProxy(server);
    server.on('connection', (client) => proxy.#join(client, connect(upstream, '127.0.0.1')));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** As when the client's process ends: the server is told that nothing more comes. */
  end(): void {
    for (const { client, upstream } of this.#pairs) {
      client.destroy();
      upstream.end();
    }
  }

  /** Both ends are told that the connection is broken. */
  reset(): void {
    for (const { client, upstream } of this.#pairs) {
      client.resetAndDestroy();
      upstream.resetAndDestroy();
    }
  }

  /** Neither end is told anything. */
  silence(): void {
    for (const pair of this.#pairs) pair.isSilent = true;
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const { client, upstream } of this.#pairs) {
      client.destroy();
      upstream.destroy();
    }
    await closed;
  }

  #join(client: Socket, upstream: Socket): void {
    const pair: Pair = { client, upstream, isSilent: false };
    this.#pairs.add(pair);
    const carry = (from: Socket, to: Socket) => {
      from.on('data', (data) => {
        if (!pair.isSilent) to.write(data);
      });
      from.on('error', () => undefined);
      from.on('close', () => {
        this.#pairs.delete(pair);
        if (!pair.isSilent) to.end();
      });
    };
    carry(client, upstream);
    carry(upstream, client);
  }
}
