import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { parseKeypairFile } from '../../src/solana/keypair.ts';
import { openFolder } from '../../src/testing/test-folder.ts';
import { bannerValue, FREE_PORTS, type Instance, withSlotsOf } from './instance.ts';
import { DbcMigrationProgress, TokenLauncher } from './launched-token.ts';
import { startOwnInstance } from './own-instance.ts';

const folder = openFolder('launches');
let instance: Instance;
let launcher: TokenLauncher;
beforeAll(() => start(`--graduation-lamports-per-day=${FIRST_STEP_LAMPORTS}`));
afterAll(() => instance?.stop());

it('goes on with a migration after the instance was killed in it', async () => {
  const keys = await launcher.launch(VESTING);
  await launcher.buy(keys);
  const readConfirmed = () => launcher.readProgress(keys, 'confirmed');
  await vi.waitFor(async () => expect(await readConfirmed()).toBe(DbcMigrationProgress.LOCKED_VESTING));
  instance.kill('SIGKILL');
  await instance.ended();
  await start();
  await launcher.waitForProgress(keys, DbcMigrationProgress.CREATED_POOL);
});

/** Enough for the first step of a migration, so that the instance cannot take the second one before it is killed. */
const FIRST_STEP_LAMPORTS = 20_000_000;
const flags = [...withSlotsOf(50), ...FREE_PORTS];
const VESTING = {
  lockedVesting: {
    amountPerPeriod: 1_000_000_000n,
    cliffDurationFromMigrationTime: 60n,
    frequency: 60n,
    numberOfPeriod: 12n,
    cliffUnlockAmount: 500_000_000n,
  },
};

async function start(...more: string[]): Promise<void> {
  instance = startOwnInstance({ reason: 'is killed', flags: [...flags, ...more], folder });
  const rpcUrl = bannerValue(await instance.ready(), 'Solana RPC');
  const demo = parseKeypairFile(readFileSync(join(folder, '.sluice', 'demo-wallet.json'), 'utf8'));
  launcher = new TokenLauncher(demo, async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(rpcUrl, { method: 'POST', headers, body });
    const { result, error } = (await response.json()) as {
      readonly result?: unknown;
      readonly error?: unknown;
    };
    expect(error).toBeUndefined();
    return result;
  });
}
