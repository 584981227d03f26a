import { type RawData, WebSocket } from 'ws';
import { OperatorError } from '../../../common/operator-error.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import { requireRecord } from '../../records/account-json.ts';
import { parseAccountJson } from '../../exact-json.ts';
import { computeBackoffMs } from './backoff.ts';
import { MessageMeter } from './message-meter.ts';
import { redactHost } from './rpc-client.ts';

/** Receives the notifications of one subscription. */
export interface Subscriber {
  readonly kind: 'slot' | 'program' | 'account' | 'logs';
  readonly params: readonly unknown[];
  /** Called when the RPC has accepted the subscription. Earlier changes were not notified. */
  onActive(): void;
  /**
   * Called with each notification.
   *
   * @throws OperatorError when `result` is malformed. The connection is then opened again.
   */
  onNotification(result: unknown): void;
  /** Called when the connection is lost, and notifications stop. */
  onLost(): void;
}

export interface PubSubOptions {
  readonly url: URL;
  readonly timers: Timers;
  readonly random: () => number;
  /** Further subscriptions wait until others end. */
  readonly maxSubscriptions: number;
  readonly onUp: () => void;
  readonly onDown: (reason: string) => void;
}

/** Enough for an account of 10 MiB in base64. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const HANDSHAKE_MS = 10_000;
const PING_MS = 5_000;
/** A connection on which nothing arrives for this long, not even a pong, is dead. */
const SILENT_MS = 15_000;
/** The maximum number of subscription requests that are waiting for an answer. */
const MAX_PENDING = 64;
/** After a connection that lasted this long, the backoff starts from the beginning. */
const STABLE_MS = 30_000;

interface Subscription {
  readonly subscriber: Subscriber;
  /** The RPC's number for the subscription, while it is active. */
  id: number | null;
  stopped: boolean;
}

/** The subscriptions of one WebSocket to an RPC. The connection is opened again whenever it fails. */
export class PubSub {
  readonly #options: PubSubOptions;
  readonly #subscriptions = new Set<Subscription>();
  /** Subscriptions that were not requested yet, in order. */
  readonly #waiting = new Set<Subscription>();
  readonly #pending = new Map<number, Subscription>();
  readonly #active = new Map<number, Subscription>();
  #socket: WebSocket | null = null;
  #isUp = false;
  readonly #meter = new MessageMeter();
  #receivedAt = 0;
  #openedAt = 0;
  #nextRequest = 1;
  #failures = 0;
  #cancelTimer: () => void = () => {};
  #closed = false;

  constructor(options: PubSubOptions) {
    this.#options = options;
    this.#connect();
  }

  /** Adds a subscription, and returns a function that ends it. */
  subscribe(subscriber: Subscriber): () => void {
    const subscription: Subscription = { subscriber, id: null, stopped: false };
    this.#subscriptions.add(subscription);
    this.#waiting.add(subscription);
    this.#subscribeNext();
    return () => this.#stop(subscription);
  }

  /** Closes the connection and opens it again after a wait. */
  drop(reason: string): void {
    const socket = this.#socket;
    if (socket === null) return;
    this.#disconnected(reason);
    socket.terminate();
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer();
    this.#subscriptions.clear();
    this.#waiting.clear();
    this.#socket?.terminate();
    this.#socket = null;
  }

