import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { parseKeypairFile } from '../../src/solana/keypair.ts';
import { openFolder } from '../../src/testing/test-folder.ts';
import { bannerValue, FREE_PORTS, type Instance, withSlotsOf } from './instance.ts';
import { DbcMigrationProgress, TokenLauncher } from './launched-token.ts';
import { startOwnInstance } from './own-instance.ts';

const folder = openFolder('launches');
let instance: Instance;
let launcher: TokenLauncher;
beforeAll(start);
afterAll(() => instance?.stop());

it('goes on with a migration after the instance was killed in it', async () => {
  const keys = await launcher.launch(VESTING);
  await launcher.buy(keys);
  await launcher.waitForProgress(keys, DbcMigrationProgress.LOCKED_VESTING);
  instance.kill('SIGKILL');
  await instance.ended();
  await start();
  await launcher.waitForProgress(keys, DbcMigrationProgress.CREATED_POOL);
});

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

async function start(): Promise<void> {
  instance = startOwnInstance({ reason: 'is killed', flags, folder });
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
