import * as http from 'node:http';
import * as https from 'node:https';
import { isIP } from 'node:net';
import type { CallDeadline } from './call-deadline.ts';
import { hostOf, isPrivateAddress, type LookupHost, publicLookup } from './outgoing-address.ts';
import type { WebhookRecord } from './webhook.ts';

/** Connections to one maker. */
const MAX_CONNECTIONS = 32;
const MAX_IDLE_CONNECTIONS = 8;
const IDLE_MS = 30_000;
/** Calls of one maker at once; a further one fails at once, so that a maker that hangs holds a bounded number. */
const MAX_CALLS = 64;
const MAX_HEADER_BYTES = 8_192;
/** A quote has some 600 bytes. */
export const MAX_ANSWER_BYTES = 16_384;

export interface WebhookCall {
  readonly method: 'GET' | 'POST';
  /** Behind the maker's URL, such as `/quote`. */
  readonly path: string;
  /** As bytes, because one body may go to many makers. */
  readonly body: Uint8Array | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** For the whole call, the connection included. */
  readonly deadline: CallDeadline;
  readonly maxBytes?: number;
  /** Whether the call may use an open connection. One that is closed meanwhile fails, although nothing is wrong. */
  readonly reuses: boolean;
}

export type CallOutcome =
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
  readonly #request: typeof https.request;
  readonly #agent: http.Agent;
  /** What is the same for every call, made once: an order asks many makers at the same moment. */
  readonly #common: https.RequestOptions;
  /** Names and values by turns. Node takes such a list as it is, while it checks and copies each field of an object. */
  readonly #headers: readonly string[];
  /** The path of the maker's URL, without a slash at the end. */
  readonly #basePath: string;
  /** Why no call may be made; null if calls may be. */
  readonly #refusal: string | null;
  #calls = 0;

  constructor({ record, allowsPrivate, lookup }: WebhookClientOptions) {
    const base = new URL(record.url);
    const isSecure = base.protocol === 'https:';
    const host = hostOf(base);
    const isRefused = !allowsPrivate && isIP(host) !== 0 && isPrivateAddress(host);
    this.#refusal = isRefused ? `${host} is a private address` : null;
    this.#basePath = base.pathname.replace(/\/$/, '');
    this.#request = isSecure ? https.request : http.request;
    const options = {
      keepAlive: true,
      maxSockets: MAX_CONNECTIONS,
      maxFreeSockets: MAX_IDLE_CONNECTIONS,
      timeout: IDLE_MS,
    };
    this.#agent = isSecure ? new https.Agent(options) : new http.Agent(options);
    this.#common = {
      protocol: base.protocol,
      hostname: host,
      port: base.port,
      maxHeaderSize: MAX_HEADER_BYTES,
      lookup: allowsPrivate ? lookup : publicLookup(lookup),
    };
    const { apiKey } = record;
    this.#headers = ['host', base.host, 'accept', 'application/json'].concat(
      apiKey === null ? [] : ['x-api-key', apiKey],
    );
  }

  /** Never rejects. */
  async call(call: WebhookCall): Promise<CallOutcome> {
    if (this.#calls >= MAX_CALLS) return failed('busy', `${MAX_CALLS} calls are waiting for the maker`);
    const { deadline } = call;
    if (deadline.over !== null) return failed(deadline.over, deadline.message);
    if (this.#refusal !== null) return failed('connection', this.#refusal);
    this.#calls++;
    try {
      return await this.#send(call);
    } finally {
      this.#calls--;
    }
  }

  /** Closes the open connections. Calls in progress fail. */
  close(): void {
    this.#agent.destroy();
  }

  #send({ body, deadline, maxBytes = MAX_ANSWER_BYTES, ...call }: WebhookCall): Promise<CallOutcome> {
    return new Promise((resolve) => {
      const request = this.#request(this.#optionsOf({ body, ...call }));
      let isOver = false;
      const end = (outcome: CallOutcome) => {
        if (isOver) return;
        isOver = true;
        stopWaiting();
        if (outcome.kind === 'failed') request.destroy();
        resolve(outcome);
      };
      const stopWaiting = deadline.onOver((reason) => end(failed(reason, deadline.message)));
      request.on('error', (error) => end(failed('connection', error.message)));
      request.on('response', (response) => readAnswer(response, maxBytes, end));
      request.end(body ?? undefined);
    });
  }

  #optionsOf({
    method,
    path,
    body,
    headers,
    reuses,
  }: Omit<WebhookCall, 'deadline' | 'maxBytes'>): https.RequestOptions {
    const fields = [...this.#headers];
    for (const name in headers) fields.push(name, headers[name] ?? '');
    if (body !== null) fields.push('content-type', 'application/json', 'content-length', String(body.length));
    return {
      ...this.#common,
      method,
      path: `${this.#basePath}${path}`,
      agent: reuses ? this.#agent : false,
      headers: fields,
    };
  }
}

function readAnswer(
  response: http.IncomingMessage,
  maxBytes: number,
  end: (outcome: CallOutcome) => void,
): void {
  const status = response.statusCode ?? 0;
  if (status >= 300 && status < 400) {
    end(failed('redirect', `the answer is a redirect (${status}), and redirects are not followed`));
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  response.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > maxBytes) end(failed('too-large', `the answer has more than ${maxBytes} bytes`));
    else chunks.push(chunk);
  });
  response.on('end', () => end({ kind: 'answered', status, body: Buffer.concat(chunks).toString('utf8') }));
  response.on('error', (error) => end(failed('connection', error.message)));
  response.on('close', () => end(failed('connection', 'the connection was closed within the answer')));
}

function failed(reason: FailedCall, message: string): CallOutcome {
  return { kind: 'failed', reason, message };
}
