import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  ApiError,
  callApi,
  describeFailure,
  findMessage,
  isRefusedForGood,
  UnreachableError,
} from './call.ts';
import { API_KEY, keepCredential } from './credentials.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  keepCredential(API_KEY, '');
});

describe('callApi', () => {
  it('sends the API key of this tab, unless the request has another', async () => {
    const sent = answerWith(200, '{}');
    await callApi('/a');
    keepCredential(API_KEY, 'jup_kept');
    await callApi('/b');
    await callApi('/c', { headers: { 'X-Api-Key': 'jup_other' } });
    expect(sent.map((headers) => headers.get('x-api-key'))).toEqual([null, 'jup_kept', 'jup_other']);
  });

  it('throws what the server said', async () => {
    answerWith(400, '{"error":{"message":"No such token"}}');
    await expect(callApi('/a')).rejects.toEqual(new ApiError(400, { error: { message: 'No such token' } }));
    answerWith(429, '{"code":429,"message":"[API Gateway] Too many requests"}');
    await expect(callApi('/a')).rejects.toThrow('Wait a moment and try again, or enter an API key');
    answerWith(502, '<html>');
    await expect(callApi('/a')).rejects.toThrow('Sluice answered 502 without a message');
  });
});

describe('describeFailure', () => {
  it('tells a server that is away from an answer that cannot be read', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
    const away = await callApi('/a').catch((error: unknown) => error);
    expect(away).toBeInstanceOf(UnreachableError);
    expect(describeFailure(away)).toMatch(/^Sluice cannot be reached/);
    expect(describeFailure(new TypeError('x is null'))).toMatch(/in a form that this page cannot read/);
    expect(describeFailure(new ApiError(400, { error: 'No such token' }))).toBe('No such token');
  });
});

describe('isRefusedForGood', () => {
  it.each([
    [new ApiError(403, {}), true],
    [new ApiError(400, {}), true],
    [new ApiError(404, {}), false],
    [new ApiError(429, {}), false],
    [new UnreachableError(), false],
  ])('tells whether asking again could help: %s', (error, isFinal) => {
    expect(isRefusedForGood(error)).toBe(isFinal);
  });
});

describe('findMessage', () => {
  it.each([
    [{ message: 'a' }, 'a'],
    [{ error: '', errorMessage: 'b' }, 'b'],
    [{ error: { cause: 'c' } }, 'c'],
    ['text', null],
    [null, null],
    [{}, null],
  ])('finds the sentence in %j', (body, message) => {
    expect(findMessage(body)).toBe(message);
  });
});

/** Lets `fetch` answer with this, and returns the headers of the requests as they come. */
function answerWith(status: number, text: string): Headers[] {
  const sent: Headers[] = [];
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    sent.push(new Headers(init.headers));
    return new Response(text, { status });
  });
  return sent;
}
