import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { createKeyPairSignerFromBytes } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { bannerValue, FREE_PORTS, type Instance } from './instance.ts';
import { callRpc, closeStarts, fetchJson, newFolder, start } from './starts.ts';

afterAll(closeStarts);

describe('npm start', () => {
  let folder: string;
  let instance: Instance;
  let banner: string;
  beforeAll(setUp);

  it('answers on every port that it prints', async () => {
    const rest = value('REST');
    expect((await fetchJson(`${rest}/healthz`)).body).toEqual({ status: 'ok' });
    const ready = await fetchJson(`${rest}/readyz`);
    expect(ready.body).toEqual({
      ready: true,
      parts: {
        database: 'ok',
        chain: 'ok',
        market: 'ok',
        rpc: 'ok',
        'request log': 'ok',
        keeper: 'ok',
        'program orders': 'ok',
        invites: 'ok',
        launches: 'ok',
        predictions: 'ok',
        forecasts: 'ok',
        grpc: 'ok',
      },
    });
    expect(ready.status).toBe(200);
    expect((await fetch(value('Documentation'))).headers.get('content-type')).toContain('text/html');
    expect(await callRpc(value('Solana RPC'), 'getHealth')).toBe('ok');
    expect((await fetchJson(value('Admin').replace('/docs', '/readyz'))).status).toBe(200);
    const socket = new WebSocket(value('Solana WebSocket'));
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    socket.terminate();
  });

  it('describes every public path in a valid OpenAPI document', async () => {
    const { body } = await fetchJson(`${value('REST')}/openapi.json`);
    expect(await new Validator().validate(body as Record<string, unknown>)).toEqual({ valid: true });
    const paths = Object.keys((body as { paths: object }).paths);
    expect(paths).toEqual(expect.arrayContaining(['/healthz', '/readyz', '/swap/v2/build']));
  });

  it('serves every path that the documentation names, by the method that it names', async () => {
    const servers = [value('REST'), value('Admin').replace('/docs', '')];
    // The answer to a method that no path has names those that it has, and does nothing.
    const methodsOf = async (path: string) => {
      const asked = servers.map((server) => fetch(`${server}${path}`, { method: 'PROPFIND' }));
      return (await Promise.all(asked)).flatMap(({ headers }) => headers.get('allow')?.split(', ') ?? []);
    };
    const documented = documentedRequests().filter(
      ({ path }) => ![...SERVED_ELSEWHERE, ...NOT_SERVED].includes(path),
    );
    expect(documented.length).toBeGreaterThanOrEqual(60);
    const missing = [];
    for (const { method, path } of documented) {
      const methods = await methodsOf(path);
      if (method === null ? methods.length === 0 : !methods.includes(method)) missing.push({ method, path });
    }
    expect(missing).toEqual([]);
  });

  it('prints a curl line that builds a swap', async () => {
    const [, key = '', url = ''] = /^ +curl -H 'x-api-key: (.+)' '(.+)'$/m.exec(banner) ?? [];
    const { status, body, headers } = await fetchJson(url, { headers: { 'x-api-key': key } });
    expect(body).toMatchObject({ inAmount: '100000000', swapMode: 'ExactIn', slippageBps: 50 });
    expect(status).toBe(200);
    expect(headers.get('x-api-gateway-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    expect(BigInt((body as { outAmount: string }).outAmount)).toBeGreaterThan(0n);
  });

  it.each([
    [{ amount: '0' }, /^amount must be a whole number .*, got "0"$/],
    [{ amount: '1.5' }, /^amount must be .*, got "1\.5"$/],
    [{ amount: '18446744073709551616' }, /^amount must be/],
    [{ inputMint: 'abc' }, /^inputMint must be an address of 32 bytes in base58, got "abc"$/],
    [{ inputMint: USDC }, /^inputMint and outputMint must differ/, 'CIRCULAR_ARBITRAGE_IS_DISABLED'],
    [{ taker: '' }, /taker is missing$/],
  ])('refuses a swap with %j in a sentence', async (change, sentence, code = 'none') => {
    const url = new URL(/'(http.+)'$/m.exec(banner)?.[1] ?? '');
    for (const [name, text] of Object.entries(change)) url.searchParams.set(name, text);
    const { status, body } = await fetchJson(url.href);
    const { errorCode = 'none', ...rest } = body as { readonly errorCode?: string };
    expect(rest).toEqual({ error: expect.stringMatching(sentence) });
    expect(errorCode).toBe(code);
    expect(status).toBe(400);
  });

  it('refuses a swap without a route in the text that clients compare, and says why beside it', async () => {
    const url = new URL(/'(http.+)'$/m.exec(banner)?.[1] ?? '');
    url.searchParams.set('outputMint', 'GGztQqQ6pCPaJQnNpXBgELr5cs3WwDakRbh1iEMzjgSJ');
    const { status, body } = await fetchJson(url.href);
    expect(body).toEqual({
      error: 'No routes found',
      errorCode: 'TOKEN_NOT_TRADABLE',
      details: expect.stringMatching(/^no pool trades outputMint GGzt/),
    });
    expect(status).toBe(400);
  });

  it('has a demo wallet with SOL, whose key is where it says, for its owner alone', async () => {
    const file = value('its key');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const signer = await createKeyPairSignerFromBytes(
      Uint8Array.from(JSON.parse(readFileSync(file, 'utf8'))),
    );
    expect(signer.address).toBe(value('Demo wallet'));
    const balance = (await callRpc(value('Solana RPC'), 'getBalance', signer.address)) as { value: number };
    expect(balance.value).toBeGreaterThan(1_000_000_000);
  });

  it('refuses a key that it did not give out', async () => {
    const url = `${value('REST')}/healthz`;
    expect((await fetchJson(url, { headers: { 'x-api-key': value('API key') } })).status).toBe(200);
    const refused = await fetchJson(url, { headers: { 'x-api-key': 'jup_guessed' } });
    expect(refused).toMatchObject({ status: 401, body: { code: 401, message: 'Unauthorized' } });
  });

  it('says of a second instance that its data folder is in use, and by whom', async () => {
    const { code, error } = await start(folder, ...FREE_PORTS).ended();
    expect(error).toMatch(/^data-dir .*\.sluice is in use by another instance, process \d+; .*--data-dir/m);
    expect(code).toBe(1);
  });

  it.each([
    ['rest-port', 'REST'],
    ['admin-port', 'Admin'],
    ['rpc-port', 'Solana RPC'],
    ['ws-port', 'Solana WebSocket'],
  ])('says of a second instance that its %s is in use', async (setting, name) => {
    const { port } = new URL(value(name));
    const ports = FREE_PORTS.filter((flag) => !flag.includes(setting));
    const { code, error } = await start(newFolder(), '--ephemeral', ...ports, `--${setting}=${port}`).ended();
    expect(error).toContain(`${setting} ${port} on 127.0.0.1 is in use, perhaps by another instance`);
    expect(error).toContain(`--${setting}`);
    expect(code).toBe(1);
  });

  it('stops cleanly at Ctrl-C, and starts again with the same keys and balances', async () => {
    const wallet = value('Demo wallet');
    const before = await callRpc(value('Solana RPC'), 'getBalance', wallet);
    instance.kill('SIGINT');
    const ended = await instance.ended();
    expect(ended.code).toBe(0);
    expect(existsSync(join(folder, '.sluice', 'instance.lock'))).toBe(false);
    const again = start(folder, ...FREE_PORTS);
    const second = await again.ready();
    expect(bannerValue(second, 'API key')).toBe(value('API key'));
    expect(bannerValue(second, 'Demo wallet')).toBe(wallet);
    const after = await callRpc(bannerValue(second, 'Solana RPC'), 'getBalance', wallet);
    expect((after as { value: number }).value).toBe((before as { value: number }).value);
    again.kill('SIGTERM');
    expect((await again.ended()).code).toBe(0);
  });

  const value = (name: string) => bannerValue(banner, name);

  async function setUp(): Promise<void> {
    folder = newFolder();
    instance = start(folder, ...FREE_PORTS);
    banner = await instance.ready();
  }
});

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Of the Solana RPC, which is no HTTP interface, and of a maker's webhook. */
const SERVED_ELSEWHERE = ['/', '/health', '/rfq/quote'];
/** Of the public service, and named because Sluice does not serve them. */
const NOT_SERVED = ['/tokens/v2/content', '/tokens/v2/verify/express/quote'];

/** Paths that the README and the pages under docs/ name, with their method, such as `GET /price/v3`, or without. */
function documentedRequests(): readonly { readonly method: string | null; readonly path: string }[] {
  const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md') && !name.startsWith('decisions'))
    .map((name) => join(root, 'docs', name));
  const text = [join(root, 'README.md'), ...pages].map((page) => readFileSync(page, 'utf8')).join('\n');
  const withMethod = [...text.matchAll(/\b(GET|POST|PUT|PATCH|DELETE) `?(\/[\w./{}-]*)/g)];
  const alone = [...text.matchAll(/()`(\/\w+\/v\d\/[\w./{}-]*[\w}])[`?]/g)];
  const requests = [...withMethod, ...alone].map(([, method = '', path = '']) => ({
    method: method === '' ? null : method,
    path: path.replace(/[.]$/, '').replaceAll(/{\w+}/g, 'x'),
  }));
  return [...new Map(requests.map((request) => [JSON.stringify(request), request])).values()];
}
