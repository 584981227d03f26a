import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MasterKey, type MasterKeys } from '../../../custody/keys/master-key.ts';
import { openCustody } from '../../../custody/open-custody.ts';
import { createAdminServer } from '../../../gateway/admin/server.ts';
import { listen } from '../../../gateway/http/listen.ts';
import { createLogger } from '../../../gateway/http/log/log.ts';
import { createInProcessLimiter } from '../../../gateway/limits/rate-limiter.ts';
import { closeServer } from '../../../gateway/server/server.ts';
import { listAudit } from '../../../platform/audit/audit-log.ts';
import { parseKeypairFile } from '../../../solana/keypair.ts';
import type { Store } from '../../../store/index.ts';
import { nameAddress, WALLET } from '../../../testing/custody/messages-to-sign.ts';
import { OPERATOR_CREDENTIAL } from '../../../testing/gateway/admin-credential.ts';
import { openForEach } from '../../../testing/opened.ts';
import { openTestPlatform } from '../../../testing/platform/test-platform.ts';
import { unwrap } from '../../../testing/platform/unwrap.ts';
import { runForTest } from '../../../testing/run-cli.ts';
import { DEFAULT_BOUNDS } from '../../../testing/server-bounds.ts';
import { openMigratedStore } from '../../../testing/store/test-store.ts';
import { openTestFolder } from '../../../testing/test-folder.ts';
import { createOpenOrder, insertStoredOrder } from '../../../testing/waiting-orders/stored-order.ts';

let port: string;
const platform = openForEach(openTestPlatform, 'cleanUp');
const server = openForEach(() =>
  createAdminServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    readiness: [],
    network: null,
    platform,
    vaults: { platform, masters: ROTATING },
    limiter: createInProcessLimiter(),
    production: false,
    credential: OPERATOR_CREDENTIAL,
  }),
);
beforeEach(setUp);
afterEach(() => closeServer(server));

describe('sluice vault list', () => {
  it('shows each vault once, page by page, with the orders of its wallet', async () => {
    const order = createOpenOrder(1);
    const wallets = [WALLET, nameAddress('another'), order.wallet];
    const vaults = await createVaults(platform.store, ROTATING, wallets);
    await insertStoredOrder(platform.store.db, order);
    const seen: string[] = [];
    let flags: string[] = [];
    for (let page = 0; page < 3; page++) {
      const { out, err } = await sluice('vault', 'list', '--limit=1', ...flags);
      seen.push(...out.trim().split('\n').slice(1));
      flags = (/--cursor \S+/.exec(err)?.[0] ?? '').split(' ').filter((flag) => flag !== '');
      if (flags.length === 2) flags = [flags.join('=')];
    }
    expect(flags).toEqual([]);
    const lines = wallets.map((wallet, index) => [
      wallet,
      vaults[index],
      wallet === order.wallet ? '1' : '0',
    ]);
    expect(seen.map((line) => line.split(/ +/).slice(0, 3)).sort()).toEqual(lines.sort());
  });
});

describe('sluice vault rotate', () => {
  it('puts all keys under the current master key, and the audit log says so', async () => {
    await createVaults(platform.store, { current: FIRST, previous: null }, manyWallets(120));
    const { out } = await sluice('vault', 'rotate');
    expect(out).toBe(
      `100 keys are rotated, 20 are left\nall keys are under the master key ${SECOND.id}; 120 were put under it now\n`,
    );
    expect((await sluice('vault', 'rotate')).out).toContain('; 0 were put under it now');
    const { items } = unwrap(await listAudit(platform, { action: 'vault.keys_rotated' }));
    expect(items.map(({ subject, after }) => [subject, after])).toContainEqual([
      SECOND.id,
      { rotated: 20, left: 0 },
    ]);
  });
});

describe('sluice vault export', () => {
  it('writes the key of a vault into a file that only its owner may read, once, and records it', async () => {
    const { folder, vault } = await openStoppedFolder();
    const file = join(folder, 'key.json');
    const args = ['vault', 'export', WALLET, `--data-dir=${folder}`, `--out=${file}`, '--yes'];
    expect(await runForTest(args)).toMatchObject({ code: 0, err: '' });
    expect(parseKeypairFile(readFileSync(file, 'utf8')).address).toBe(vault);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect((await runForTest(args)).err).toContain('key.json exists already');
    const store = await openMigratedStore({ url: null, folder });
    const { items } = unwrap(await listAudit({ store }, { action: 'vault' }));
    expect(items).toMatchObject([
      { actor: 'operator', action: 'vault.key_exported', subject: WALLET, after: { vault } },
    ]);
    await store.close();
  });

  it('refuses without confirmation, for a wallet without a vault, and with another master key', async () => {
    const { folder } = await openStoppedFolder();
    const run = (...args: string[]) =>
      runForTest(['vault', 'export', ...args, `--data-dir=${folder}`], folder);
    expect(await run(WALLET)).toMatchObject({ code: 2, err: expect.stringContaining('give --yes') });
    expect((await run(nameAddress('nobody'), '--yes')).err).toContain('has no vault');
    expect((await run('nobody', '--yes')).err).toContain('but must be a Solana address');
    const other = `--custody-key=${randomBytes(32).toString('hex')}`;
    expect((await run(WALLET, '--yes', other)).err).toContain('which this instance does not have');
    expect((await run(WALLET, '--yes', '--production')).err).toContain('no setting names it');
  });
});

const KEY = Buffer.alloc(32, 1).toString('hex');
const FIRST = new MasterKey(Buffer.from(KEY, 'hex'));
const SECOND = new MasterKey(Buffer.alloc(32, 2));
const ROTATING: MasterKeys = { current: SECOND, previous: FIRST };

async function setUp(): Promise<void> {
  port = new URL(await listen(server, { host: '127.0.0.1', port: 0, setting: 'admin-port' })).port;
}

function manyWallets(count: number) {
  return Array.from({ length: count }, (_, index) => nameAddress(`wallet ${index}`));
}

async function createVaults(
  store: Store,
  masters: MasterKeys,
  wallets: readonly ReturnType<typeof nameAddress>[],
): Promise<string[]> {
  const every = () => () => undefined;
  const { custody } = await openCustody({ store, masters, now: () => 1, every, onDefect: () => undefined });
  const made = await Promise.all(wallets.map((wallet) => custody.createVault(wallet)));
  return made.map(({ vault }) => vault);
}

/** A data folder with one vault, which no instance uses. */
async function openStoppedFolder() {
  const folder = openTestFolder('vault');
  writeFileSync(join(folder, 'custody-key'), KEY, { mode: 0o600 });
  const store = await openMigratedStore({ url: null, folder });
  const [vault] = await createVaults(store, { current: FIRST, previous: null }, [WALLET]);
  await store.close();
  return { folder, vault };
}

async function sluice(...args: string[]) {
  const flags = [`--admin-port=${port}`, `--admin-credential=${OPERATOR_CREDENTIAL}`];
  const answer = await runForTest([...args, ...flags]);
  expect(answer.code, answer.err).toBe(0);
  return answer;
}
