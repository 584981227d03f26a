import type { IncomingMessage, Server } from 'node:http';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import {
  boundConnections,
  type Connection,
  getConnection,
  getNetworkAddress,
} from '../../../common/collections/connections.ts';
import { SharedBudget } from '../../../common/collections/fair-shares.ts';
import type { Bank } from '../ledger/bank.ts';
import { type DispatchOptions, dispatch, type Handler, type Handlers } from './calls/dispatch.ts';
import { ErrorCode } from '../../json-rpc/error-codes.ts';
import { invalidParams, RpcError } from '../../json-rpc/rpc-errors.ts';
import { CONNECTIONS_FACTOR } from './http.ts';
import { requireAtMost, createIntegerReader, type Params } from './calls/params.ts';
import { Feed } from './subscriptions/feed.ts';
import { SUBSCRIBE } from './subscriptions/requests.ts';

/** The maximum length of a client's message. Validators allow 4 KiB, which four filters of 128 bytes fill. */
const MAX_MESSAGE_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 512;
const MAX_SUBSCRIPTIONS = 1_000;
/** The maximum for all connections together. One address may hold as many as it leaves to others. */
const MAX_SUBSCRIPTIONS_OF_ALL = 20_000;
const SUBSCRIPTIONS_FACTOR = 1;
/** The maximum size of notifications that a client has not read. A client that exceeds it is disconnected. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;
/** The maximum for all clients together. Beyond it, lagging clients are disconnected at their next notification. */
const MAX_UNSENT_OF_ALL = 128 * 1024 * 1024;
/** A client with less unread data than this does not lag. */
const LAG_BYTES = 256 * 1024;
const HEARTBEAT_MS = 30_000;

/** Close codes of RFC 6455, section 7.4.1, and of its registry. */
const CloseCode = { GOING_AWAY: 1001, POLICY: 1008 } as const;

export interface PubSubServerOptions {
  readonly bank: Bank;
  readonly version: string;
  readonly dispatch: DispatchOptions;
  /** Called before a notification or an answer is sent. */
  readonly beforeShown: () => void;
}

export interface PubSubServer {
  /** Closes all connections and ends the subscription of the bank. */
  close(): void;
}

