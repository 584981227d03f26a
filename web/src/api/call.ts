import { getApiKey } from './credentials.ts';

/** The sentence of a refusal, whatever form the endpoint gives it. */
export function findMessage(body: unknown, depth = 0): string | null {
  // A refusal is not nested deeper; a hostile one could exhaust the stack.
  if (typeof body !== 'object' || body === null || depth > 4) return null;
  const { message, error, errorMessage, cause } = body as Record<string, unknown>;
  for (const said of [message, error, errorMessage, cause]) {
    if (typeof said === 'string' && said !== '') return said;
    const inner = findMessage(said, depth + 1);
    if (inner !== null) return inner;
  }
  return null;
}

/** An answer that is no success. Its message is what the server said. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    super(describeRefusal(status, body));
    this.status = status;
    this.body = body;
  }
}

/** What the gateway answers when the limit of the caller's plan, or of callers without a key, is used up. */
const OVER_LIMIT = '[API Gateway] Too many requests';

function describeRefusal(status: number, body: unknown): string {
  const message = findMessage(body);
  if (message === OVER_LIMIT)
    return 'Too many requests in the last minute. Wait a moment and try again, or enter an API key in the playground: callers without a key have few requests.';
  return message ?? `Sluice answered ${status} without a message`;
}

/** What is refused again however often it is asked: a text that is no address, or what this port or this caller never gets. */
const FINAL_STATUS: ReadonlySet<number> = new Set([400, 403]);

/** Whether asking again would be refused again. */
export function isRefusedForGood(error: unknown): boolean {
  return error instanceof ApiError && FINAL_STATUS.has(error.status);
}

/** The server did not answer, or broke off. A browser says no more than that a request failed. */
export class UnreachableError extends TypeError {
  constructor() {
    super('Sluice cannot be reached. Is it still running?');
  }
}

/** An answer that has not the form that it should have, such as `null`. */
export class UnreadableError extends TypeError {
  constructor(what: string) {
    super(`Sluice answered ${what} in a form that this page cannot read.`);
  }
}

/** Returns a sentence for a reader about what went wrong. */
export function describeFailure(error: unknown): string {
  // What JavaScript says about a value that it cannot use tells a reader nothing.
  const isOwn = error instanceof UnreachableError || error instanceof UnreadableError;
  if (error instanceof TypeError && !isOwn) return new UnreadableError('something').message;
  return error instanceof Error ? error.message : String(error);
}

/**
 * Calls a path of the server that the page came from, and parses the answer. The API key of this tab is sent if there is one.
 *
 * @param path - Begins with a slash: the page calls no other host.
 * @throws ApiError if the answer is no success
 * @throws UnreachableError if the server cannot be reached
 */
export async function callApi<Answer>(path: string, init: RequestInit = {}): Promise<Answer> {
  const { response, text } = await fetchText(path, withApiKey(init));
  const body = parseBody(text);
  if (!response.ok) throw new ApiError(response.status, body);
  return body as Answer;
}

/** Calls a path with a JSON body. @throws as `callApi` */
export function postJson<Answer>(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return callApi(path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Fetches a path with its body. @throws UnreachableError if the server cannot be reached */
export async function fetchText(
  path: string,
  init: RequestInit = {},
): Promise<{ readonly response: Response; readonly text: string }> {
  try {
    const response = await fetch(path, init);
    return { response, text: await response.text() };
  } catch (error) {
    throw error instanceof TypeError ? new UnreachableError() : error;
  }
}

/** Adds the API key that was entered in this tab, if there is one. */
export function withApiKey(init: RequestInit): RequestInit {
  const key = getApiKey();
  const headers = new Headers(init.headers);
  if (key === '' || headers.has('x-api-key')) return init;
  headers.set('x-api-key', key);
  return { ...init, headers };
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
