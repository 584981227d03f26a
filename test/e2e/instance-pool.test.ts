import { existsSync } from 'node:fs';
import { afterAll, expect, it, vi } from 'vitest';
import { bannerValue } from './instance.ts';
import { InstancePool, type PooledInstance } from './instance-pool.ts';
import { runCommand } from './run-command.ts';

afterAll(() => pool.close());

it('lends an instance again with its network at the beginning, unless a change would stay, and removes one that ended', async () => {
  const { lent: first, resetSlot } = await pool.take();
  expect(resetSlot).toBe(0);
  const before = await lamportsOf(first, STRANGER);
  await sluice(first, 'faucet', STRANGER, 'SOL', '3');
  await sluice(first, 'snapshot', 'save', 'of-the-first');
  expect(await lamportsOf(first, STRANGER)).toBe(before + 3_000_000_000);
  await pool.giveBack(first);

  const again = await pool.take();
  expect(again.lent.instance.pid).toBe(first.instance.pid);
  expect(again.resetSlot).toBeGreaterThan(0);
  expect(await lamportsOf(again.lent, STRANGER)).toBe(before);
  expect((await runCommand(['snapshot', 'list'], again.lent.folder)).out).not.toContain('of-the-first');
  await sluice(again.lent, 'key', 'create', 'demo/demo', 'of-the-second');
  await pool.giveBack(again.lent);

  const { lent: other } = await pool.take();
  expect(other.instance.pid).not.toBe(first.instance.pid);
  expect(first.instance.isRunning).toBe(false);
  other.instance.kill('SIGKILL');
  await vi.waitFor(() => expect(other.instance.isRunning).toBe(false));
  await pool.giveBack(other);
  expect(existsSync(other.folder)).toBe(false);
});

it('stops an instance that was being started when the pool was closed', async () => {
  const closing = new InstancePool();
  const taking = closing.take();
  await closing.close();
  const { lent } = await taking;
  expect(lent.instance.isRunning).toBe(false);
  expect(existsSync(lent.folder)).toBe(false);
});

const STRANGER = '2MFoS3MPtvyQ4Wh4M9pdfPjz6UhVoNbFbGJAskCPCj3h';
const pool = new InstancePool();

async function lamportsOf({ banner }: PooledInstance, wallet: string): Promise<number> {
  const request = {
    jsonrpc: '2.0',
    id: 1,
    method: 'getBalance',
    params: [wallet, { commitment: 'processed' }],
  };
  const response = await fetch(bannerValue(banner, 'Solana RPC'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  return ((await response.json()) as { readonly result: { readonly value: number } }).result.value;
}

async function sluice({ folder }: PooledInstance, ...args: string[]): Promise<void> {
  const { code, error } = await runCommand(args, folder);
  expect(code, error).toBe(0);
}
