import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseAccountFile } from '../../../chain/account-json.ts';
import { runForTest } from '../../run-for-tests.ts';

const WALLET = 'A5yMoCcVUnEjRBLFfh6WvYtaCUXY2oSdPEVsFEfyGvCL';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

/** What the running instance was asked, and what it answers; tests of the instance itself are elsewhere. */
let answers: Record<string, { status?: number; body: string }>;
let asked: { path: string; body: unknown }[];
let servers: Server[];
let port: number;
let adminPort: number;
let folder: string;

beforeEach(async () => {
  answers = {};
  asked = [];
  folder = await mkdtemp(join(tmpdir(), 'sluice-cli-'));
  servers = [];
  port = await listen();
  adminPort = await listen();
});

async function listen(): Promise<number> {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += String(chunk);
    });
    request.on('end', () => {
      const body = JSON.parse(text === '' ? '{}' : text) as { method?: string };
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

afterEach(async () => {
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  await rm(folder, { recursive: true });
});

async function sluice(...args: string[]) {
  return runForTest(args, folder);
}

const faucet = (...words: string[]) =>
  sluice('faucet', ...words, `--rpc-port=${port}`, `--admin-port=${adminPort}`);

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

  it('counts the decimals that the network says the mint has', async () => {
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
    [502, '<html>', 'answered HTTP 502 with no JSON'],
  ])('passes on what the admin interface refuses with %i', async (status, body, message) => {
    answers = {
      getTokenSupply: { body: '{"result":{"value":{"amount":"1","decimals":6}}}' },
      '/admin/v1/network/faucet': { status, body },
    };
    const { code, err } = await faucet(WALLET, USDC, '1');
    expect(err).toContain(message);
    expect(code).toBe(1);
  });

  it('passes on what the RPC refuses', async () => {
    answers = { requestAirdrop: { body: '{"error":{"code":-32602,"message":"too much"}}' } };
    const { code, err } = await faucet(WALLET, 'SOL', '5');
    expect(code).toBe(1);
    expect(err).toContain('refused requestAirdrop: {"code":-32602,"message":"too much"}');
  });
});

describe('sluice dump', () => {
  const account = `{"lamports":18446744073709551615,"data":["AQI=","base64"],"owner":"${TOKEN_PROGRAM}",
    "executable":false,"rentEpoch":18446744073709551615,"space":2}`;

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

  it('writes where it is told', async () => {
    answers = { getMultipleAccounts: { body: `{"result":{"context":{},"value":[${account}]}}` } };
    const { code } = await sluice('dump', USDC, `--rpc-port=${port}`, '-o', 'there.json');
    expect(code).toBe(0);
    expect(await readFile(join(folder, 'there.json'), 'utf8')).toContain(USDC);
  });

  it.each([
    [['dump', 'x'], 2, 'the address is "x"'],
    [
      ['dump', USDC, '--rpc', 'localhost'],
      2,
      'flag --rpc is "localhost", but allowed is an http or https URL',
    ],
    [['dump', USDC, '--rpc', 'http://a', '--rpc', 'http://b'], 2, 'flag --rpc was given twice'],
    [['dump', USDC, '-o'], 2, 'flag -o needs a value'],
    [['config', '-o', 'x'], 2, '--output is not a flag of sluice config'],
  ])('refuses %j', async (args, exit, message) => {
    const { code, err } = await sluice(...args);
    expect(err).toContain(message);
    expect(code).toBe(exit);
  });

  it('says when the account is not there, and when the file cannot be written', async () => {
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
});
