import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';

/** What becomes of one HTTP call. */
export type HttpFault =
  | { readonly kind: 'pass' }
  /** Answered with this instead. */
  | { readonly kind: 'answer'; readonly status: number; readonly body: string; readonly retryAfter?: string }
  /** The connection is cut. */
  | { readonly kind: 'drop' }
  /** The connection stays open and carries nothing. */
  | { readonly kind: 'hang' }
  /** The true answer, after the promise. */
  | { readonly kind: 'delay'; readonly until: Promise<void> }
  /** The true answer, changed, to the question, perhaps changed too. */
  | {
      readonly kind: 'change';
      readonly change: (answer: string) => string;
      readonly ask?: (question: string) => string;
    }
  /** Answered by the test, in whatever way. */
  | { readonly kind: 'raw'; readonly answer: (response: ServerResponse) => void };

/** What becomes of a message that the RPC sends by WebSocket, a notification or an answer: a function changes it. */
export type SocketFault = 'pass' | 'drop' | ((message: string) => string);

const PASS: HttpFault = { kind: 'pass' };

interface Upstream {
  readonly rpcUrl: string;
  readonly wsUrl: string;
}

/** Stands between a client and a Solana RPC, HTTP and WebSocket on one port, and does harm as the test says. */
export class RpcProxy {
  readonly #upstream: Upstream;
  readonly #server: Server;
  readonly #sockets = new WebSocketServer({ noServer: true, autoPong: false });
  readonly #connections = new Set<Socket>();
  readonly #held: ServerResponse[] = [];
  #port = 0;
  /** Decides for each call by its method. */
  onCall: (method: string, params: unknown) => HttpFault = () => PASS;
  /** Decides for each message from the RPC, by its method; an answer to a request has none. */
  onMessage: (method: string | null) => SocketFault = () => 'pass';
  /** Whether open WebSockets carry nothing either way, pings included. */
  isHalfOpen = false;
  /** Whether the RPC refuses to report the logs of programs. */
  isWithoutLogs = false;
  /** WebSockets that were opened so far. */
  opened = 0;
  /** Calls by method so far. */
  readonly calls = new Map<string, number>();

  private constructor(upstream: Upstream) {
    this.#upstream = upstream;
    this.#server = createServer((request, response) => void this.#call(request, response));
    this.#server.on('connection', (socket: Socket) => {
      this.#connections.add(socket);
      socket.on('close', () => this.#connections.delete(socket));
    });
    this.#server.on('upgrade', (request, socket, head) => {
      this.#sockets.handleUpgrade(request, socket, head, (client) => this.#join(client));
    });
  }

  static async start(upstream: Upstream): Promise<RpcProxy> {
    const proxy = new RpcProxy(upstream);
    await proxy.restore();
    return proxy;
  }

  get rpcUrl(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  get wsUrl(): string {
    return `ws://127.0.0.1:${this.#port}`;
  }

  /** As if the RPC's process had died: nothing listens and every connection is cut. */
  async kill(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.cut();
    await closed;
  }

  /** Listens again, at the same port. */
  async restore(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve));
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Sends a message of its own by every WebSocket. */
  say(text: string): void {
    for (const client of this.#sockets.clients) client.send(text);
  }

  /** The WebSockets that are open, for whatever else a test does to them. */
  get clients(): ReadonlySet<WebSocket> {
    return this.#sockets.clients;
  }

  /** Cuts every connection. */
  cut(): void {
    for (const client of this.#sockets.clients) client.terminate();
    for (const socket of this.#connections) socket.destroy();
  }

  async close(): Promise<void> {
    if (this.#server.listening) await this.kill();
  }

  async #call(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await textOf(request);
    const { method, params } = JSON.parse(body) as { method: string; params: unknown };
    this.calls.set(method, (this.calls.get(method) ?? 0) + 1);
    const fault = this.onCall(method, params);
    if (fault.kind === 'drop') request.socket.destroy();
    else if (fault.kind === 'hang') this.#held.push(response);
    else if (fault.kind === 'raw') fault.answer(response);
    else if (fault.kind === 'answer') {
      const headers = fault.retryAfter === undefined ? {} : { 'retry-after': fault.retryAfter };
      response.writeHead(fault.status, { 'content-type': 'application/json', ...headers }).end(fault.body);
    } else {
      const headers = { 'content-type': 'application/json' };
      const asked = fault.kind === 'change' ? (fault.ask?.(body) ?? body) : body;
      const question = { method: 'POST', headers, body: asked };
      const answer = await fetch(this.#upstream.rpcUrl, question).catch(() => null);
      if (fault.kind === 'delay') await fault.until;
      if (answer === null) request.socket.destroy();
      else {
        const text = await answer.text();
        response.writeHead(answer.status, headers).end(fault.kind === 'change' ? fault.change(text) : text);
      }
    }
  }

  #join(client: WebSocket): void {
    this.opened++;
    const upstream = new WebSocket(this.#upstream.wsUrl);
    const opened = new Promise<void>((resolve) => upstream.once('open', resolve));
    client.on('message', (data) => {
      if (this.isHalfOpen) return;
      const { id, method } = JSON.parse(data.toString()) as { id?: unknown; method?: string };
      if (this.isWithoutLogs && method === 'logsSubscribe') {
        client.send(
          JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'not supported' } }),
        );
        return;
      }
      void opened.then(() => upstream.send(data.toString()));
    });
    client.on('ping', () => {
      if (!this.isHalfOpen) client.pong();
    });
    upstream.on('message', (data) => {
      const text = data.toString();
      const { method = null } = JSON.parse(text) as { method?: string };
      const fault = this.isHalfOpen ? 'drop' : this.onMessage(method);
      if (fault !== 'drop') client.send(fault === 'pass' ? text : fault(text));
    });
    client.on('error', () => {});
    upstream.on('error', () => client.terminate());
    client.on('close', () => upstream.terminate());
    upstream.on('close', () => client.terminate());
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
