import { OperatorError } from './operator-error.ts';

/** No answer came, or not all of it. */
export class Unreachable extends OperatorError {
  override readonly name = 'Unreachable';
}

export interface PostLimits {
  /** For the whole exchange, the answer included. */
  readonly timeoutMs: number;
  /** Longest answer, in bytes. */
  readonly maxBytes: number;
  /** In place of a timeout of its own: ends the exchange when it is aborted. */
  readonly signal?: AbortSignal;
  /** Besides those that say what the body is. */
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Posted {
  readonly status: number;
  readonly text: string;
  /** The header as it came: seconds or a date. */
  readonly retryAfter: string | null;
}

/** `sendJson` as most use it. */
export function postJson(url: URL, body: string, limits: PostLimits): Promise<Posted> {
  return sendJson(url, 'POST', body, limits);
}

/**
 * Sends JSON, or nothing where `body` is null, and reads the whole answer, whatever its status. Messages name the
 * URL's origin alone, because path and query may hold a key.
 *
 * @throws Unreachable when no answer comes; OperatorError for one beyond the limits
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
    throw new Unreachable(`${origin} cannot be reached: ${reasonOf(error, timeoutMs)}`);
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

/** `fetch` puts what happened into `cause`, and says of itself only that it failed. */
function reasonOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs} ms`;
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