/** Serves subscriptions to the WebSocket clients of `server`. */
export function servePubSub(server: Server, options: PubSubServerOptions): PubSubServer {
  const feed = new Feed(options.bank);
  const silent = new WeakSet<WebSocket>();
  const sockets = new WebSocketServer({ server, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
  const closeAll = (code: number, reason: string) => {
    for (const socket of sockets.clients) socket.close(code, reason);
  };
  const stopListening = options.bank.subscribe((event) => feed.handle(event));
  const budget = new SharedBudget(MAX_SUBSCRIPTIONS_OF_ALL, SUBSCRIPTIONS_FACTOR);
  boundConnections(server, { max: MAX_CONNECTIONS, factor: CONNECTIONS_FACTOR });
  sockets.on('connection', (socket, request) => {
    // Errors of the transport and the protocol are followed by `close`, which cleans up.
    socket.on('error', () => {});
    serveConnection(socket, { feed, budget, clients: sockets.clients }, request, options);
    socket.on('pong', () => silent.delete(socket));
  });
  const heartbeat = setInterval(() => {
    for (const socket of sockets.clients) beat(socket, silent);
  }, HEARTBEAT_MS);
  heartbeat.unref();
  return {
    close() {
      clearInterval(heartbeat);
      stopListening();
      closeAll(CloseCode.GOING_AWAY, 'the network stops');
      sockets.close();
      for (const socket of sockets.clients) socket.terminate();
    },
  };
}

/** Pings a client, or disconnects it when it has not answered the previous ping. */
function beat(socket: WebSocket, silent: WeakSet<WebSocket>): void {
  if (silent.has(socket)) {
    socket.terminate();
    return;
  }
  silent.add(socket);
  socket.ping();
}

interface SharedByConnections {
  readonly feed: Feed;
  /** The budget of subscriptions, shared between the networks of clients. */
  readonly budget: SharedBudget;
  readonly clients: ReadonlySet<WebSocket>;
}

function serveConnection(
  socket: WebSocket,
  { feed, budget, clients }: SharedByConnections,
  request: IncomingMessage,
  options: PubSubServerOptions,
): void {
  const send = (text: string) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (lagsTooFar(socket, clients)) {
      socket.close(CloseCode.POLICY, 'notifications are not read fast enough');
      // The client may take its time to leave. Nothing more is written for it.
      subscriptions.endAll();
    } else {
      options.beforeShown();
      socket.send(text);
    }
  };
  const network = getNetworkAddress(request.socket.remoteAddress ?? '');
  const subscriptions = new Subscriptions(feed, budget, network, getConnection(request.socket));
  const handlers = connectionHandlers(feed, subscriptions, send, options.version);
  handleOneByOne(socket, options.dispatch.yieldThread, async (data) => {
    const answer = dispatch(data.toString(), handlers, options.dispatch);
    const text = answer instanceof Promise ? await answer : answer;
    if (text !== null) send(text);
  });
  socket.on('close', () => subscriptions.endAll());
}

/**
 * Handles the messages of a connection one after another, and lets other work of the thread run after each. Meanwhile,
 * nothing is read from the connection, so that batches that arrive faster than they are answered wait at their sender.
 */
function handleOneByOne(
  socket: WebSocket,
  yieldThread: () => Promise<void>,
  handle: (data: RawData) => Promise<void>,
): void {
  /** The messages that were read before reading stopped, which are at most what one read of the socket holds. */
  let waiting: RawData[] = [];
  let isHandling = false;
  const handleAll = async () => {
    isHandling = true;
    socket.pause();
    while (waiting.length > 0) {
      const messages = waiting;
      waiting = [];
      for (const data of messages) {
        if (socket.readyState !== WebSocket.OPEN) continue;
        await handle(data);
        await yieldThread();
      }
    }
    isHandling = false;
    socket.resume();
  };
  socket.on('message', (data: RawData) => {
    waiting.push(data);
    if (!isHandling) void handleAll();
  });
}

/** The subscriptions of one connection. A connection with a subscription is not idle. */
class Subscriptions {
  readonly #ids = new Set<number>();
  readonly #feed: Feed;
  readonly #budget: SharedBudget;
  readonly #network: string;
  readonly #connection: Connection;
  #isClosed = false;

  constructor(feed: Feed, budget: SharedBudget, network: string, connection: Connection) {
    this.#feed = feed;
    this.#budget = budget;
    this.#network = network;
    this.#connection = connection;
  }

  /**
   * Adds a subscription, which counts for the connection and for the share of its network.
   *
   * @throws RpcError when there are too many.
   */
  add(subscribe: () => number): number {
    if (this.#ids.size >= MAX_SUBSCRIPTIONS) this.#forgetEnded();
    if (this.#ids.size >= MAX_SUBSCRIPTIONS) {
      const message = `Subscription refused: a connection has at most ${MAX_SUBSCRIPTIONS}`;
      throw new RpcError(ErrorCode.INTERNAL, message);
    }
    if (this.#isClosed || !this.#takeFromBudget()) {
      const message = `Subscription refused: all connections of your address have their share of ${MAX_SUBSCRIPTIONS_OF_ALL}`;
      throw new RpcError(ErrorCode.INTERNAL, message);
    }
    const id = subscribe();
    this.#ids.add(id);
    this.#connection.requests++;
    return id;
  }

  /** Ends a subscription. Returns false when it does not belong to this connection. */
  end(id: number): boolean {
    return this.#remove(id) && this.#feed.unsubscribe(id);
  }

  endAll(): void {
    this.#isClosed = true;
    for (const id of this.#ids) this.end(id);
  }

  #takeFromBudget(): boolean {
    if (this.#budget.take(this.#network, 1)) return true;
    this.#forgetEnded();
    return this.#budget.take(this.#network, 1);
  }

  #remove(id: number): boolean {
    if (!this.#ids.delete(id)) return false;
    this.#budget.giveBack(this.#network, 1);
    this.#connection.requests--;
    return true;
  }

  /** Signature subscriptions end by themselves. */
  #forgetEnded(): void {
    for (const id of this.#ids) if (!this.#feed.has(id)) this.#remove(id);
  }
}

function lagsTooFar({ bufferedAmount }: WebSocket, clients: ReadonlySet<WebSocket>): boolean {
  if (bufferedAmount < LAG_BYTES) return false;
  if (bufferedAmount > MAX_UNSENT_BYTES) return true;
  let all = 0;
  for (const client of clients) all += client.bufferedAmount;
  return all > MAX_UNSENT_OF_ALL;
}

/** Returns the methods of one connection, which can only end its own subscriptions. */
function connectionHandlers(
  feed: Feed,
  subscriptions: Subscriptions,
  send: (text: string) => void,
  version: string,
): Handlers {
  const handlers = new Map<string, Handler>([['getVersion', () => ({ 'solana-core': version })]]);
  for (const [name, read] of Object.entries(SUBSCRIBE)) {
    handlers.set(`${name}Subscribe`, (params) => {
      const topic = read(params);
      const id = subscriptions.add(() => feed.subscribe(topic, send));
      queueMicrotask(() => feed.catchUp(id, topic, send));
      return id;
    });
    handlers.set(`${name}Unsubscribe`, (params) => unsubscribe(params, subscriptions));
  }
  return handlers;
}

function unsubscribe(params: Params, subscriptions: Subscriptions): true {
  requireAtMost(params, 1);
  const id = createIntegerReader(0, Number.MAX_SAFE_INTEGER)(params[0], 'subscription');
  if (!subscriptions.end(id)) throw invalidParams(`no subscription has the id ${id}`);
  return true;
}
