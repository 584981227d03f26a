import { afterEach, describe, expect, it, vi } from 'vitest';
import { callOperation } from './operations.ts';

describe('callOperation', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('fills the path, the query and the body', async () => {
    const sent: [string, RequestInit][] = [];
    vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
      sent.push([path, init]);
      return new Response('{"ok":true}');
    });
    await callOperation('GET /portfolio/v1/positions/{address}', {
      path: { address: 'a/b' },
      query: { platforms: 'x&y' },
    });
    const answer = await callOperation('POST /swap/v2/execute', {
      body: { signedTransaction: 'AQ==', requestId: 'id' },
    });
    expect(answer).toEqual({ ok: true });
    expect(sent).toEqual([
      ['/portfolio/v1/positions/a%2Fb?platforms=x%26y', { method: 'GET' }],
      [
        '/swap/v2/execute',
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"signedTransaction":"AQ==","requestId":"id"}',
        },
      ],
    ]);
  });
});
