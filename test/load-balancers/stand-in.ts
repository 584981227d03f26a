import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server, ServerCredentials, type ServerDuplexStream } from '@grpc/grpc-js';

/** A server in the place of an instance, which counts what reaches it and breaks when it is told to. */
export class StandIn {
  readonly #name: string;
  readonly #server = createServer({ maxHeaderSize: 128 * 1024 }, (request, response) => {
    // A client that hangs up.
    this.#answer(request, response).catch(() => undefined);
  });
  readonly #grpc = new Server();
  readonly #counts = new Map<string, number>();
  #held: (() => void)[] = [];
  #restPort = 0;
  #grpcPort = 0;
  isReady = true;
  /** Whether connections are closed when a request has arrived whole, as when the process is killed. */
  breaks = false;
  /** The path that is answered with 503. */
  refused = '';

  constructor(name: string) {
    this.#name = name;
  }

  async open(): Promise<this> {
    await this.listen();
    this.#grpc.addService(ECHO, { echo: (call: ServerDuplexStream<Buffer, Buffer>) => this.#echo(call) });
    this.#grpcPort = await new Promise<number>((resolve, reject) =>
      this.#grpc.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
        error === null ? resolve(port) : reject(error),
      ),
    );
    return this;
  }

  get ports() {
    return { rest: this.#restPort, grpc: this.#grpcPort };
  }

  /** How many requests for the path have arrived. */
  count(path: string): number {
    return this.#counts.get(path) ?? 0;
  }

  async listen(): Promise<void> {
    if (this.#server.listening) return;
    this.#server.listen(this.#restPort, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#restPort = (this.#server.address() as AddressInfo).port;
  }

  /** Refuses connections, until `listen` is called. */
  async refuse(): Promise<void> {
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }

  /** Answers the requests for `/held`. */
  release(): void {
    for (const answer of this.#held.splice(0)) answer();
  }

  async close(): Promise<void> {
    this.release();
    this.#grpc.forceShutdown();
    if (this.#server.listening) await this.refuse();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '', 'http://instance').pathname;
    let length = 0;
    for await (const chunk of request) length += (chunk as Buffer).length;
    if (path === '/readyz') return void response.writeHead(this.isReady ? 200 : 503).end();
    this.#counts.set(path, this.count(path) + 1);
    if (this.breaks) return void request.socket.destroy();
    const answer = {
      by: this.#name,
      forwardedFor: request.headers['x-forwarded-for'],
      length,
      line: request.url?.length,
    };
    if (path === this.refused) {
      response.writeHead(503, { 'retry-after': '7', 'content-type': 'application/json' });
      return void response.end(JSON.stringify(answer));
    }
    if (path === '/held') return void this.#held.push(() => response.end(JSON.stringify(answer)));
    if (path !== '/stream') return void response.end(JSON.stringify(answer));
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
    response.write('data: first\n\n');
    this.#held.push(() => response.end('data: last\n\n'));
  }

  #echo(call: ServerDuplexStream<Buffer, Buffer>): void {
    call.on('data', (message: Buffer) => call.write(Buffer.from(`${this.#name}:${String(message)}`)));
    call.on('end', () => call.end());
    call.on('error', () => undefined);
  }
}

const keep = (bytes: Buffer) => bytes;

/** A call that answers each message with the name of the instance. */
export const ECHO = {
  echo: {
    path: '/test/echo',
    requestStream: true,
    responseStream: true,
    requestSerialize: keep,
    requestDeserialize: keep,
    responseSerialize: keep,
    responseDeserialize: keep,
  },
} as const;
