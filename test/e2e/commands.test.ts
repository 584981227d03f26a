import { execFile } from 'node:child_process';
import { appendFileSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { LIQUIDITY_PROGRAM } from '../../src/protocols/jupiter-lend/lending-base/programs.ts';
import { bannerValue, FREE_PORTS, Instance } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { runCommand } from './run-command.ts';
import { useInstance } from './shared-instance.ts';
import { openFolder } from '../../src/testing/test-folder.ts';

const shared = useInstance();
/** The working directory of commands, with the data folder of the instance where they look for it. */
const folder = openFolder('commands');
beforeAll(() => symlinkSync(join(shared.folder, '.sluice'), join(folder, '.sluice')));

describe('the first swap', () => {
  it('is made by the example, and the tokens that it names arrive', async () => {
    const wallet = value('Demo wallet');
    const before = await usdcOf(wallet);
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', example], {
      env: {
        PATH: process.env.PATH,
        SLUICE_URL: value('REST'),
        SOLANA_RPC_URL: value('Solana RPC'),
        SOLANA_WS_URL: value('Solana WebSocket'),
        SLUICE_WALLET: value('its key'),
      },
    });
    const [, received = '', signature] = /^0\.1 SOL became ([\d.]+) USDC in (\w{80,90})$/m.exec(stdout) ?? [];
    expect(await usdcOf(wallet)).toBe(before + BigInt(Math.round(Number(received) * 1e6)));
    const { value: statuses } = await callRpc<{ value: unknown[] }>('getSignatureStatuses', [signature]);
    expect(statuses).toMatchObject([{ err: null }]);
  });
});

describe('sluice faucet', () => {
  it('gives tokens and SOL to a wallet of the running network', async () => {
    // As a user runs it, in a process of its own.
    const ports = [`--admin-port=${port('Admin')}`, `--rpc-port=${port('Solana RPC')}`];
    const tokens = await new Instance(['faucet', stranger, 'USDC', '250.5', ...ports], folder).ended();
    expect(tokens).toMatchObject({ code: 0, error: '', out: expect.stringContaining('gave 250.5 USDC') });
    expect(await usdcOf(stranger)).toBe(250_500_000n);
    const before = await callRpc<{ value: number }>('getBalance', stranger, { commitment: 'processed' });
    const sol = await sluice('faucet', stranger, 'SOL', '2');
    expect(sol).toMatchObject({ code: 0, error: '' });
    const after = await callRpc<{ value: number }>('getBalance', stranger, { commitment: 'processed' });
    expect(after.value - before.value).toBe(2_000_000_000);
  });

  it('finds the instance of the data folder, and refuses another one', async () => {
    const found = await runCommand(['faucet', stranger, 'SOL', '1'], folder);
    expect(found).toMatchObject({ code: 0, error: '' });
    const other = await runCommand(['faucet', stranger, 'SOL', '1', '--rpc-port=1'], folder);
    expect(other).toMatchObject({
      code: 1,
      error: expect.stringContaining('rpc-port from flag --rpc-port is 1'),
    });
    const unknown = ['--data-dir=nowhere', `--admin-port=${port('Admin')}`];
    const stranded = await runCommand(['faucet', stranger, 'SOL', '1', ...unknown], folder);
    expect(stranded).toMatchObject({ code: 1, error: expect.stringContaining('needs a credential') });
  });

  it('says when no instance answers', async () => {
    const { code, error } = await new Instance(
      ['faucet', stranger, 'SOL', '1', '--admin-port=1'],
      folder,
    ).ended();
    expect(code).toBe(1);
    expect(error).toContain('127.0.0.1:1');
  });

  const stranger = '2MFoS3MPtvyQ4Wh4M9pdfPjz6UhVoNbFbGJAskCPCj3h';
});

