import { OperatorError } from './operator-error.ts';

/** Thrown when no complete answer arrived. */
export class Unreachable extends OperatorError {
  override readonly name = 'Unreachable';

  /** Whether the connection was closed before an answer, as a server does to one that was idle for too long. */
  readonly isClosed: boolean;

  constructor(message: string, isClosed = false) {
    super(message);
    this.isClosed = isClosed;
  }
}

export interface PostLimits {
  /** The time limit for the request and its answer. */
  readonly timeoutMs: number;
  /** The maximum length of the answer in bytes. */
  readonly maxBytes: number;
  /** Aborts the exchange. It replaces the timer for `timeoutMs`. */
  readonly signal?: AbortSignal;
  /** Headers in addition to the content type. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Posted {
  readonly status: number;
  readonly text: string;
  /** The unparsed header: seconds or a date. */
  readonly retryAfter: string | null;
}

/**
 * Sends JSON with POST: see `sendJson`.
 *
 * @example
 * ```ts
 * import { postJson } from './bounded-post.ts';
 *
 * const url = new URL('https://rpc.example.com');
 * const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSlot' });
 * const { status, text } = await postJson(url, body, { timeoutMs: 5_000, maxBytes: 10_000 });
 * ```
 */
export function postJson(url: URL, body: string, limits: PostLimits): Promise<Posted> {
  return sendJson(url, 'POST', body, limits);
}

/**
 * Sends JSON and reads the whole answer, whatever its status. Error messages contain only the URL's origin, because the
 * path and query may contain a key.
 *
 * @param body - The JSON text, or null for a request without a body.
 * @throws Unreachable when no complete answer arrives in time.
 * @throws OperatorError when the answer is longer than `maxBytes`, or the URL contains credentials.
 */
export async function sendJson(
  url: URL,
  method: string,
  body: string | null,
  { timeoutMs, maxBytes, signal = AbortSignal.timeout(timeoutMs), headers = {} }: PostLimits,
): Promise<Posted> {
  const { origin } = url;
  if (url.username !== '' || url.password !== '') {
    throw new OperatorError(`the URL of ${origin} has a user name or password in it; give it without`);
  }
  try {
    const response = await fetch(url, {
      method,
      headers: { ...headers, ...(body === null ? {} : { 'content-type': 'application/json' }) },
      body,
      redirect: 'error',
      signal,
    });
    return {
      status: response.status,
      text: await readBounded(response, maxBytes, origin),
      retryAfter: response.headers.get('retry-after'),
    };
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const message = `${origin} cannot be reached: ${getFetchFailureReason(error, timeoutMs)}`;
    throw new Unreachable(message, isClosedConnection(error));
  }
}

async function readBounded(response: Response, maxBytes: number, origin: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > maxBytes) {
      throw new OperatorError(
        `the answer of ${origin} is longer than ${maxBytes} bytes; ask for less at a time`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length).toString('utf8');
}

const CLOSED: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

function isClosedConnection(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && CLOSED.has(cause.code);
}

/** Returns the reason of a failed `fetch`, which is in its `cause`; its own message only says that it failed. */
function getFetchFailureReason(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
