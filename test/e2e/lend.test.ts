import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bannerValue, environmentForInstances, FREE_PORTS, type Instance, withSlotsOf } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { runCommand } from './run-command.ts';
import { openFolder } from '../../src/testing/test-folder.ts';

const folder = openFolder('lend');
let instance: Instance;
let banner: string;
beforeAll(setUp);
afterAll(tearDown);

describe('a first loan', () => {
  it('is taken, paid back and closed by the example, which prints real balances at every step', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', 'tsx', example], {
      env: {
        ...environmentForInstances(),
        SLUICE_URL: value('REST'),
        SOLANA_RPC_URL: value('Solana RPC'),
        SOLANA_WS_URL: value('Solana WebSocket'),
        SLUICE_WALLET: value('its key'),
      },
    });
    const lines = stdout.trim().split('\n');
    expect(lines).toHaveLength(5);
    const balances = lines.map(
      (line) => /([\d.]+) wrapped SOL, ([\d.]+) USDC$/.exec(line)?.slice(1).map(Number) ?? [],
    );
    const [before = [], deposited = [], borrowed = [], repaid = [], after = []] = balances;
    expect((before[0] ?? 0) - (deposited[0] ?? 0)).toBeCloseTo(5, 5);
    expect((borrowed[1] ?? 0) - (deposited[1] ?? 0)).toBeCloseTo(200, 5);
    expect((borrowed[1] ?? 0) - (repaid[1] ?? 0)).toBeCloseTo(200, 4);
    expect((after[0] ?? 0) - (repaid[0] ?? 0)).toBeCloseTo(5, 5);
  });
});

describe('sluice start --liquidator', () => {
  it('liquidates at a profit once a price has fallen', async () => {
    const wallet = JSON.parse(
      readFileSync(join(folder, '.sluice/liquidator-wallet.json'), 'utf8'),
    ) as number[];
    const { getBase58Decoder } = await import('@solana/kit');
    const address = getBase58Decoder().decode(Uint8Array.from(wallet.slice(32)));
    expect(await usdcOf(address)).toBe(0n);
    const before = await vaultState();
    const command = ['price', 'set', 'SOL', '192', `--admin-port=${new URL(value('Admin')).port}`];
    expect(await runCommand(command, folder)).toMatchObject({ code: 0 });
    const log = join(folder, '.sluice/liquidator.log');
    await vi.waitFor(
      () =>
        expect(existsSync(log) ? readFileSync(log, 'utf8') : '').toMatch(
          /vault 1: paid back .* with a profit/,
        ),
      { interval: 200 },
    );
    expect(await usdcOf(address)).toBeGreaterThan(0n);
    const after = await vaultState();
    expect(after.totalBorrow).toBeLessThan(before.totalBorrow);
    expect(after.topTick).toBeLessThan(before.topTick);
  });
});

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const example = fileURLToPath(new URL('../../examples/borrow.ts', import.meta.url));
/** The vault that lends USDC against SOL, in which a demo wallet is near liquidation. */
const VAULT = 1;

const value = (name: string) => bannerValue(banner, name);

async function setUp(): Promise<void> {
  const flags = [...withSlotsOf(50), '--liquidator', ...FREE_PORTS];
  instance = startOwnInstance({ reason: 'runs the liquidator', flags, folder });
  banner = await instance.ready();
}

async function tearDown(): Promise<void> {
  await instance?.stop();
}

async function usdcOf(wallet: string): Promise<bigint> {
  const response = await fetch(value('Solana RPC'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getTokenAccountsByOwner',
      params: [wallet, { mint: USDC }, { encoding: 'jsonParsed', commitment: 'processed' }],
    }),
  });
  const { result } = JSON.parse(await response.text()) as {
    result: { value: { account: { data: { parsed: { info: { tokenAmount: { amount: string } } } } } }[] };
  };
  return result.value.reduce(
    (sum, { account }) => sum + BigInt(account.data.parsed.info.tokenAmount.amount),
    0n,
  );
}

async function vaultState(): Promise<{ readonly totalBorrow: bigint; readonly topTick: number }> {
  const response = await fetch(`${value('REST')}/lend/v1/borrow/vaults`, {
    headers: { 'x-api-key': value('API key') },
  });
  const vaults = JSON.parse(await response.text()) as { id: number; totalBorrow: string; topTick: number }[];
  const vault = vaults.find(({ id }) => id === VAULT);
  if (vault === undefined) throw new Error(`no vault ${VAULT}`);
  return { totalBorrow: BigInt(vault.totalBorrow), topTick: vault.topTick };
}
