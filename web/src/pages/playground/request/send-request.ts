import { type ApiRequest, getRequestTarget, type NamedText } from '../../../openapi/request/api-request.ts';
import { withAdminCredential } from '../../../api/admin.ts';
import { formatExactJson } from '../../../base/exact-json.ts';
import { EventFeed, type FeedEvent } from '../../../openapi/streams/event-feed.ts';

/** An answer, as far as it is known when its head has arrived. */
export interface AnswerHead {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly NamedText[];
  /** The media type, without parameters and in small letters. */
  readonly type: string;
  /** Milliseconds until the head arrived. */
  readonly headMs: number;
}

/** A whole answer. */
export interface SentAnswer extends AnswerHead {
  /** When the last byte arrived, in milliseconds since the page was opened. No two answers have the same. */
  readonly receivedAt: number;
  /** Milliseconds until the last byte arrived. */
  readonly totalMs: number;
  readonly byteCount: number;
  readonly body: AnswerBody;
}

export type AnswerBody =
  | { readonly kind: 'text'; readonly text: string; readonly isCut: boolean }
  | { readonly kind: 'binary'; readonly content: Blob; readonly isCut: boolean };

/** What happens while an answer arrives. */
export interface SendObserver {
  /** Called with the head of an answer that is a stream. */
  readonly onStream: (head: AnswerHead) => void;
  /** Called with the events of a stream that have arrived together. */
  readonly onEvents: (events: readonly FeedEvent[]) => void;
}

/** The page would not survive holding more. */
const MAX_BODY_BYTES = 64 * 1024 * 1024;
const STREAM_TYPES: readonly string[] = ['text/event-stream', 'application/x-ndjson'];
const TEXT_TYPE = /^(text\/|application\/(json|.*\+json|xml|javascript|x-ndjson|problem))/;

/**
 * Sends a request to the server that the page came from, and reads the answer. A stream is read until it ends, until the
 * signal ends it, or until it sends what is no stream.
 *
 * @returns null for a stream: its events were given to the observer
 * @throws TypeError if the server cannot be reached; DOMException if the signal ended it
 */
export async function sendRequest(
  request: ApiRequest,
  observer: SendObserver,
  signal: AbortSignal,
): Promise<SentAnswer | null> {
  const startedAt = performance.now();
  const init: RequestInit = {
    method: request.method,
    headers: request.headers.map(({ name, value }): [string, string] => [name, value]),
    body: toFetchBody(request.body),
    credentials: 'omit',
    cache: 'no-store',
    signal,
  };
  // A request of operators without a credential of its own belongs to the session of this browser.
  const isAdmin = request.path.startsWith('/admin/v1/');
  const response = await fetch(
    getRequestTarget(request),
    isAdmin ? withAdminCredential({ ...init, credentials: 'same-origin' }) : init,
  );
  const head = toHead(response, performance.now() - startedAt);
  if (response.ok && STREAM_TYPES.includes(head.type)) {
    observer.onStream(head);
    await readStream(response, new EventFeed(head.type === 'text/event-stream'), observer.onEvents);
    return null;
  }
  const { chunks, byteCount, isCut } = await readBytes(response);
  const receivedAt = performance.now();
  const content = new Blob(chunks, { type: head.type });
  // An empty answer has no type, and is shown as an empty text.
  const isText = TEXT_TYPE.test(head.type) || byteCount === 0;
  return {
    ...head,
    receivedAt,
    totalMs: receivedAt - startedAt,
    byteCount,
    body: isText ? { kind: 'text', text: await content.text(), isCut } : { kind: 'binary', content, isCut },
  };
}

/** Returns the value of a header; null if the answer does not have it. */
export function findHeader({ headers }: AnswerHead, name: string): string | null {
  return headers.find((header) => header.name === name)?.value ?? null;
}

function toFetchBody(body: ApiRequest['body']): BodyInit | null {
  if (body === null) return null;
  if (body.kind === 'json') return formatExactJson(body.value);
  if (body.kind === 'file') return body.file?.content ?? null;
  const form = new FormData();
  for (const part of body.parts) {
    if (part.kind === 'text') form.append(part.name, part.text);
    else if (part.file !== null) form.append(part.name, part.file.content, part.file.name);
  }
  return form;
}

function toHead(response: Response, headMs: number): AnswerHead {
  const headers = [...response.headers].map(([name, value]) => ({ name, value }));
  const type = (response.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  return { status: response.status, statusText: response.statusText, headers, type, headMs };
}

async function readBytes(response: Response): Promise<{
  readonly chunks: BlobPart[];
  readonly byteCount: number;
  readonly isCut: boolean;
}> {
  const chunks: BlobPart[] = [];
  let byteCount = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const step = await reader?.read();
    if (step === undefined || step.done) return { chunks, byteCount, isCut: false };
    chunks.push(step.value);
    byteCount += step.value.length;
    if (byteCount < MAX_BODY_BYTES) continue;
    await reader?.cancel();
    return { chunks, byteCount, isCut: true };
  }
}

async function readStream(
  response: Response,
  feed: EventFeed,
  onEvents: SendObserver['onEvents'],
): Promise<void> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const step = await reader?.read();
      if (step === undefined || step.done) break;
      const events = feed.read(step.value);
      if (events.length > 0) onEvents(events);
    }
  } catch (error) {
    // A stream that nobody reads any more would go on in the background.
    await reader?.cancel().catch(() => {});
    throw error;
  }
  const last = feed.end();
  if (last.length > 0) onEvents(last);
}