describe('the controls of the network', () => {
  it('fail the next transaction of a wallet, move the clock, and restore a snapshot', async () => {
    expect(await run('snapshot', 'save', 'before')).toMatchObject({ code: 0, error: '' });
    const wallet = value('Demo wallet');
    const next = await run('fault', 'next', 'fail', `--wallet=${wallet}`, '--code=77');
    expect(next.out).toMatch(new RegExp(`^next 1 +fail +${wallet} +any program$`, 'm'));
    const made = await promisify(execFile)(process.execPath, ['--import', 'tsx', example], {
      env: {
        PATH: process.env.PATH,
        SLUICE_URL: value('REST'),
        SOLANA_RPC_URL: value('Solana RPC'),
        SOLANA_WS_URL: value('Solana WebSocket'),
        SLUICE_WALLET: value('its key'),
      },
    }).then(
      () => 'made',
      () => 'failed',
    );
    expect(made).toBe('failed');
    expect((await run('fault', 'list')).out).toMatch(/^struck in \d+ +fail +\w{80,90}$/m);
    const order = `${value('REST')}/swap/v2/order`;
    const refused = await run('fault', 'request', '/swap/v2/order', '--status=503', '--count=2');
    expect(refused.out).toMatch(/^next 2 +503 +0 ms +\/swap\/v2\/order$/m);
    expect((await fetch(order)).status).toBe(503);
    expect((await run('fault', 'list')).out).toMatch(/^20\S+Z +503 +0 ms +\/swap\/v2\/order$/m);
    const calls = await run('fault', 'rpc', 'getHealth', '--code=-32005');
    expect(calls.out).toMatch(/^next 1 +error -32005 +0 ms +getHealth$/m);
    const getHealth = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' });
    const headers = { 'content-type': 'application/json' };
    const health = await fetch(value('Solana RPC'), { method: 'POST', headers, body: getHealth });
    expect(await health.json()).toMatchObject({ error: { code: -32005 } });
    expect((await run('fault', 'list')).out).toMatch(/^20\S+Z +error -32005 +0 ms +getHealth$/m);
    expect((await run('fault', 'clear')).out).toBe('no faults\n');
    expect((await fetch(order)).status).toBe(400);
    const moved = await run('clock', 'advance', '--by-seconds=3600');
    expect(moved.out).toMatch(/^slot \d+, 20.*Z\nnote: the network's clock is 3\d{3} s from /);
    expect((await run('snapshot', 'restore', 'before')).out).toMatch(/^before +\d+$/m);
    expect((await run('clock', 'show')).out).toMatch(/^slot \d+, 20/);
    const exported = await run('snapshot', 'export', 'before', 'state.gz');
    expect(exported.out).toMatch(/state\.gz \(\d+ bytes\)\n$/);
    expect((await run('snapshot', 'export', 'before', 'state.gz')).error).toContain('exists already');
    expect((await run('snapshot', 'import', 'again', 'state.gz')).out).toMatch(/^again +\d+$/m);
    writeFileSync(join(folder, 'other.gz'), 'no snapshot');
    const foreign = await run('snapshot', 'import', 'foreign', 'other.gz');
    expect(foreign).toMatchObject({ code: 1, error: expect.stringContaining('not whole gzip data') });
    expect((await run('snapshot', 'list')).out).not.toContain('foreign');
    expect(await run('clock', 'advance')).toMatchObject({ code: 2 });
    expect(await run('fault', 'next', 'explode')).toMatchObject({ code: 2 });
  });

  const run = (...args: string[]) => runCommand(args, folder);
});

describe('sluice dump', () => {
  it('writes an account that another instance loads, and programs that another instance runs, warning of what may fail', async () => {
    const wallet = value('Demo wallet');
    const account = await sluice('dump', wallet, '-o', 'wallet.json');
    expect(account.error).toBe('');
    const dumped = JSON.parse(readFileSync(join(folder, 'wallet.json'), 'utf8'));
    expect(dumped).toMatchObject({ pubkey: wallet, account: { executable: false } });
    const program = await sluice('dump', AGGREGATOR, '-o', 'aggregator.so');
    expect(program.error).toBe('');
    const elf = readFileSync(join(folder, 'aggregator.so'));
    expect(elf.subarray(0, 4).toString('latin1')).toBe('\x7fELF');
    dumped.account.lamports = 123_456_789;
    writeFileSync(join(folder, 'wallet.json'), JSON.stringify(dumped));

    // Another build of the liquidity program, as far as anybody can tell from its bytes.
    expect((await sluice('dump', LIQUIDITY_PROGRAM, '-o', 'liquidity.so')).error).toBe('');
    appendFileSync(join(folder, 'liquidity.so'), Buffer.alloc(1));
    const programs = [`${AGGREGATOR}=aggregator.so`, `${LIQUIDITY_PROGRAM}=liquidity.so`];
    const loads = ['--account=wallet.json', ...programs.map((each) => `--program=${each}`)];
    const flags = ['--ephemeral', ...FREE_PORTS, ...loads];
    const other = startOwnInstance({ reason: 'loads an account and a program', flags, folder });
    try {
      const rpc = bannerValue(await other.ready(), 'Solana RPC');
      const response = await fetch(rpc, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getBalance', params: [wallet] }),
      });
      expect(JSON.parse(await response.text()).result.value).toBe(123_456_789);
    } finally {
      await other.stop();
    }
    const { out, error } = await other.ended();
    const warnings = `${out}${error}`
      .split('\n')
      .filter((line) => line.includes('stand-ins of this installation'));
    expect(warnings).toEqual([
      expect.stringContaining(
        'is called by stand-ins of this installation (lending, vaults and flashloan), so that some calls may be refused: deposit, mint, withdraw and redeem of earn;',
      ),
    ]);
  });

  it('refuses a file that is not a program', async () => {
    writeFileSync(join(folder, 'none.so'), 'not a program');
    const flags = ['--ephemeral', ...FREE_PORTS, `--program=${AGGREGATOR}=none.so`];
    const { code, error } = await startOwnInstance({ reason: 'does not start', flags, folder }).ended();
    expect(code).toBe(1);
    expect(error).toMatch(/none\.so/);
  });
});

