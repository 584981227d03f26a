import { findMessage } from '../../../api/call.ts';
import { findHeader, type SentAnswer } from '../request/send-request.ts';

/** What an answer says went wrong. */
export interface Refusal {
  /** The sentence of the answer; null if it has none. */
  readonly message: string | null;
  /** What the answer says beside its sentence, with the values of the request; null if it says nothing. */
  readonly details: string | null;
  /** The code of the answer, as the tables of errors list it; null if it has none but the status. */
  readonly code: string | null;
  /** What can be done about such a refusal; null where the message says it. */
  readonly advice: string | null;
}

/**
 * Finds what an answer says went wrong. Also a successful answer may say why it has no transaction. Returns null if it says
 * nothing of the kind.
 */
export function findRefusal(answer: SentAnswer): Refusal | null {
  const body = parseBody(answer);
  const code = findCode(body, answer.status);
  if (answer.status < 400) {
    const { errorMessage } = isRecord(body) ? body : {};
    const hasFailed = typeof errorMessage === 'string' && errorMessage !== '';
    return hasFailed
      ? { message: errorMessage, details: findDetails(body, errorMessage), code, advice: null }
      : null;
  }
  const message = findMessage(body);
  return { message, details: findDetails(body, message), code, advice: findAdvice(answer) };
}

function findDetails(body: unknown, message: string | null): string | null {
  if (!isRecord(body)) return null;
  const said = [body.details, body.cause].find((text) => typeof text === 'string' && text !== '');
  return typeof said === 'string' && said !== message ? said : null;
}

function findAdvice(answer: SentAnswer): string | null {
  const wait = findHeader(answer, 'retry-after');
  switch (answer.status) {
    case 401:
      return 'The API key or the token is missing or not known. Check the credentials of the form.';
    case 403:
      return 'The caller is known, but may not do this. Its key, its role or a rule of the firewall says so.';
    case 429:
      return wait === null
        ? 'The limit is used up for now. An API key has a limit of its own.'
        : `The limit is used up. It can be sent again in ${wait} ${wait === '1' ? 'second' : 'seconds'}.`;
    case 501:
      return 'This instance does not offer this: it depends on its network and its settings.';
    case 503:
      return wait === null ? null : `It can be sent again in ${wait} ${wait === '1' ? 'second' : 'seconds'}.`;
    default:
      return null;
  }
}

/** The code of an answer, unless it only repeats the status. */
function findCode(body: unknown, status: number): string | null {
  if (!isRecord(body)) return null;
  const inner = isRecord(body.error) ? body.error : {};
  for (const code of [body.errorCode, body.code, inner.code, body.error]) {
    const isCode =
      typeof code === 'number' || (typeof code === 'string' && /^[A-Za-z0-9_-]{1,60}$/.test(code));
    if (isCode && String(code) !== String(status)) return String(code);
  }
  return null;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Only short bodies are refusals. */
function parseBody({ body }: SentAnswer): unknown {
  if (body.kind !== 'text' || body.text.length > 100_000) return null;
  try {
    return JSON.parse(body.text);
  } catch {
    return body.text === '' ? null : { message: body.text.slice(0, 1_000) };
  }
}
