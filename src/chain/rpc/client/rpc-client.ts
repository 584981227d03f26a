import { type Posted, postJson } from '../../../common/bounded-post.ts';
import { ConcurrencyLimit } from '../../../common/collections/concurrency-limit.ts';
import { JsonTooDeep } from '../../../common/bounded-json.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { type Timers, wait } from '../../../common/ports/timers.ts';
import { requireRecord } from '../../records/account-json.ts';
import { ChainUnavailable, type ChainUnavailableKind } from '../../chain.ts';
import { parseAccountJson } from '../../exact-json.ts';
import { formatCallBody, readOutcome } from '../../json-rpc/call.ts';
import type { NodeReading } from '../../node-reading.ts';
import { computeBackoffMs } from './backoff.ts';
import { CallCounts } from './call-counts.ts';
import type { CallPace } from './call-pace.ts';
import { redactUrl } from './redact-url.ts';

/** Thrown when the RPC refuses a call for good, so that a retry would not help. */
export class RpcRefusal extends Error {
  override readonly name = 'RpcRefusal';
  readonly code: number;
  readonly data: unknown;

  constructor(message: string, code: number, data: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The limits of a call. */
export interface CallPolicy {
  readonly attempts: number;
  /** The timeout of each attempt. */
  readonly timeoutMs: number;
  /** The maximum size of the answer. */
  readonly maxBytes: number;
  /** Whether the call goes ahead of others that are waiting. Only for what Sluice itself has to know. */
  readonly urgent: boolean;
}

const MIB = 1024 * 1024;
/** For calls that a client's request waits for. */
export const READ: CallPolicy = { attempts: 3, timeoutMs: 5_000, maxBytes: 64 * MIB, urgent: false };
/** For a page that a person looks at: a second attempt is a click. */
export const READ_ONCE: CallPolicy = { ...READ, attempts: 1 };
/** For calls that are repeated soon anyway. */
export const POLL: CallPolicy = { attempts: 1, timeoutMs: 5_000, maxBytes: 4 * MIB, urgent: true };
/** For submitting a transaction. The caller decides when to send it again. */
export const SEND: CallPolicy = { attempts: 1, timeoutMs: 5_000, maxBytes: 4 * MIB, urgent: false };
/** For reading all accounts of a program. V8 does not support strings that are much longer. */
export const SCAN: CallPolicy = { attempts: 2, timeoutMs: 120_000, maxBytes: 256 * MIB, urgent: false };

export interface RpcClientOptions {
  readonly url: URL;
  readonly timers: Timers;
  /** The pace of the calls to the node. */
  readonly pace: Pick<CallPace, 'turn'>;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
}

const MAX_RUNNING = 16;
const MAX_WAITING = 2_000;
/** The maximum pause after the RPC has answered 429, whatever its `retry-after` says. */
const MAX_PAUSE_MS = 60_000;
/** A call fails at once when the pause lasts longer than this. */
const MAX_WAIT_MS = 2_000;
const TOO_MANY_REQUESTS = 429;
/** What is read of a text from which a short quote is made, in characters. */
const MAX_QUOTED = 4_096;

/** Error codes after which the same call may succeed a little later, or on another node. */
const TRANSIENT_CODES = new Set([
  -32603, // internal error
  -32004, // block not available yet
  -32005, // node behind
  -32014, // block status not available yet
  -32016, // minimum context slot not reached
]);
const RATE_LIMIT_CODES = new Set([TOO_MANY_REQUESTS, -32429]);

/** An attempt that failed while another may succeed. */
interface TransientFailure {
  readonly failure: string;
  /** The pause before the next attempt; null for the usual one. */
  readonly waitMs: number | null;
  /** How the call fails if this attempt was the last. */
  readonly kind: ChainUnavailableKind;
}

type AttemptResult<T> = { readonly result: T; readonly failure?: never } | TransientFailure;

/**
 * A client for JSON-RPC over HTTP. Calls are limited in number, pace, time and size, and repeated after transient failures.
 * Error messages never contain the URL, because they are sent to clients and the URL may contain a key.
 */
export class RpcClient {
  readonly origin: string;
  readonly #options: RpcClientOptions;
  readonly #limit = new ConcurrencyLimit(
    MAX_RUNNING,
    MAX_WAITING,
    () => new ChainUnavailable(`${MAX_WAITING} calls to the RPC wait for their turn already`),
  );
  readonly #running = new Set<AbortController>();
  readonly #counts: CallCounts;
  #pausedUntil = 0;
  #closed = false;

  constructor(options: RpcClientOptions) {
    this.#options = options;
    this.origin = options.url.origin;
    this.#counts = new CallCounts(() => options.timers.now());
  }

  /**
   * Makes a call and reads its result.
   *
   * @param read - Converts the result. It throws `OperatorError` when the result is malformed: the attempt then fails.
   * @param policy - The limits of the call.
   * @param parse - The JSON parser, which may take turns. By default u64 fields of accounts become strings: see `parseAccountJson`.
   * @throws ChainUnavailable when no attempt returned a valid result.
   * @throws RpcRefusal when the RPC refuses the call.
   *
   * @example
   * ```ts
   * import { requireText } from './read-json.ts';
   * import { POLL, type RpcClient } from './rpc-client.ts';
   *
   * const health = (client: RpcClient) =>
   *   client.call('getHealth', [], (result) => requireText(result, 'result'), POLL);
   * ```
   */
  async call<T>(
    method: string,
    params: readonly unknown[],
    read: (result: unknown) => T | Promise<T>,
    policy: CallPolicy = READ,
    parse: (text: string) => unknown = parseAccountJson,
  ): Promise<T> {
    for (let failures = 0; ; failures++) {
      await this.#options.pace.turn(policy.urgent);
      const attempt = await this.#limit.run(policy.urgent, () =>
        this.#attempt(method, params, policy, async (text) =>
          read(readRpcResult(await parse(text), method, this.#options.url)),
        ),
      );
      if (attempt.failure === undefined) return attempt.result;
      this.#counts.noteFailure(attempt.failure);
      if (failures + 1 >= policy.attempts || this.#closed)
        throw new ChainUnavailable(attempt.failure, attempt.kind);
      await wait(attempt.waitMs ?? computeBackoffMs(failures, this.#options.random), this.#options.timers);
    }
  }

  /** Returns how the calls of this process went, as they are counted; nothing is called. */
  get reading(): Omit<NodeReading, 'webSocket'> {
    const isPaused = this.#pausedUntil > this.#options.timers.now();
    const pausedUntil = isPaused ? this.#pausedUntil : null;
    return { ...this.#counts.reading, waiting: this.#limit.waiting, pausedUntil };
  }

  /** Aborts all running calls. Further calls fail. */
  close(): void {
    this.#closed = true;
    for (const controller of this.#running) controller.abort(new Error('the program stops'));
  }

  async #attempt<T>(
    method: string,
    params: readonly unknown[],
    { timeoutMs, maxBytes }: CallPolicy,
    read: (text: string) => Promise<T>,
  ): Promise<AttemptResult<T>> {
    if (this.#closed) throw new ChainUnavailable('the connection with the RPC is closed');
    await this.#waitOutPause();
    this.#counts.noteCall();
    const answer = await this.#post(formatCallBody(method, params), timeoutMs, maxBytes);
    if ('failure' in answer) return answer;
    const { status, text } = answer;
    if (status === TOO_MANY_REQUESTS) return this.#rateLimited(answer.retryAfter);
    try {
      return { result: await read(text) };
    } catch (error) {
      if (!(error instanceof RpcRefusal)) return readWrongAnswer(method, answer, error, this.#options.url);
      if (RATE_LIMIT_CODES.has(error.code)) return this.#rateLimited(answer.retryAfter);
      if (!TRANSIENT_CODES.has(error.code)) throw error;
      return createTransient(`the RPC did not answer ${method}: ${error.message}`, null, 'not-ready');
    }
  }

  async #post(body: string, timeoutMs: number, maxBytes: number): Promise<Posted | TransientFailure> {
    const controller = new AbortController();
    this.#running.add(controller);
    const timeOut = () => controller.abort(new DOMException('too late', 'TimeoutError'));
    const cancelTimeout = this.#options.timers.after(timeoutMs, timeOut);
    try {
      return await postJson(this.#options.url, body, { timeoutMs, maxBytes, signal: controller.signal });
    } catch (error) {
      if (error instanceof OperatorError)
        return createTransient(redactHost(error.message, this.#options.url));
      throw error;
    } finally {
      cancelTimeout();
      this.#running.delete(controller);
    }
  }

  async #waitOutPause(): Promise<void> {
    const now = this.#options.timers.now();
    // It can be further away only if the local clock has been set back.
    this.#pausedUntil = Math.min(this.#pausedUntil, now + MAX_PAUSE_MS);
    const pause = this.#pausedUntil - now;
    if (pause <= 0) return;
    if (pause > MAX_WAIT_MS) {
      throw new ChainUnavailable(
        `the RPC asked to be called no more for ${Math.ceil(pause / 1_000)} seconds`,
      );
    }
    await wait(pause, this.#options.timers);
  }

  #rateLimited(retryAfter: string | null): TransientFailure {
    const now = this.#options.timers.now();
    const waitMs = parseRetryAfterMs(retryAfter, now) ?? computeBackoffMs(2, this.#options.random);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + waitMs);
    // Waiting calls resume gradually, because the concurrency limit applies to them.
    return createTransient('the RPC refuses more calls for now (429)', Math.min(waitMs, MAX_WAIT_MS));
  }
}

/** Removes hosts and addresses from an error message, so that it can be sent to clients. */
export function redactHost(message: string, { origin, host, hostname }: URL): string {
  const reason = [origin, host, hostname].reduce((text, part) => text.replaceAll(part, 'the RPC'), message);
  return reason.replace(/(\bE[A-Z]{4,})\b.*$/s, '$1');
}

/** Nodes and proxies before them quote the URL in what they refuse with. */
function readRpcResult(json: unknown, method: string, url: URL): unknown {
  const outcome = readOutcome(json, `the answer to ${method}`);
  if (outcome.kind === 'result') return outcome.result;
  if (outcome.kind === 'empty') throw new OperatorError(`the answer to ${method} has no result`);
  const { code, message, data } = requireRecord(outcome.error, `the error of ${method}`);
  throw new RpcRefusal(
    typeof message === 'string'
      ? redactUrl(message.slice(0, MAX_QUOTED), url).slice(0, 500)
      : redactUrl(formatForError(outcome.error, MAX_QUOTED), url).slice(0, 300),
    typeof code === 'number' ? code : Number.NaN,
    data,
  );
}

function createTransient(
  failure: string,
  waitMs: number | null = null,
  kind: ChainUnavailableKind = 'unanswered',
): TransientFailure {
  return { failure, waitMs, kind };
}

/**
 * Returns the failure for an answer that could not be read.
 * @throws RpcRefusal for client errors other than 408, because no retry helps
 */
function readWrongAnswer(
  method: string,
  { status, text }: Posted,
  error: unknown,
  url: URL,
): TransientFailure {
  if (status !== 200) {
    const message = `the RPC answered ${method} with HTTP ${status}`;
    if (status < 500 && status !== 408) throw new RpcRefusal(message, status, null);
    return createTransient(message);
  }
  // The URL goes before the text is cut: the part of a key that is left would not be found.
  const problem = describeProblem(redactUrl(text.slice(0, MAX_QUOTED), url), error);
  return createTransient(redactUrl(`the RPC answered ${method} with ${problem}`, url));
}

function describeProblem(text: string, error: unknown): string {
  if (error instanceof JsonTooDeep || error instanceof OperatorError) return error.message;
  if (error instanceof SyntaxError) return `something that is not JSON: ${formatForError(text, 40)}`;
  return `something that cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}

/**
 * Parses a `retry-after` header.
 *
 * @param now - Unix milliseconds.
 * @returns Milliseconds, or null when the header is absent or is neither seconds nor a date.
 */
export function parseRetryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  const seconds = /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(0, seconds), MAX_PAUSE_MS);
}