describe('the admin interface', () => {
  it('moves the clock', async () => {
    const before = await callRpc<number>(
      'getBlockTime',
      await callRpc('getSlot', { commitment: 'confirmed' }),
    );
    const { status, body } = await admin('POST', 'clock', { seconds: 86_400, slots: 10 });
    expect(status).toBe(200);
    expect(Number(body.unixTimestamp)).toBeGreaterThanOrEqual(before + 86_400);
  });

  it('goes back to a state by its name', async () => {
    const wallet = 'BQ72nSv9f3PRyRKCBnHLVrerrv37CYTHm5h3s9VSGQDV';
    const faucet = () => admin('POST', 'faucet', { wallet, mint: USDC, amount: '7' });
    expect((await faucet()).status).toBe(200);
    expect((await admin('POST', 'snapshots', { name: 'seven' })).status).toBe(200);
    await faucet();
    expect(await usdcOf(wallet)).toBe(14n);
    expect((await admin('POST', 'snapshots/seven/restore')).status).toBe(200);
    expect(await usdcOf(wallet)).toBe(7n);
    expect((await admin('POST', 'snapshots/eight/restore')).status).toBe(400);
  });

  it('switches faults on and off', async () => {
    expect((await admin('PUT', 'faults', { congestion: '5000' })).body).toMatchObject({
      congestion: '5000',
      drop: 0,
    });
    const fees = await callRpc<{ prioritizationFee: number }[]>('getRecentPrioritizationFees', []);
    expect(fees.at(-1)?.prioritizationFee).toBe(5_000);
    expect((await admin('PUT', 'faults', {})).body).toMatchObject({ congestion: '0' });
  });

  it('is refused in production', async () => {
    const flags = ['--data-dir=production', '--production', ...FREE_PORTS];
    const production = startOwnInstance({ reason: 'runs in production', flags, folder });
    try {
      const url = bannerValue(await production.ready(), 'Admin').replace('/docs', '');
      const response = await fetch(`${url}/admin/v1/network/clock`, {
        method: 'POST',
        headers: asOperator('production'),
      });
      expect(response.status).toBe(403);
      expect(await response.text()).toContain('production=true');
    } finally {
      await production.stop();
    }
  });
});

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const AGGREGATOR = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
const example = fileURLToPath(new URL('../../examples/swap.ts', import.meta.url));

const value = (name: string) => shared.shown(name);
const port = (name: string) => new URL(value(name)).port;

const callRpc = <Result>(method: string, ...params: unknown[]): Promise<Result> =>
  shared.rpc(method, ...params);

async function usdcOf(wallet: string): Promise<bigint> {
  const { value: accounts } = await callRpc<{
    value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[];
  }>('getTokenAccountsByOwner', wallet, { mint: USDC }, { encoding: 'jsonParsed', commitment: 'processed' });
  return accounts.reduce((sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount), 0n);
}

function sluice(...args: string[]) {
  return runCommand([...args, `--rpc-port=${port('Solana RPC')}`], folder);
}

/** The header with what the data folder holds. */
function asOperator(dataDir: string) {
  const credential = readFileSync(join(folder, dataDir, 'operator-credential'), 'utf8').trim();
  return { authorization: `Bearer ${credential}` };
}

async function admin(
  method: string,
  path: string,
  body?: object,
): Promise<{ status: number; body: Record<string, unknown> }> {
  const response = await fetch(`${value('Admin').replace('/docs', '')}/admin/v1/network/${path}`, {
    method,
    headers: {
      ...asOperator('.sluice'),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}
