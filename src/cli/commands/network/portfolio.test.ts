import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { keepInstanceUrls } from '../../../data-folder/instance-file.ts';
import { TEST_CERTIFICATES } from '../../../testing/gateway/certificates.ts';
import { runForTest } from '../../../testing/run-cli.ts';
import { openFolder } from '../../../testing/test-folder.ts';

let server: Server;
let secure: Server;
const folder = openFolder('portfolio');
/** The `x-api-key` of each request that arrived, with the protocol that it came by. */
let seen: string[] = [];
beforeAll(setUp);
afterEach(tearDown);
afterAll(tearDownAll);

describe('sluice portfolio', () => {
  it('prints a line for each position, the sum, and what failed, without control characters', async () => {
    const { code, out } = await runForTest(['portfolio', WALLET, '--rest-port', portOf(server)]);
    expect(code).toBe(0);
    expect(out).toMatch(/wallet-tokens +Wallet +USDC +12\.50\n/);
    expect(out).toMatch(/Staked Lock.+unknown\n/);
    expect(out).toMatch(/sum +12\.50\n/);
    expect(out).toMatch(/raydium-cpmm.+failed/);
    expect(out).not.toContain('\u001b');
  });

  it('says why an instance refuses, and refuses what is no wallet itself', async () => {
    const refused = await runForTest(['portfolio', MINT, '--rest-port', portOf(server)]);
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining('not this wallet') });
    const misspelt = await runForTest(['portfolio', 'abc', '--rest-port', portOf(server)]);
    expect(misspelt).toMatchObject({ code: 2, err: expect.stringContaining('the wallet is "abc"') });
  });

  it.each([
    ['there is no key', [], /wants an API key; give the file of one with --key-file/],
    ['the key is unknown', ['--key-file', 'key'], /does not know the API key of --key-file/],
  ])('says what to do if %s', async (_, flags, reason) => {
    const args = ['portfolio', KEYED_WALLET, '--rest-port', portOf(server), ...flags];
    const { code, err } = await runForTest(args, folder);
    expect(code).toBe(1);
    expect(err).toMatch(reason);
    expect(err).not.toContain(KEY);
  });

  it('sends a key from a file over https to the instance that has the certificate', async () => {
    const { code, out, err } = await runForTest(
      [
        ...['portfolio', WALLET, '--rest-port', portOf(secure)],
        ...['--tls-cert', 'cert-0.pem', '--key-file', 'key'],
      ],
      folder,
    );
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/sum +12\.50\n/);
    expect(seen).toEqual([`https ${KEY}`]);
  });

  it.each([
    ['shows another certificate', 'secure', 'cert-1.pem', /shows another certificate than the first of/],
    ['speaks plain HTTP where a certificate is expected', 'plain', 'cert-0.pem', /cannot be reached/],
  ])('sends nothing to a server that %s', async (_, which, certificate, reason) => {
    const port = portOf(which === 'secure' ? secure : server);
    const place = ['--rest-port', port, '--tls-cert', certificate, '--key-file', 'key'];
    const { code, err } = await runForTest(['portfolio', WALLET, ...place], folder);
    expect(code).toBe(1);
    expect(err).toMatch(reason);
    expect(err).not.toContain(KEY);
    expect(seen).toEqual([]);
  });

  it('knows from the data folder that the instance speaks https, and says what is missing', async () => {
    const url = (of: Server, scheme: string) => `${scheme}://127.0.0.1:${portOf(of)}`;
    const urls = { rest: url(secure, 'https'), admin: url(server, 'http'), grpc: url(server, 'http') };
    const remove = keepInstanceUrls(folder, { ...urls, rpc: null, ws: null });
    const { code, err } = await runForTest(['portfolio', WALLET, '--data-dir', '.'], folder);
    expect(code).toBe(1);
    expect(err).toMatch(/^https:.+cannot be reached: self-signed certificate.+--tls-cert/m);
    const trusted = await runForTest(
      ['portfolio', WALLET, '--data-dir', '.', '--tls-cert', 'cert-0.pem'],
      folder,
    );
    remove();
    expect(trusted).toMatchObject({ code: 0, err: '' });
    expect(seen).toEqual(['https keyless']);
  });

  it.each([
    ['missing', /the file of --key-file cannot be read: ENOENT/],
    ['not-a-key', /holds 9 characters, but a key is 1 to 200 visible ASCII characters/],
  ])('refuses the key file %s before it sends anything', async (file, reason) => {
    const args = ['portfolio', WALLET, '--rest-port', portOf(server), '--key-file', file];
    const { code, err } = await runForTest(args, folder);
    expect(code).toBe(1);
    expect(err).toMatch(reason);
    expect(seen).toEqual([]);
  });
});

const WALLET = 'A5yMoCcVUnEjRBLFfh6WvYtaCUXY2oSdPEVsFEfyGvCL';
/** The server answers for it as an instance that does not know the key. */
const KEYED_WALLET = '92Z3z17z7aeZtzRzGY39CuEczxheWk4dtaxtuP3kKHL5';
const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const BODY = {
  fetcherReports: [
    { id: 'wallet-tokens-solana', status: 'succeeded', duration: 3 },
    { id: 'raydium-cpmm', status: 'failed', error: 'the network\u001b[2J does not answer' },
  ],
  elements: [
    {
      platformId: 'wallet-tokens',
      label: 'Wallet',
      value: 12.5,
      data: { assets: [{ data: { address: MINT, amount: 12.5, price: 1 } }] },
    },
    { platformId: 'x', label: 'Staked', name: 'Lock\u001b[31m', value: null, data: { assets: [] } },
  ],
  tokenInfo: { solana: { [MINT]: { symbol: 'USDC' } } },
};

const KEY = 'sk_0123456789abcdef';

async function setUp(): Promise<void> {
  for (const [index, { certificate }] of TEST_CERTIFICATES.entries()) {
    writeFileSync(join(folder, `cert-${index}.pem`), certificate);
  }
  writeFileSync(join(folder, 'key'), `${KEY}\n`);
  writeFileSync(join(folder, 'not-a-key'), 'two\nlines');
  const [{ certificate, key }] = TEST_CERTIFICATES;
  server = createServer(answering('http'));
  secure = createSecureServer({ cert: certificate, key }, answering('https'));
  for (const each of [server, secure]) {
    await new Promise<void>((resolve) => each.listen(0, '127.0.0.1', resolve));
  }
}

function tearDown(): void {
  seen = [];
}

async function tearDownAll(): Promise<void> {
  for (const each of [server, secure]) {
    if (each?.listening) await new Promise((resolve) => each.close(resolve));
  }
}

function answering(protocol: string): RequestListener {
  return (request, response) => {
    seen.push(`${protocol} ${request.headers['x-api-key'] ?? 'keyless'}`);
    const isKnown = request.url === `/portfolio/v1/positions/${WALLET}`;
    const wantsKey = request.url === `/portfolio/v1/positions/${KEYED_WALLET}`;
    response.statusCode = isKnown ? 200 : wantsKey ? 401 : 400;
    const refusal = wantsKey ? { code: 401, message: 'Unauthorized' } : { error: 'not this wallet' };
    response.end(JSON.stringify(isKnown ? BODY : refusal));
  };
}

function portOf(of: Server): string {
  return String((of.address() as AddressInfo).port);
}
