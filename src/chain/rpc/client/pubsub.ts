import { type RawData, WebSocket } from 'ws';
import { OperatorError } from '../../../common/operator-error.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import { asRecord } from '../../account-json.ts';
import { parseAccountJson } from '../../exact-json.ts';
import { backoffMs } from './backoff.ts';
import { MessageMeter } from './message-meter.ts';
import { withoutPlace } from './rpc-client.ts';

/** Something that the RPC tells of by its WebSocket. */
export interface Follower {
  readonly kind: 'slot' | 'program' | 'account';
  readonly params: readonly unknown[];
  /** From now on the RPC tells of everything; what was before is not told. */
  onActive(): void;
  /** @throws OperatorError when it is of another shape: then the connection is begun anew */
  onTold(result: unknown): void;
  /** The RPC tells nothing any more: the connection is down, or has no room for this. */
  onLost(): void;
}

export interface PubSubOptions {
  readonly url: URL;
  readonly timers: Timers;
  readonly random: () => number;
  /** Those beyond it wait until others end. */
  readonly maxSubscriptions: number;
  readonly onUp: () => void;
  readonly onDown: (reason: string) => void;
}

/** An account of 10 MiB in base64, and some more. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const HANDSHAKE_MS = 10_000;
const PING_MS = 5_000;
/** Without a word, an answer to a ping included, for so long the other side is gone. */
const SILENT_MS = 15_000;
/** Subscriptions asked for and not answered yet. */
const MAX_ASKED = 64;
/** A connection that lasted so long was a good one: the next failure counts as the first. */
const GOOD_MS = 30_000;

interface Following {
  readonly follower: Follower;
  /** What the RPC calls it, while it is active. */
  id: number | null;
  stopped: boolean;
}

/** One WebSocket to an RPC, opened again whenever it fails, and what is followed by it. */
export class PubSub {
  readonly #options: PubSubOptions;
  readonly #followings = new Set<Following>();
  /** In the order in which they are asked for. */
  readonly #waiting = new Set<Following>();
  readonly #asked = new Map<number, Following>();
  readonly #active = new Map<number, Following>();
  #socket: WebSocket | null = null;
  #isUp = false;
  readonly #meter = new MessageMeter();
  #heardAt = 0;
  #openedAt = 0;
  #nextRequest = 1;
  #failures = 0;
  #cancelTimer: () => void = () => {};
  #closed = false;

  constructor(options: PubSubOptions) {
    this.#options = options;
    this.#connect();
  }

  /** Returns the way to stop. */
  follow(follower: Follower): () => void {
    const following: Following = { follower, id: null, stopped: false };
    this.#followings.add(following);
    this.#waiting.add(following);
    this.#ask();
    return () => this.#stop(following);
  }

  /** Begins the connection anew. */
  drop(reason: string): void {
    const socket = this.#socket;
    if (socket === null) return;
    this.#lose(reason);
    socket.terminate();
  }

