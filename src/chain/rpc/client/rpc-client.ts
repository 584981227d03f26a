import { type Posted, postJson } from '../../../common/bounded-post.ts';
import { JsonTooDeep } from '../../../common/bounded-json.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import { asRecord } from '../../account-json.ts';
import { ChainUnavailable } from '../../chain.ts';
import { parseAccountJson } from '../../exact-json.ts';
import { backoffMs } from './backoff.ts';
import { Gate } from './gate.ts';

/** The RPC answered that it will not do this: asking again does not help. */
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

/** The RPC answered that it cannot do this at the moment, and went on to. */
export class RpcNotNow extends ChainUnavailable {}

/** How patient a call is. */
export interface Patience {
  readonly attempts: number;
  /** For each attempt. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
  /** Goes before others that wait for their turn. */
  readonly urgent: boolean;
}

const MIB = 1024 * 1024;
/** For what a request waits for. */
export const READ: Patience = { attempts: 3, timeoutMs: 5_000, maxBytes: 64 * MIB, urgent: false };
/** For what is asked again soon anyway. */
export const POLL: Patience = { attempts: 1, timeoutMs: 5_000, maxBytes: 4 * MIB, urgent: true };
/** A transaction goes out once per call: who sends decides when again. */
export const SEND: Patience = { attempts: 1, timeoutMs: 5_000, maxBytes: 4 * MIB, urgent: false };
/** All accounts of a program. Text of one answer cannot be much longer in this runtime. */
export const SCAN: Patience = { attempts: 2, timeoutMs: 120_000, maxBytes: 256 * MIB, urgent: false };

export interface RpcClientOptions {
  readonly url: URL;
  readonly timers: Timers;
  /** From 0 to 1. */
  readonly random: () => number;
}

const MAX_CALLS = 16;
const MAX_WAITING = 2_000;
/** However long an RPC asks to be left alone. */
const MAX_PAUSE_MS = 60_000;
/** A call does not wait longer than this for a pause to end. */
const PATIENT_MS = 2_000;
const TOO_MANY_REQUESTS = 429;

/** Codes that say "not now" or "not this node": the same call may succeed a little later. */
const PASSING = new Set([
  -32603, // internal error
  -32004, // block not available yet
  -32005, // node behind
  -32014, // block status not available yet
  -32016, // minimum context slot not reached
]);
const RATE_LIMITED = new Set([TOO_MANY_REQUESTS, -32429]);

/** What one attempt came to, short of an answer. */
class Passing extends Error {
  override readonly name = 'Passing';
  readonly waitMs: number | null;
  /** Whether the RPC said so itself. */
  readonly wasSaid: boolean;

  constructor(message: string, waitMs: number | null = null, wasSaid = false) {
    super(message);
    this.waitMs = waitMs;
    this.wasSaid = wasSaid;
  }
}

/**
 * JSON-RPC over HTTP to one endpoint that may fail in every way: calls are bounded in number, time and size, and tried
 * again after failures that pass. Messages do not say where it is: they go to clients, and a URL may hold a key.
 */
export class RpcClient {
  readonly origin: string;
  readonly #options: RpcClientOptions;
  readonly #gate = new Gate(MAX_CALLS, MAX_WAITING);
  readonly #running = new Set<AbortController>();
  #pausedUntil = 0;
  #closed = false;

  constructor(options: RpcClientOptions) {
    this.#options = options;
    this.origin = options.url.origin;
  }

