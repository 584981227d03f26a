import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseAccountFile } from '../../../chain/records/account-json.ts';
import { keepInstanceUrls } from '../../../data-folder/instance-file.ts';
import { runForTest } from '../../../testing/run-cli.ts';

/** The answers of the fake instance, by request. The instance itself is tested elsewhere. */
let answers: Record<string, { status?: number; body: string }>;
let asked: { path: string; body: unknown }[];
let servers: Server[];
let port: number;
let adminPort: number;
let folder: string;
beforeEach(setUp);
afterEach(tearDown);

describe('sluice faucet', () => {
  it('asks the RPC for an airdrop of SOL, in lamports', async () => {
    answers = { requestAirdrop: { body: '{"result":"sig1"}' } };
    const { code, out } = await faucet(WALLET, 'sol', '1.000000001');
    expect(asked[0]?.body).toMatchObject({ method: 'requestAirdrop', params: [WALLET, 1_000_000_001] });
    expect({ code, out }).toEqual({
      code: 0,
      out: `gave 1.000000001 SOL to ${WALLET} in transaction sig1\n`,
    });
  });

  it.each([
    [['nobody', 'SOL', '1'], 'the wallet is "nobody"'],
    [[WALLET, 'SOL', '1e3'], 'must be a plain decimal number'],
    [[WALLET, 'SOL', '0.0'], 'must be more than 0'],
    [[WALLET, 'SOL', '9007199.254740992'], 'at most 9007199.254740991 SOL'],
    [[WALLET, 'DOGE', '1'], 'one of SOL, USDC, USDT'],
    [[WALLET, 'SOL'], 'usage: sluice faucet <wallet> <SOL|symbol|mint> <amount>'],
  ])('refuses %j', async (words, message) => {
    const { code, err } = await faucet(...words);
    expect(err).toContain(message);
    expect(code).toBe(2);
    expect(asked).toEqual([]);
  });

  it('uses the decimals that the network states for the mint', async () => {
    answers = { getTokenSupply: { body: '{"result":{"value":{"amount":"1","decimals":6}}}' } };
    const { code, err } = await faucet(WALLET, USDC, '0.0000001');
    expect(asked[0]?.body).toMatchObject({ method: 'getTokenSupply', params: [USDC] });
    expect({ code, err }).toEqual({ code: 2, err: 'the token has 6 decimals, but "0.0000001" has 7\n' });
  });

  it('asks the admin interface for tokens, in atoms', async () => {
    answers = {
      getTokenSupply: { body: '{"result":{"value":{"amount":"1","decimals":6}}}' },
      '/admin/v1/network/faucet': { body: '{"signature":"sig2","account":"acc"}' },
    };
    const { code, out } = await faucet(WALLET, 'usdc', '12.5');
    expect(asked[1]?.body).toEqual({ wallet: WALLET, mint: USDC, amount: '12500000' });
    expect({ code, out }).toEqual({
      code: 0,
      out: `gave 12.5 usdc to acc of ${WALLET} in transaction sig2\n`,
    });
  });

  it.each([
    [400, '{"error":"no more"}', 'the faucet refused: no more'],
    [403, '{"code":403,"message":"production"}', 'the faucet refused: production'],
    [500, '{}', 'the faucet refused: HTTP 500'],
    [502, '<html>', 'answered HTTP 502 without JSON'],
  ])('reports that the admin interface refused with %i', async (status, body, message) => {
    answers = {
      getTokenSupply: { body: '{"result":{"value":{"amount":"1","decimals":6}}}' },
      '/admin/v1/network/faucet': { status, body },
    };
    const { code, err } = await faucet(WALLET, USDC, '1');
    expect(err).toContain(message);
    expect(code).toBe(1);
  });

  it('refuses an rpc-port that is not of the instance at the admin port', async () => {
    const other = await listen();
    const { code, err } = await sluice(
      ...['faucet', WALLET, 'SOL', '1', `--rpc-port=${other}`, `--admin-port=${adminPort}`],
    );
    expect(err).toBe(
      `rpc-port from flag --rpc-port is ${other}, but the instance at http://127.0.0.1:${adminPort} has its Solana RPC at http://127.0.0.1:${port}; leave out rpc-port, or give the admin-port and the data-dir of the other instance\n`,
    );
    expect(code).toBe(1);
    expect(asked).toEqual([]);
  });

  it.each([
    ['the admin port that is given', () => [`--admin-port=${adminPort}`]],
    ['the instance that runs on the data folder', () => []],
    ['the instance that runs on the data folder that is given', () => ['--data-dir=elsewhere']],
  ])('funds the network of %s', async (_, flags) => {
    answers = { requestAirdrop: { body: '{"result":"sig1"}' } };
    for (const dataDir of ['.sluice', 'elsewhere']) {
      await mkdir(join(folder, dataDir), { recursive: true });
      const url = `http://127.0.0.1:${adminPort}`;
      const isMeant = flags().join('').includes(dataDir) === (dataDir === 'elsewhere');
      keepInstanceUrls(join(folder, dataDir), {
        rest: url,
        admin: isMeant ? url : 'http://127.0.0.1:1',
        grpc: url,
        rpc: null,
        ws: null,
      });
    }
    expect(await sluice('faucet', WALLET, 'SOL', '1', ...flags())).toMatchObject({ code: 0, err: '' });
    expect(asked.map(({ body }) => body)).toMatchObject([{ method: 'requestAirdrop' }]);
  });

  it('finds the instance if the settings let it choose its ports', async () => {
    answers = { requestAirdrop: { body: '{"result":"sig1"}' } };
    const url = `http://127.0.0.1:${adminPort}`;
    await mkdir(join(folder, '.sluice'), { recursive: true });
    keepInstanceUrls(join(folder, '.sluice'), {
      rest: url,
      admin: url,
      grpc: url,
      rpc: `http://127.0.0.1:${port}`,
      ws: null,
    });
    expect(await sluice('faucet', WALLET, 'SOL', '1', '--admin-port=0', '--rpc-port=0')).toMatchObject({
      code: 0,
      err: '',
    });
    // A host alone is given, as for an instance that listens on every address.
    expect(
      await sluice('faucet', WALLET, 'SOL', '1', '--admin-port=0', '--admin-host=127.0.0.1'),
    ).toMatchObject({ code: 0 });
  });

  it('reports what the RPC refuses', async () => {
    answers = { requestAirdrop: { body: '{"error":{"code":-32602,"message":"too much"}}' } };
    const { code, err } = await faucet(WALLET, 'SOL', '5');
    expect(code).toBe(1);
    expect(err).toContain('refused requestAirdrop: {"code":-32602,"message":"too much"}');
  });
});

