import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { createRpcAccountSource } from './account-source.ts';

let server: Server | null = null;
afterEach(async () => {
  const started = server;
  server = null;
  if (started === null) return;
  started.closeAllConnections();
  await new Promise((resolve) => started.close(resolve));
});

describe('createRpcAccountSource', () => {
  it('reads accounts exactly and in order, with null for missing ones', async () => {
    const url = await serve((response, body) => {
      const { method, params } = JSON.parse(body) as { method: string; params: unknown };
      expect(method).toBe('getMultipleAccounts');
      expect(params).toEqual([addresses, { encoding: 'base64', commitment: 'confirmed' }]);
      response.end(`{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1},"value":[${account},null]}}`);
    });
    expect(await createRpcAccountSource(url).read(addresses)).toEqual([
      {
        lamports: 2n ** 64n - 1n,
        owner: SYSTEM_PROGRAM,
        data: new Uint8Array([1]),
        executable: false,
        rentEpoch: 2n ** 64n - 1n,
      },
      null,
    ]);
  });

  it('reads once more when the connection is closed before an answer', async () => {
    let calls = 0;
    let always = false;
    const url = await serve((response) => {
      if (calls++ === 0 || always) response.socket?.destroy();
      else response.end('{"result":{"value":[null,null]}}');
    });
    const source = createRpcAccountSource(url);
    expect(await source.read(addresses)).toEqual([null, null]);
    expect(calls).toBe(2);
    always = true;
    await expect(source.read(addresses)).rejects.toThrow(`${url.origin} cannot be reached`);
    expect(calls).toBe(4);
  });

  it('reads a hundred accounts at a time', async () => {
    const sizes: number[] = [];
    const url = await serve((response, body) => {
      const { params } = JSON.parse(body) as { params: [unknown[]] };
      sizes.push(params[0].length);
      response.end(JSON.stringify({ result: { value: params[0].map(() => null) } }));
    });
    const accounts = await createRpcAccountSource(url).read(new Array(250).fill(SYSTEM_PROGRAM));
    expect(accounts).toEqual(new Array(250).fill(null));
    expect(sizes).toEqual([100, 100, 50]);
  });

  it.each([
    ['no JSON', '<html>', 'with something that is not JSON: "<html>"'],
    ['an RPC error', '{"error":{"code":-32005,"message":"busy"}}', '{"code":-32005,"message":"busy"}'],
    ['no result', '{}', 'answered getMultipleAccounts without a result'],
    ['another result', '{"result":7}', 'result must be an object, got 7'],
    ['too few accounts', '{"result":{"value":[null]}}', 'no array of as many'],
    ['a malformed account', '{"result":{"value":[null,{}]}}', `${TOKEN_PROGRAM} from http://127.0.0.1`],
  ])('refuses an answer that is %s', async (_, answer, message) => {
    const url = await serve((response) => response.end(answer));
    await expect(createRpcAccountSource(url).read(addresses)).rejects.toThrow(message);
  });

  it('never shows the part of the URL that may hold a key', async () => {
    const url = await serve((response) => {
      response.statusCode = 403;
      response.end('who are you');
    });
    const failure: unknown = await createRpcAccountSource(url)
      .read(addresses)
      .catch((error: unknown) => error);
    expect(String(failure)).toContain('answered HTTP 403: "who are you"');
    expect(String(failure)).not.toContain('secret');
  });

  it('times out when an answer does not end', async () => {
    const url = await serve((response) => {
      response.write('{');
    });
    const source = createRpcAccountSource(url, { timeoutMs: 50, maxBytes: 1000 });
    await expect(source.read(addresses)).rejects.toThrow('no answer within 50 ms');
  });

  it('stops reading an answer that is too long', async () => {
    const url = await serve((response) => response.end('x'.repeat(100_000)));
    const source = createRpcAccountSource(url, { timeoutMs: 60_000, maxBytes: 1000 });
    await expect(source.read(addresses)).rejects.toThrow('longer than 1000 bytes');
  });

  it('does not follow redirects', async () => {
    const url = await serve((response) => {
      response.writeHead(302, { location: 'http://127.0.0.1:1/' });
      response.end();
    });
    await expect(createRpcAccountSource(url).read(addresses)).rejects.toThrow('cannot be reached');
  });

  it('refuses a URL with a password, without showing it', async () => {
    const source = createRpcAccountSource(new URL('http://me:secret@127.0.0.1/'));
    await expect(source.read(addresses)).rejects.toThrow(/^(?!.*secret).*user name or password/);
  });

  it('reports that nothing listens', async () => {
    const url = await serve(() => {});
    await new Promise((resolve) => server?.close(resolve));
    server = null;
    await expect(createRpcAccountSource(url).read(addresses)).rejects.toThrow('ECONNREFUSED');
  });
});

/** A JSON-RPC server whose answers the test decides, including invalid ones. */
async function serve(answer: (response: ServerResponse, body: string) => void): Promise<URL> {
  const started = createServer((request: IncomingMessage, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => answer(response, body));
  });
  server = started;
  await new Promise<void>((resolve) => started.listen(0, '127.0.0.1', resolve));
  const bound = started.address();
  if (bound === null || typeof bound === 'string') throw new Error('not listening on a port');
  return new URL(`http://127.0.0.1:${bound.port}/?api-key=secret`);
}

const account = `{"lamports":18446744073709551615,"data":["AQ==","base64"],"owner":"${SYSTEM_PROGRAM}",
  "executable":false,"rentEpoch":18446744073709551615,"space":1}`;
const addresses = [SYSTEM_PROGRAM, TOKEN_PROGRAM];