  /**
   * What `read` makes of the call's result; it throws `OperatorError` at a result of another shape, which counts as no
   * answer. Numbers of accounts are texts in it, see `parseAccountJson`, unless `parse` is another way to read JSON.
   * @throws ChainUnavailable when no answer of the right shape comes
   * @throws RpcRefusal when the RPC refuses
   */
  async call<T>(
    method: string,
    params: readonly unknown[],
    read: (result: unknown) => T,
    patience: Patience = READ,
    parse: (text: string) => unknown = parseAccountJson,
  ): Promise<T> {
    for (let failures = 0; ; failures++) {
      try {
        return await this.#gate.run(patience.urgent, () =>
          this.#attempt(method, params, patience, (text) => read(resultOf(parse(text), method))),
        );
      } catch (error) {
        if (!(error instanceof Passing)) throw error;
        if (failures + 1 >= patience.attempts || this.#closed) {
          throw error.wasSaid ? new RpcNotNow(error.message) : new ChainUnavailable(error.message);
        }
        await this.#pause(error.waitMs ?? backoffMs(failures, this.#options.random));
      }
    }
  }

  /** Ends the calls under way. */
  close(): void {
    this.#closed = true;
    for (const controller of this.#running) controller.abort(new Error('the program stops'));
  }

  async #attempt<T>(
    method: string,
    params: readonly unknown[],
    { timeoutMs, maxBytes }: Patience,
    read: (text: string) => T,
  ): Promise<T> {
    if (this.#closed) throw new ChainUnavailable('the connection with the RPC is closed');
    await this.#waitForTurn();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = await this.#post(body, timeoutMs, maxBytes);
    const { status, text } = answer;
    if (status === TOO_MANY_REQUESTS) throw this.#rateLimited(answer.retryAfter);
    try {
      return read(text);
    } catch (error) {
      if (error instanceof RpcRefusal && RATE_LIMITED.has(error.code)) {
        throw this.#rateLimited(answer.retryAfter);
      }
      if (error instanceof RpcRefusal && PASSING.has(error.code)) {
        throw new Passing(`the RPC did not answer ${method}: ${error.message}`, null, true);
      }
      if (error instanceof RpcRefusal) throw error;
      throw wrongAnswer(method, answer, error);
    }
  }

  async #post(body: string, timeoutMs: number, maxBytes: number): Promise<Posted> {
    const controller = new AbortController();
    this.#running.add(controller);
    const timeOut = () => controller.abort(new DOMException('too late', 'TimeoutError'));
    const timeout = setTimeout(timeOut, timeoutMs);
    try {
      return await postJson(this.#options.url, body, { timeoutMs, maxBytes, signal: controller.signal });
    } catch (error) {
      if (error instanceof OperatorError) throw new Passing(withoutPlace(error.message, this.#options.url));
      throw error;
    } finally {
      clearTimeout(timeout);
      this.#running.delete(controller);
    }
  }

  async #waitForTurn(): Promise<void> {
    const now = this.#options.timers.now();
    // Further away only when the local clock was put back since.
    this.#pausedUntil = Math.min(this.#pausedUntil, now + MAX_PAUSE_MS);
    const pause = this.#pausedUntil - now;
    if (pause <= 0) return;
    if (pause > PATIENT_MS) {
      throw new ChainUnavailable(
        `the RPC asked to be called no more for ${Math.ceil(pause / 1_000)} seconds`,
      );
    }
    await this.#pause(pause);
  }

  #rateLimited(retryAfter: string | null): Passing {
    const now = this.#options.timers.now();
    const waitMs = retryAfterMs(retryAfter, now) ?? backoffMs(2, this.#options.random);
    this.#pausedUntil = Math.max(this.#pausedUntil, now + waitMs);
    // Those that wait are let go bit by bit by the gate.
    return new Passing('the RPC refuses more calls for now (429)', Math.min(waitMs, PATIENT_MS));
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => this.#options.timers.after(ms, resolve));
  }
}

/** A failure's message without saying where: addresses and names of hosts are not for clients. */
export function withoutPlace(message: string, { origin, host, hostname }: URL): string {
  const reason = [origin, host, hostname].reduce((text, place) => text.replaceAll(place, 'the RPC'), message);
  return reason.replace(/(\bE[A-Z]{4,})\b.*$/s, '$1');
}

function resultOf(json: unknown, method: string): unknown {
  const { error, result } = asRecord(json, `the answer to ${method}`);
  if (error !== undefined && error !== null) {
    const { code, message, data } = asRecord(error, `the error of ${method}`);
    throw new RpcRefusal(
      typeof message === 'string' ? message.slice(0, 500) : formatForError(error, 300),
      typeof code === 'number' ? code : Number.NaN,
      data,
    );
  }
  if (result === undefined) throw new OperatorError(`the answer to ${method} has no result`);
  return result;
}

/**
 * A status that means refusal is no weather: asking again changes nothing. Whatever was thrown while an answer was read
 * is the answer's fault: reading does nothing else.
 */
function wrongAnswer(method: string, { status, text }: Posted, error: unknown): Error {
  if (status !== 200) {
    const message = `the RPC answered ${method} with HTTP ${status}`;
    return status >= 500 || status === 408 ? new Passing(message) : new RpcRefusal(message, status, null);
  }
  return new Passing(`the RPC answered ${method} with ${whatIsWrong(text, error)}`);
}

function whatIsWrong(text: string, error: unknown): string {
  if (error instanceof JsonTooDeep || error instanceof OperatorError) return error.message;
  if (error instanceof SyntaxError) return `something that is not JSON: ${formatForError(text, 40)}`;
  return `something that cannot be read: ${error instanceof Error ? error.message : String(error)}`;
}

/** Null when the header is absent or neither seconds nor a date. */
export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  const seconds = /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - now;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(0, seconds), MAX_PAUSE_MS);
}