describe('sluice dump', () => {
  it('writes the account to a file named after it, in the working directory', async () => {
    answers = { getMultipleAccounts: { body: `{"result":{"context":{},"value":[${account}]}}` } };
    const { code, out } = await sluice('dump', USDC, '--rpc', `http://127.0.0.1:${port}/?key=x`);
    const file = join(folder, `${USDC}.json`);
    expect(code).toBe(0);
    expect(out).toContain(`wrote the account ${USDC} to ${file} (`);
    const written = parseAccountFile(await readFile(file, 'utf8'), file);
    expect(written.account.lamports).toBe(2n ** 64n - 1n);
    expect([...written.account.data]).toEqual([1, 2]);
    expect(asked[0]?.path).toBe('/?key=x');
  });

  it('writes to the file that a flag names', async () => {
    answers = { getMultipleAccounts: { body: `{"result":{"context":{},"value":[${account}]}}` } };
    const { code } = await sluice('dump', USDC, `--rpc-port=${port}`, '-o', 'there.json');
    expect(code).toBe(0);
    expect(await readFile(join(folder, 'there.json'), 'utf8')).toContain(USDC);
  });

  it.each([
    [['dump', 'x'], 2, 'the address is "x"'],
    [['dump', USDC, '--rpc', 'localhost'], 2, 'flag --rpc is "localhost", but must be an http or https URL'],
    [['dump', USDC, '--rpc', 'http://a', '--rpc', 'http://b'], 2, 'flag --rpc was given twice'],
    [['dump', USDC, '-o'], 2, 'flag -o needs a value'],
    [['config', '-o', 'x'], 2, '--output is not a flag of sluice config'],
  ])('refuses %j', async (args, exit, message) => {
    const { code, err } = await sluice(...args);
    expect(err).toContain(message);
    expect(code).toBe(exit);
  });

  it('reports an account that does not exist, and a file that cannot be written', async () => {
    answers = { getMultipleAccounts: { body: '{"result":{"context":{},"value":[null]}}' } };
    const absent = await sluice('dump', USDC, `--rpc-port=${port}`);
    expect(absent).toEqual({
      code: 1,
      out: '',
      err: `there is no account ${USDC} at http://127.0.0.1:${port}\n`,
    });
    answers = { getMultipleAccounts: { body: `{"result":{"context":{},"value":[${account}]}}` } };
    const unwritable = await sluice('dump', USDC, `--rpc-port=${port}`, '-o', 'no/such/folder/x.json');
    expect(unwritable.code).toBe(1);
    expect(unwritable.err).toContain('cannot be written: ENOENT');
  });

  const account = `{"lamports":18446744073709551615,"data":["AQI=","base64"],"owner":"${TOKEN_PROGRAM}",
    "executable":false,"rentEpoch":18446744073709551615,"space":2}`;
});

