import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';

interface Pair {
  readonly client: Socket;
  readonly upstream: Socket;
  /** Both ends stay open, and no bytes are forwarded. */
  isSilent: boolean;
}

/** Forwards bytes between clients and a server on loopback, and can break the connections as a network does. */
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

  /** Ends connections as when the client's process exits: the server receives a FIN. */
  end(): void {
    for (const { client, upstream } of this.#pairs) {
      client.destroy();
      upstream.end();
    }
  }

  /** Resets connections: both ends receive an RST. */
  reset(): void {
    for (const { client, upstream } of this.#pairs) {
      client.resetAndDestroy();
      upstream.resetAndDestroy();
    }
  }

  /** Stops forwarding. Neither end notices. */
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
