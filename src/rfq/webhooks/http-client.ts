import { Client, type Dispatcher, Pool } from 'undici';
import type { CallDeadline } from './call-deadline.ts';
import { hostOf, isPrivateHost, type LookupHost, createPublicLookup } from './outgoing-address.ts';
import type { WebhookRecord } from './webhook.ts';

/** The most connections to one maker. */
const MAX_CONNECTIONS = 32;
const IDLE_MS = 30_000;
const CONNECT_MS = 10_000;
/**
 * The most calls to one maker at a time. Further calls fail at once, so a maker that hangs holds a bounded number of
 * calls.
 */
const MAX_CALLS = 64;
const MAX_HEADER_BYTES = 8_192;
/** The most bytes of an answer. A quote has about 600. */
export const MAX_ANSWER_BYTES = 16_384;

export interface WebhookCall {
  readonly method: 'GET' | 'POST';
  /** The path that is appended to the maker's URL, such as `/quote`. */
  readonly path: string;
  /** Bytes rather than text, because one body may go to many makers. */
  readonly body: Uint8Array | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** The deadline of the whole call, including the connection. */
  readonly deadline: CallDeadline;
  readonly maxBytes?: number;
  /**
   * Whether the call may use an open connection. If the maker closes that connection at the same moment, the call fails
   * although nothing is wrong.
   */
  readonly reuses: boolean;
}

export type WebhookCallOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  | { readonly kind: 'failed'; readonly reason: FailedCall; readonly message: string };

/** `busy`: too many calls are waiting for the maker, and nothing was sent. */
export type FailedCall = 'timeout' | 'connection' | 'too-large' | 'redirect' | 'aborted' | 'busy';

export interface WebhookClientOptions {
  readonly record: Pick<WebhookRecord, 'url' | 'apiKey'>;
  /** Whether the maker may be at a private address. */
  readonly allowsPrivate: boolean;
  /** Resolves the host's name for each new connection. */
  readonly lookup: LookupHost;
}

/** Calls one maker's webhook. Redirects are not followed, and answers are bounded in size and time. */
export class WebhookClient {
  readonly #origin: string;
  readonly #options: Client.Options;
  readonly #pool: Pool;
  /** Names and values, alternating. */
  readonly #headers: readonly string[];
  /** The path of the maker's URL, without a slash at the end. */
  readonly #basePath: string;
  /** Why no call may be made; null if calls may be. */
  readonly #refusal: string | null;
  #calls = 0;

  constructor({ record, allowsPrivate, lookup }: WebhookClientOptions) {
    const base = new URL(record.url);
    const host = hostOf(base);
    const isRefused = !allowsPrivate && isPrivateHost(host);
    this.#refusal = isRefused ? `${host} is a private address` : null;
    this.#basePath = base.pathname.replace(/\/$/, '');
    this.#origin = base.origin;
    this.#options = {
      connect: { lookup: allowsPrivate ? lookup : createPublicLookup(lookup), timeout: CONNECT_MS },
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      maxHeaderSize: MAX_HEADER_BYTES,
      // Each call has its own deadline, which may be shorter or longer than one fixed timeout.
      headersTimeout: 0,
      bodyTimeout: 0,
    };
    this.#pool = new Pool(this.#origin, { ...this.#options, connections: MAX_CONNECTIONS });
    const { apiKey } = record;
    this.#headers = ['accept', 'application/json'].concat(apiKey === null ? [] : ['x-api-key', apiKey]);
  }

  /** Makes one call. The promise never rejects. */
  async call(call: WebhookCall): Promise<WebhookCallOutcome> {
    if (this.#calls >= MAX_CALLS) return failed('busy', `${MAX_CALLS} calls are waiting for the maker`);
    const { deadline } = call;
    if (deadline.over !== null) return failed(deadline.over, deadline.message);
    if (this.#refusal !== null) return failed('connection', this.#refusal);
    if (call.reuses) return this.#send(this.#pool, call);
    const once = new Client(this.#origin, this.#options);
    try {
      return await this.#send(once, call);
    } finally {
      void once.destroy();
    }
  }

  /** Closes the open connections. Calls in progress fail. */
  close(): void {
    void this.#pool.destroy();
  }

  #send(through: Dispatcher, call: WebhookCall): Promise<WebhookCallOutcome> {
    const { method, path, body, headers, deadline, maxBytes = MAX_ANSWER_BYTES } = call;
    const fields = [...this.#headers];
    for (const name in headers) fields.push(name, headers[name] ?? '');
    if (body !== null) fields.push('content-type', 'application/json');
    this.#calls++;
    return new Promise((resolve) => {
      const answer = new WebhookAnswerHandler(deadline, maxBytes, resolve, () => {
        this.#calls--;
      });
      through.dispatch({ method, path: `${this.#basePath}${path}`, headers: fields, body }, answer);
    });
  }
}

/** Collects the answer to one call. */
class WebhookAnswerHandler implements Dispatcher.DispatchHandlers {
  readonly #maxBytes: number;
  readonly #resolve: (outcome: WebhookCallOutcome) => void;
  /**
   * Called when nothing of the call is left. That may be after its outcome, because a connection may still be opening.
   */
  readonly #onGone: () => void;
  readonly #stopWaiting: () => void;
  #abort = (): void => {};
  #isOver = false;
  #status = 0;
  readonly #chunks: Buffer[] = [];
  #size = 0;

  constructor(
    deadline: CallDeadline,
    maxBytes: number,
    resolve: (outcome: WebhookCallOutcome) => void,
    onGone: () => void,
  ) {
    this.#maxBytes = maxBytes;
    this.#resolve = resolve;
    this.#onGone = onGone;
    this.#stopWaiting = deadline.onOver((reason) => this.#end(failed(reason, deadline.message)));
  }

  onConnect(abort: () => void): void {
    this.#abort = abort;
    if (this.#isOver) abort();
  }

  onHeaders(status: number): boolean {
    this.#status = status;
    if (status >= 300 && status < 400) {
      this.#end(failed('redirect', `the answer is a redirect (${status}), and redirects are not followed`));
    }
    return true;
  }

  onData(chunk: Buffer): boolean {
    this.#size += chunk.length;
    if (this.#size <= this.#maxBytes) this.#chunks.push(chunk);
    else this.#end(failed('too-large', `the answer has more than ${this.#maxBytes} bytes`));
    return true;
  }

  onComplete(): void {
    const body = Buffer.concat(this.#chunks, this.#size).toString('utf8');
    this.#end({ kind: 'answered', status: this.#status, body });
    this.#onGone();
  }

  onError(error: Error): void {
    this.#end(failed('connection', error.message));
    this.#onGone();
  }

  #end(outcome: WebhookCallOutcome): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#stopWaiting();
    if (outcome.kind === 'failed') this.#abort();
    this.#resolve(outcome);
  }
}

function failed(reason: FailedCall, message: string): WebhookCallOutcome {
  return { kind: 'failed', reason, message };
}