describe('sluice price', () => {
  it('lists prices, and shows one in any letter case', async () => {
    answers = { '/admin/v1/network/prices': { body: JSON.stringify({ prices: [SOL, MSOL] }) } };
    const { out } = await price('list');
    expect(out).toContain('120');
    expect(out).toContain('with SOL');
    expect((await price('show', 'msol')).out).toContain('159.12');
    const { code, err } = await price('show', 'DOGE');
    expect({ code, err }).toEqual({ code: 2, err: 'the token is "DOGE", but must be one of SOL, mSOL\n' });
  });

  it('sets a price', async () => {
    answers = {
      '/admin/v1/network/prices/SOL': { body: JSON.stringify(SOL) },
      '/admin/v1/network/prices': {
        body: JSON.stringify({ prices: [SOL, MSOL, { ...SOL, symbol: 'JUP' }] }),
      },
      '/admin/v1/network/price-follower': { body: '{"following":false}' },
    };
    const { code, out } = await price('set', 'SOL', '120');
    expect(asked[0]?.body).toEqual({ price: '120' });
    expect({ code, out }).toEqual({
      code: 0,
      out: `SOL is worth 120 USD
mSOL follows it and is worth 159.12 USD
lending reads these prices from now on, so that loans can become unsafe: see sluice start --liquidator
pools, quotes and /price/v3 stay where they are: sluice price follow on lets them follow
`,
    });
    answers['/admin/v1/network/price-follower'] = { body: '{"following":true}' };
    expect((await price('set', 'SOL', '120')).out).toMatch(/^pools follow by swaps, and so do quotes and/m);
    expect((await price('set', 'SOL', '1e3')).code).toBe(2);
  });

  it('lets a price move, and stops it', async () => {
    const walk = { deviation: 2, drift: -1, seconds: 5, seed: '7', steps: '0' };
    answers = { '/admin/v1/network/prices/SOL/walk': { body: JSON.stringify({ ...SOL, walk }) } };
    const { out } = await price('walk', 'SOL', '--sigma=2', '--drift=-1', '--every=5', '--walk-seed=7');
    expect(asked[0]?.body).toEqual({ deviation: 2, drift: -1, seconds: 5, seed: '7' });
    expect(out).toContain('SOL moves from 120 USD: by 2% an hour');
    expect((await price('walk', 'SOL', '--sigma=much')).code).toBe(2);
    expect((await price('stop', 'SOL')).out).toBe('SOL stays at 120 USD\n');
  });

  it('lets pools follow the prices', async () => {
    answers = { '/admin/v1/network/price-follower': { body: '{"following":true,"trades":7}' } };
    const { out } = await price('follow', 'on');
    expect(asked[0]?.body).toEqual({ following: true });
    expect(out).toBe('pools follow the prices until Sluice stops: 7 swaps\n');
    expect((await price('follow', 'maybe')).code).toBe(2);
  });

  const SOL = {
    symbol: 'SOL',
    feed: WALLET,
    price: '120',
    confidence: '0.06',
    publishTime: '1',
    slot: '9',
    follows: null,
    walk: null,
  };
  const MSOL = { ...SOL, symbol: 'mSOL', price: '159.12', follows: 'SOL' };
  const price = (...words: string[]) => sluice('price', ...words, `--admin-port=${adminPort}`);
});

describe('faults', () => {
  it('take the code of an RPC error with its sign', async () => {
    answers = { getSlot: { body: '{"waiting":[],"struck":[]}' } };
    expect(await fault('rpc', 'getSlot', '--code=-32005')).toMatchObject({ code: 0, err: '' });
    expect(asked[0]?.body).toEqual({ method: 'getSlot', count: 1, delayMs: 0, code: -32005 });
  });

  it.each([
    ['next', 'drop', '--count=-1', '--count is "-1", but must be a whole number of at least 0'],
    [
      'request',
      '/swap/v2/order',
      '--delay-ms=1s',
      '--delay-ms is "1s", but must be a whole number of at least 0',
    ],
    ['rpc', 'getSlot', '--code=busy', '--code is "busy", but must be a whole number'],
  ])('refuse a flag that is no such number: %s %s %s', async (kind, word, flag, message) => {
    const { code, err } = await fault(kind, word, flag);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect(asked).toEqual([]);
  });

  const fault = (...words: string[]) => sluice('fault', ...words, `--admin-port=${adminPort}`);
});

const WALLET = 'A5yMoCcVUnEjRBLFfh6WvYtaCUXY2oSdPEVsFEfyGvCL';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

async function listen(): Promise<number> {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += String(chunk);
    });
    request.on('end', () => {
      const body = JSON.parse(text === '' ? '{}' : text) as { method?: string };
      if (request.url === '/admin/v1/network') {
        const rpcUrl = `http://127.0.0.1:${port}`;
        response.end(JSON.stringify({ rpcUrl, wsUrl: 'ws://127.0.0.1:1', slot: '5', unixTimestamp: '1' }));
        return;
      }
      asked.push({ path: request.url ?? '', body });
      const answer = answers[body.method ?? request.url ?? ''] ?? { status: 500, body: 'unexpected' };
      response.statusCode = answer.status ?? 200;
      response.end(answer.body);
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const bound = server.address();
  if (bound === null || typeof bound === 'string') throw new Error('not listening on a port');
  return bound.port;
}

async function setUp(): Promise<void> {
  answers = {};
  asked = [];
  folder = await mkdtemp(join(tmpdir(), 'sluice-cli-'));
  servers = [];
  port = await listen();
  adminPort = await listen();
}

async function tearDown(): Promise<void> {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  await rm(folder, { recursive: true });
}

async function sluice(...args: string[]) {
  return runForTest(args, folder);
}

const faucet = (...words: string[]) =>
  sluice('faucet', ...words, `--rpc-port=${port}`, `--admin-port=${adminPort}`);
