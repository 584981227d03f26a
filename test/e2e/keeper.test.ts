import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createKeypairFromSeed, encodeKeypairFile, type Keypair } from '../../src/solana/keypair.ts';
import { createTestDatabase } from '../../src/testing/store/test-store.ts';
import { bannerValue, FREE_PORTS, Instance } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { runCommand } from './run-command.ts';
import { TriggerClient } from './trigger-client.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-keeper-'));
const instances: Instance[] = [];
afterAll(tearDown);

it('sluice keeper says what it has to share with the instances', async () => {
  const { code, error } = await runCommand(['keeper'], folder);
  expect(code).toBe(2);
  for (const setting of ['database-url', 'rpc-url', 'key-secret', 'custody-key-file', 'gas-keypair']) {
    expect(error).toContain(`sluice keeper needs ${setting}`);
  }
});

describe.skipIf(process.env.SLUICE_TEST_DATABASE_URL === undefined)('keepers beside an instance', () => {
  let rest: string;
  let rpc: string;
  beforeAll(setUp);

  it('fill what the instance serves, also when one of them is killed', async () => {
    const client = await TriggerClient.signIn(rest, await newWallet());
    const fields = { outputMint: SOL, triggerMint: SOL, triggerCondition: 'below' } as const;
    const ids: string[] = [];
    // Their price is reached at once, and an instance without a keeper leaves them.
    for (let index = 0; index < 3; index++) {
      ids.push(await client.order({ ...fields, triggerPriceUsd: 100_000 + index }));
    }
    for (const id of ids) {
      expect(await client.get(`orders/history/${id}`)).toMatchObject({ orderState: 'open' });
    }
    const [one, other] = [await startKeeper('one'), await startKeeper('other')];
    await vi.waitFor(async () => expect(await orderStates(client, ids)).toContain('filled'));
    one.kill('SIGKILL');
    for (const id of ids) await client.filled(id);
    const events = await Promise.all(
      ids.map(async (id) => (await client.get(`orders/history/${id}`)).events),
    );
    expect(events.map((of) => of.filter(isSuccessfulFill).length)).toEqual([1, 1, 1]);
    other.kill('SIGTERM');
    expect(await other.ended()).toMatchObject({ code: 0 });
  });

  async function setUp(): Promise<void> {
    const database = await createTestDatabase();
    drops.push(database.drop);
    const gas = createKeypairFromSeed(randomBytes(32));
    writeFileSync(join(folder, 'gas.json'), encodeKeypairFile(gas));
    writeFileSync(join(folder, 'custody-key'), randomBytes(32).toString('hex'));
    Object.assign(environment, {
      SLUICE_DATABASE_URL: database.url,
      SLUICE_KEY_SECRET: randomBytes(32).toString('hex'),
      SLUICE_CUSTODY_KEY_FILE: join(folder, 'custody-key'),
    });
    const instance = startOwnInstance({
      reason: 'leaves its orders to keepers',
      flags: [...FREE_PORTS, '--no-keeper', '--keyless-local-limit=100000'],
      folder,
      environment,
    });
    instances.push(instance);
    const banner = await instance.ready();
    [rest, rpc] = [bannerValue(banner, 'REST'), bannerValue(banner, 'Solana RPC')];
    await give(gas.address, 'SOL', 10);
  }

  async function startKeeper(name: string): Promise<Instance> {
    const keeper = new Instance(
      [
        'keeper',
        `--data-dir=${join(folder, name)}`,
        `--rpc-url=${rpc}`,
        `--gas-keypair=${join(folder, 'gas.json')}`,
        '--metrics-address=127.0.0.1:0',
      ],
      folder,
      environment,
    );
    instances.push(keeper);
    const banner = await keeper.ready();
    const ready = await fetch(bannerValue(banner, 'Health'));
    expect(await ready.json()).toMatchObject({ ready: true, parts: { keeper: 'ok', database: 'ok' } });
    return keeper;
  }
});

const SOL = 'So11111111111111111111111111111111111111112';
const environment: NodeJS.ProcessEnv = {};
const drops: (() => Promise<void>)[] = [];

interface FillEvent {
  readonly type: string;
  readonly state: string;
}

const isSuccessfulFill = ({ type, state }: FillEvent) => type === 'fill' && state === 'success';

function orderStates(client: TriggerClient, ids: readonly string[]): Promise<readonly string[]> {
  return Promise.all(ids.map(async (id) => (await client.get(`orders/history/${id}`)).orderState));
}

async function newWallet(): Promise<Keypair> {
  const wallet = createKeypairFromSeed(randomBytes(32));
  await give(wallet.address, 'SOL', 1);
  await give(wallet.address, 'USDC', 200);
  return wallet;
}

async function give(wallet: string, what: string, amount: number): Promise<void> {
  const { code, error } = await runCommand(['faucet', wallet, what, String(amount)], folder);
  expect(code, error).toBe(0);
}

async function tearDown(): Promise<void> {
  await Promise.all(instances.map((instance) => instance.stop()));
  for (const drop of drops) await drop();
  rmSync(folder, { recursive: true, force: true });
}
