import { afterEach, describe, expect, it, vi } from 'vitest';
import { AnswerHistory } from './answer-history.ts';
import { TabCredentials } from '../../../api/credentials.ts';
import { EventFeed, type FeedEvent } from '../../../openapi/streams/event-feed.ts';
import { findHeader, sendRequest, type SentAnswer } from './send-request.ts';

afterEach(() => {
  vi.unstubAllGlobals();
});

describe('sendRequest', () => {
  it('returns a text with its status, its headers and its size', async () => {
    answerWith('{"a":1}', { status: 400, headers: { 'content-type': 'application/json', 'x-id': '7' } });
    const { answer } = await send();
    expect(answer).toMatchObject({ status: 400, byteCount: 7, body: { kind: 'text', text: '{"a":1}' } });
    expect([findHeader(answer as SentAnswer, 'x-id'), findHeader(answer as SentAnswer, 'x')]).toEqual([
      '7',
      null,
    ]);
  });

  it('keeps what is no text as bytes', async () => {
    answerWith(new Uint8Array([1, 2, 255]), { headers: { 'content-type': 'image/png' } });
    const { answer } = await send();
    expect(answer?.body).toMatchObject({ kind: 'binary', content: { size: 3, type: 'image/png' } });
  });

  it('gives the events of a stream to the observer, and returns null at its end', async () => {
    answerWith('data: 1\n\nevent: x\ndata: 2\n\n', { headers: { 'content-type': 'text/event-stream' } });
    const { answer, events } = await send();
    expect(answer).toBeNull();
    expect(events).toEqual([
      { type: 'message', data: '1' },
      { type: 'x', data: '2' },
    ]);
  });

  it('shows the refusal of a stream as an answer', async () => {
    answerWith('{"message":"no"}', { status: 429, headers: { 'content-type': 'application/json' } });
    expect((await send()).answer?.status).toBe(429);
  });
});

describe('EventFeed', () => {
  it('reads lines of JSON, and the last one without its end', () => {
    const feed = new EventFeed(false);
    expect(feed.read('{"a":1}\n{"b"')).toEqual([{ type: null, data: '{"a":1}' }]);
    feed.read(':2}');
    expect(feed.end()).toEqual([{ type: null, data: '{"b":2}' }]);
  });

  it.each([true, false])('gives up on an event that never ends (server-sent: %s)', (isServerSent) => {
    const feed = new EventFeed(isServerSent);
    const piece = 'x'.repeat(1_000_000);
    for (let count = 0; count < 4; count++) feed.read(piece);
    expect(() => feed.read(piece)).toThrow('without the end of an event');
  });
});

describe('AnswerHistory', () => {
  it('keeps the last 20 answers, the newest first', () => {
    const history = new AnswerHistory();
    const changed = vi.fn();
    history.watch(changed);
    for (let count = 0; count < 25; count++) history.add(createRecord(10));
    expect(history.list().map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, index) => 25 - index));
    expect(changed).toHaveBeenCalledTimes(25);
    history.clear();
    expect(history.list()).toEqual([]);
  });

  it('drops answers by age when all of them are too large, but never the newest', () => {
    const history = new AnswerHistory();
    for (let count = 0; count < 3; count++) history.add(createRecord(50_000_000));
    expect(history.list().map(({ id }) => id)).toEqual([3]);
  });
});

describe('TabCredentials', () => {
  it('keeps a credential in the storage of the tab, and removes an empty one', () => {
    const kept = new Map<string, string>();
    const credentials = new TabCredentials({
      getItem: (name) => kept.get(name) ?? null,
      setItem: (name, value) => void kept.set(name, value),
      removeItem: (name) => void kept.delete(name),
    });
    credentials.set('public-ApiKey', 'secret');
    expect([...kept.values(), credentials.get('public-ApiKey')]).toEqual(['secret', 'secret']);
    credentials.set('public-ApiKey', '');
    expect([kept.size, credentials.get('public-ApiKey')]).toEqual([0, '']);
  });

  it('holds it in memory where the storage is forbidden', () => {
    const refuse = () => {
      throw new Error('QuotaExceededError');
    };
    const credentials = new TabCredentials({ getItem: () => null, setItem: refuse, removeItem: refuse });
    credentials.set('a', 'b');
    expect(credentials.get('a')).toBe('b');
  });
});

function answerWith(body: BodyInit, init: ResponseInit): void {
  vi.stubGlobal('fetch', async () => new Response(body, init));
}

async function send(): Promise<{
  readonly answer: SentAnswer | null;
  readonly events: readonly FeedEvent[];
}> {
  const events: FeedEvent[] = [];
  const request = { method: 'GET', origin: '', path: '/x', query: [], headers: [], body: null };
  const observer = {
    onStream: () => {},
    onEvents: (some: readonly FeedEvent[]) => void events.push(...some),
  };
  const answer = await sendRequest(request, observer, new AbortController().signal);
  return { answer, events };
}

function createRecord(byteCount: number) {
  const answer = { byteCount } as SentAnswer;
  const request = { method: 'GET', origin: '', path: '/x', query: [], headers: [], body: null };
  return { side: 'public', operationId: 'X', request, search: {}, answer } as const;
}