  close(): void {
    this.#closed = true;
    this.#cancelTimer();
    this.#followings.clear();
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
    // The bound of `ws` is on silence: a byte now and then would keep the handshake going.
    this.#cancelTimer = timers.after(HANDSHAKE_MS, () => {
      if (this.#socket === socket) this.drop(`the handshake took longer than ${HANDSHAKE_MS} ms`);
    });
    socket.on('open', () => {
      if (this.#socket === socket) this.#open(socket);
    });
    socket.on('message', (data) => {
      if (this.#socket === socket) this.#hear(data);
    });
    socket.on('pong', () => {
      this.#heardAt = timers.now();
    });
    socket.on('error', (error) => {
      if (error.message !== '') failure = withoutPlace(error.message, url);
    });
    socket.on('close', () => {
      if (this.#socket === socket) this.#lose(failure);
    });
  }

  #open(socket: WebSocket): void {
    this.#cancelTimer();
    this.#meter.reset();
    this.#openedAt = this.#options.timers.now();
    this.#heardAt = this.#openedAt;
    this.#isUp = true;
    this.#options.onUp();
    this.#ask();
    const beat = () => {
      const silence = this.#options.timers.now() - this.#heardAt;
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

  /** The connection is gone: everything is asked for again at the next. */
  #lose(reason: string): void {
    const { timers, random } = this.#options;
    this.#socket = null;
    this.#cancelTimer();
    if (this.#closed) return;
    if (this.#isUp && timers.now() - this.#openedAt > GOOD_MS) this.#failures = 0;
    this.#isUp = false;
    this.#asked.clear();
    this.#active.clear();
    for (const following of this.#followings) {
      following.id = null;
      this.#waiting.add(following);
    }
    this.#cancelTimer = timers.after(backoffMs(this.#failures++, random), () => this.#connect());
    this.#options.onDown(reason);
    for (const { follower } of this.#followings) follower.onLost();
  }

  #ask(): void {
    const { maxSubscriptions } = this.#options;
    if (!this.#isUp) return;
    for (const following of this.#waiting) {
      if (this.#asked.size >= MAX_ASKED || this.#asked.size + this.#active.size >= maxSubscriptions) return;
      this.#waiting.delete(following);
      const request = this.#send(`${following.follower.kind}Subscribe`, following.follower.params);
      this.#asked.set(request, following);
    }
  }

  #send(method: string, params: readonly unknown[]): number {
    const id = this.#nextRequest++;
    this.#socket?.send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    return id;
  }

  #stop(following: Following): void {
    if (following.stopped) return;
    following.stopped = true;
    this.#followings.delete(following);
    this.#waiting.delete(following);
    this.#unsubscribe(following);
    this.#ask();
  }

  /** One that was asked for and is not answered yet ends with its answer. */
  #unsubscribe({ id, follower }: Following): void {
    if (id === null || !this.#active.delete(id)) return;
    this.#send(`${follower.kind}Unsubscribe`, [id]);
  }

  #hear(data: RawData): void {
    this.#heardAt = this.#options.timers.now();
    const text = data.toString();
    if (this.#dropWhen(this.#meter.message(text.length))) return;
    try {
      const message = asRecord(parseAccountJson(text), 'a message');
      if (typeof message.method === 'string') this.#told(message.params);
      else if (typeof message.id === 'number') this.#answered(message.id, message);
      else throw new OperatorError(`a message must have a method or an id, got ${formatForError(message)}`);
    } catch (error) {
      // Whatever it is: an error thrown here would end the process, and reading does nothing else.
      this.drop(`it told something wrong: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #told(params: unknown): void {
    const { subscription, result } = asRecord(params, 'params');
    if (typeof subscription !== 'number') {
      throw new OperatorError(`params.subscription must be a number, got ${formatForError(subscription)}`);
    }
    const following = this.#active.get(subscription);
    if (following === undefined) this.#dropWhen(this.#meter.stray());
    else following.follower.onTold(result);
  }

  /** Whether the connection was given up, for having sent too much. */
  #dropWhen(excess: string | null): boolean {
    if (excess === null) return false;
    this.drop(`it sent ${excess} within ${PING_MS} ms`);
    return true;
  }

  #answered(request: number, { result, error }: Readonly<Record<string, unknown>>): void {
    const following = this.#asked.get(request);
    if (following === undefined) {
      // Unsubscriptions are answered too, and nobody waits for that.
      this.#dropWhen(this.#meter.stray());
      return;
    }
    this.#asked.delete(request);
    if (typeof result === 'number' && !this.#active.has(result)) {
      following.id = result;
      this.#active.set(result, following);
      if (following.stopped) this.#unsubscribe(following);
      else following.follower.onActive();
    } else if (error === undefined) {
      throw new OperatorError(
        `a subscription must be answered with a new number, got ${formatForError(result)}`,
      );
    }
    // What the RPC has no room for is read instead, and asked for again over the next connection.
    this.#ask();
  }
}