  #connect(): void {
    const { url, timers } = this.#options;
    const socket = new WebSocket(url, {
      maxPayload: MAX_MESSAGE_BYTES,
      handshakeTimeout: HANDSHAKE_MS,
      followRedirects: false,
    });
    this.#socket = socket;
    let failure = 'the connection was closed';
    // The timeout of `ws` only ends a silent handshake, which an occasional byte would prolong forever.
    this.#cancelTimer = timers.after(HANDSHAKE_MS, () => {
      if (this.#socket === socket) this.drop(`the handshake took longer than ${HANDSHAKE_MS} ms`);
    });
    socket.on('open', () => {
      if (this.#socket === socket) this.#open(socket);
    });
    socket.on('message', (data) => {
      if (this.#socket === socket) this.#receive(data);
    });
    socket.on('pong', () => {
      this.#receivedAt = timers.now();
    });
    socket.on('error', (error) => {
      if (error.message !== '') failure = redactHost(error.message, url);
    });
    socket.on('close', () => {
      if (this.#socket === socket) this.#disconnected(failure);
    });
  }

  #open(socket: WebSocket): void {
    this.#cancelTimer();
    this.#meter.reset();
    this.#openedAt = this.#options.timers.now();
    this.#receivedAt = this.#openedAt;
    this.#isUp = true;
    this.#options.onUp();
    this.#subscribeNext();
    const beat = () => {
      const silence = this.#options.timers.now() - this.#receivedAt;
      if (silence > SILENT_MS) {
        this.drop(`nothing was heard for ${silence} ms`);
        return;
      }
      this.#meter.reset();
      socket.ping();
      this.#cancelTimer = this.#options.timers.after(PING_MS, beat);
    };
    this.#cancelTimer = this.#options.timers.after(PING_MS, beat);
  }

  /** Called when the connection is lost. All subscriptions are requested again over the next one. */
  #disconnected(reason: string): void {
    const { timers, random } = this.#options;
    this.#socket = null;
    this.#cancelTimer();
    if (this.#closed) return;
    if (this.#isUp && timers.now() - this.#openedAt > STABLE_MS) this.#failures = 0;
    this.#isUp = false;
    this.#pending.clear();
    this.#active.clear();
    for (const subscription of this.#subscriptions) {
      subscription.id = null;
      this.#waiting.add(subscription);
    }
    this.#cancelTimer = timers.after(computeBackoffMs(this.#failures++, random), () => this.#connect());
    this.#options.onDown(reason);
    for (const { subscriber } of this.#subscriptions) subscriber.onLost();
  }

  #subscribeNext(): void {
    const { maxSubscriptions } = this.#options;
    if (!this.#isUp) return;
    for (const subscription of this.#waiting) {
      if (this.#pending.size >= MAX_PENDING || this.#pending.size + this.#active.size >= maxSubscriptions)
        return;
      this.#waiting.delete(subscription);
      const request = this.#send(`${subscription.subscriber.kind}Subscribe`, subscription.subscriber.params);
      this.#pending.set(request, subscription);
    }
  }

  #send(method: string, params: readonly unknown[]): number {
    const id = this.#nextRequest++;
    this.#socket?.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return id;
  }

  #stop(subscription: Subscription): void {
    if (subscription.stopped) return;
    subscription.stopped = true;
    this.#subscriptions.delete(subscription);
    this.#waiting.delete(subscription);
    this.#unsubscribe(subscription);
    this.#subscribeNext();
  }

  /** Ends an active subscription. One that is still pending is ended when its answer arrives. */
  #unsubscribe({ id, subscriber }: Subscription): void {
    if (id === null || !this.#active.delete(id)) return;
    this.#send(`${subscriber.kind}Unsubscribe`, [id]);
  }

  #receive(data: RawData): void {
    this.#receivedAt = this.#options.timers.now();
    const text = data.toString();
    if (this.#dropWhen(this.#meter.message(text.length))) return;
    try {
      const message = requireRecord(parseAccountJson(text), 'a message');
      if (typeof message.method === 'string') this.#notified(message.params);
      else if (typeof message.id === 'number') this.#answered(message.id, message);
      else throw new OperatorError(`a message must have a method or an id, got ${formatForError(message)}`);
    } catch (error) {
      // Every error is caught, because one that is thrown here would end the process.
      this.drop(`it sent something wrong: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #notified(params: unknown): void {
    const { subscription: id, result } = requireRecord(params, 'params');
    if (typeof id !== 'number') {
      throw new OperatorError(`params.subscription must be a number, got ${formatForError(id)}`);
    }
    const subscription = this.#active.get(id);
    if (subscription === undefined) this.#dropWhen(this.#meter.stray());
    else subscription.subscriber.onNotification(result);
  }

  /** Drops the connection when a limit was exceeded. Returns whether it did. */
  #dropWhen(excess: string | null): boolean {
    if (excess === null) return false;
    this.drop(`it sent ${excess} within ${PING_MS} ms`);
    return true;
  }

  #answered(request: number, { result, error }: Readonly<Record<string, unknown>>): void {
    const subscription = this.#pending.get(request);
    if (subscription === undefined) {
      // Answers to unsubscriptions arrive here too, and are ignored.
      this.#dropWhen(this.#meter.stray());
      return;
    }
    this.#pending.delete(request);
    if (typeof result === 'number' && !this.#active.has(result)) {
      subscription.id = result;
      this.#active.set(result, subscription);
      if (subscription.stopped) this.#unsubscribe(subscription);
      else subscription.subscriber.onActive();
    } else if (error === undefined) {
      throw new OperatorError(
        `a subscription must be answered with a new number, got ${formatForError(result)}`,
      );
    }
    // A refused subscription is requested again over the next connection. Until then the account is polled.
    this.#subscribeNext();
  }
}
