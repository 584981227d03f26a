import type { Server } from 'node:http';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import type { Bank } from '../bank.ts';
import { type DispatchOptions, dispatch, type Handler, type Handlers } from './dispatch.ts';
import { ErrorCode, invalidParams, RpcError } from './errors.ts';
import { atMost, integerBetween, type Params } from './params.ts';
import { Feed } from './subscriptions/feed.ts';
import { SUBSCRIBE } from './subscriptions/requests.ts';

/** A client message is at most this long: validators allow 4 KiB, which four filters of 128 bytes fill. */
const MAX_MESSAGE_BYTES = 16 * 1024;
const MAX_CONNECTIONS = 512;
const MAX_SUBSCRIPTIONS = 1_000;
/** Notifications that a client has not taken yet; one that lags further behind is dropped. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;
/** The same for all clients together; whoever adds to it from then on while it lags is dropped. */
const MAX_UNSENT_OF_ALL = 128 * 1024 * 1024;
/** A client with less than this to take does not lag. */
const LAG_BYTES = 256 * 1024;
const HEARTBEAT_MS = 30_000;

/** Close codes of RFC 6455, section 7.4.1, and of its registry. */
const CloseCode = { GOING_AWAY: 1001, POLICY: 1008, TRY_AGAIN_LATER: 1013 } as const;

export interface PubSubOptions {
  readonly bank: Bank;
  readonly version: string;
  readonly dispatch: DispatchOptions;
}

export interface PubSub {
  /** Ends every connection and stops listening to the bank. */
  close(): void;
}

/** Serves subscriptions to the WebSocket clients of `server`. */
export function servePubSub(server: Server, options: PubSubOptions): PubSub {
  const feed = new Feed(options.bank);
  const silent = new WeakSet<WebSocket>();
  const sockets = new WebSocketServer({ server, maxPayload: MAX_MESSAGE_BYTES, perMessageDeflate: false });
  const closeAll = (code: number, reason: string) => {
    for (const socket of sockets.clients) socket.close(code, reason);
  };
  const stopListening = options.bank.subscribe((event) => feed.handle(event));
  sockets.on('connection', (socket) => {
    // Errors of the transport and of the protocol end in `close`, which cleans up.
    socket.on('error', () => {});
    if (sockets.clients.size > MAX_CONNECTIONS) {
      socket.close(CloseCode.TRY_AGAIN_LATER, `too many connections; max ${MAX_CONNECTIONS}`);
      return;
    }
    serveConnection(socket, { feed, clients: sockets.clients }, options);
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

/** Pings a client, or drops it when it has not answered the ping before. */
function beat(socket: WebSocket, silent: WeakSet<WebSocket>): void {
  if (silent.has(socket)) {
    socket.terminate();
    return;
  }
  silent.add(socket);
  socket.ping();
}

interface Shared {
  readonly feed: Feed;
  readonly clients: ReadonlySet<WebSocket>;
}

function serveConnection(socket: WebSocket, { feed, clients }: Shared, options: PubSubOptions): void {
  const subscriptions = new Set<number>();
  const send = (text: string) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    if (lagsTooFar(socket, clients)) socket.close(CloseCode.POLICY, 'notifications are not read fast enough');
    else socket.send(text);
  };
  const handlers = connectionHandlers(feed, subscriptions, send, options.version);
  socket.on('message', (data: RawData) => {
    const answer = dispatch(data.toString(), handlers, options.dispatch);
    if (answer instanceof Promise) void answer.then((text) => text !== null && send(text));
    else if (answer !== null) send(answer);
  });
  socket.on('close', () => {
    for (const id of subscriptions) feed.unsubscribe(id);
  });
}

function lagsTooFar({ bufferedAmount }: WebSocket, clients: ReadonlySet<WebSocket>): boolean {
  if (bufferedAmount < LAG_BYTES) return false;
  if (bufferedAmount > MAX_UNSENT_BYTES) return true;
  let all = 0;
  for (const client of clients) all += client.bufferedAmount;
  return all > MAX_UNSENT_OF_ALL;
}

/** The methods of one connection, which can end only its own subscriptions. */
function connectionHandlers(
  feed: Feed,
  subscriptions: Set<number>,
  send: (text: string) => void,
  version: string,
): Handlers {
  const handlers = new Map<string, Handler>([['getVersion', () => ({ 'solana-core': version })]]);
  for (const [name, read] of Object.entries(SUBSCRIBE)) {
    handlers.set(`${name}Subscribe`, (params) => {
      if (subscriptions.size >= MAX_SUBSCRIPTIONS) forgetEnded(subscriptions, feed);
      if (subscriptions.size >= MAX_SUBSCRIPTIONS) {
        const message = `Subscription refused: a connection has at most ${MAX_SUBSCRIPTIONS}`;
        throw new RpcError(ErrorCode.INTERNAL, message);
      }
      const topic = read(params);
      const id = feed.subscribe(topic, send);
      subscriptions.add(id);
      queueMicrotask(() => feed.catchUp(id, topic, send));
      return id;
    });
    handlers.set(`${name}Unsubscribe`, (params) => unsubscribe(params, feed, subscriptions));
  }
  return handlers;
}

/** Signature subscriptions end by themselves. */
function forgetEnded(subscriptions: Set<number>, feed: Feed): void {
  for (const id of subscriptions) if (!feed.has(id)) subscriptions.delete(id);
}

function unsubscribe(params: Params, feed: Feed, subscriptions: Set<number>): true {
  atMost(params, 1);
  const id = integerBetween(0, Number.MAX_SAFE_INTEGER)(params[0], 'subscription');
  if (!subscriptions.delete(id) || !feed.unsubscribe(id))
    throw invalidParams(`no subscription has the id ${id}`);
  return true;
}
