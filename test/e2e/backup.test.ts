import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { LOG_MIGRATIONS, LOG_VERSION } from '../../src/app/tables.ts';
import { openLog } from '../../src/platform/traffic/open.ts';
import { bannerValue, FREE_PORTS, Instance, withSlotsOf } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { runCommand } from './run-command.ts';
import { openFolder } from '../../src/testing/test-folder.ts';

const folder = openFolder('backup');
let instance: Instance;
let banner: string;
beforeAll(setUp);
afterAll(tearDown);

it('is made of a running instance, survives kills on the way, and gives everything back', async () => {
  const key = await sluice('key', 'create', 'demo/demo', 'kept', ...flags());
  const give = ['faucet', WALLET, 'USDC', '12.5', `--rpc-port=${portOf('Solana RPC')}`, ...flags()];
  await sluice(...give);
  const [whole, partial] = [join(folder, 'killed.tgz'), join(folder, 'killed.tgz.partial')];
  // Where it is not this process's turn for a while, a backup may be done before it is seen.
  const isKilled = () => killed(['backup', 'killed.tgz', ...flags()], () => existsSync(partial));
  while (!(await isKilled()) || existsSync(whole)) rmSync(whole, { force: true });
  expect(existsSync(partial)).toBe(true);
  await expect
    .poll(async () => {
      const { code } = await runCommand(['backup', 'all.tgz', ...flags()], folder);
      return code;
    })
    .toBe(0);
  // What comes after it is not in it.
  const later = await sluice('key', 'create', 'demo/demo', 'later', ...flags());
  instance.kill('SIGKILL');
  await instance.ended();
  const refused = await new Instance(['restore', 'all.tgz', '--data-dir=one'], folder).ended();
  expect(refused).toMatchObject({ code: 1, error: expect.stringContaining('is not empty') });

  await killed(['restore', 'all.tgz', '--data-dir=two'], () => existsSync(join(folder, 'two', '.unpacking')));
  const half = readdirSync(join(folder, 'two')).filter(
    (name) => /^[a-z]/.test(name) && name !== 'instance.lock',
  );
  // Either nothing of it is there, and it can be done again, or it was quicker than the kill and all is.
  if (half.length > 0) expect(half).toContain('sluice.db');
  else await sluice('restore', 'all.tgz', '--data-dir=two');
  for (const name of ['key-secret', 'operator-credential', 'demo-wallet.json']) {
    const contents = (dataDir: string) => readFileSync(join(folder, dataDir, name), 'utf8');
    expect(contents('two'), name).toBe(contents('one'));
  }
  await start('two');
  expect(await statusOf(key)).toBe(200);
  expect(await statusOf(later)).toBe(401);
  expect(await usdc()).toBe('12.5');
  await instance.stop();

  // A stopped instance needs no other to be asked.
  await sluice('backup', 'stopped.tgz', '--data-dir=two');
  expect(await sluice('restore', 'stopped.tgz', '--data-dir=two', '--replace=yes')).toMatch(
    /^the previous contents are in .*two\/\.replaced-\d+$/m,
  );
  await start('two');
  expect(await statusOf(key)).toBe(200);
  expect(await usdc()).toBe('12.5');
});

it('is refused when its request log is newer than the program, and neither that nor anything else is begun', async () => {
  mkdirSync(join(folder, 'newer'));
  const log = await openLog({ url: null, folder: join(folder, 'newer') }, LOG_MIGRATIONS, 1);
  await log.write([
    { text: 'insert into log_versions (version, at) values ($1, 1)', parameters: [LOG_VERSION + 1] },
  ]);
  await log.close();
  const flags = ['--data-dir=newer', ...FREE_PORTS];
  const ended = await startOwnInstance({ reason: 'does not start', flags, folder }).ended();
  expect(ended).toMatchObject({
    code: 1,
    error: expect.stringContaining(`the request log has schema version ${LOG_VERSION + 1}`),
  });
  for (const name of ['network', 'key-secret', 'operator-credential']) {
    expect(existsSync(join(folder, 'newer', name)), name).toBe(false);
  }
});

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WALLET = '2MFoS3MPtvyQ4Wh4M9pdfPjz6UhVoNbFbGJAskCPCj3h';

async function setUp(): Promise<void> {
  await start('one');
}

async function tearDown(): Promise<void> {
  await instance?.stop();
}

async function start(dataDir: string): Promise<void> {
  instance = startOwnInstance({
    reason: 'is killed, and its folder replaced',
    flags: [`--data-dir=${dataDir}`, ...withSlotsOf(50), ...FREE_PORTS],
    folder,
  });
  banner = await instance.ready();
}

const portOf = (name: string) => new URL(bannerValue(banner, name)).port;
const flags = () => [`--admin-port=${portOf('Admin')}`, '--data-dir=one'];

async function sluice(...args: string[]): Promise<string> {
  const { code, out, error } = await runCommand(args, folder);
  expect(code, error).toBe(0);
  return out.trim();
}

async function statusOf(key: string): Promise<number> {
  const response = await fetch(`${bannerValue(banner, 'REST')}/healthz`, { headers: { 'x-api-key': key } });
  return response.status;
}

async function usdc(): Promise<string> {
  const response = await fetch(bannerValue(banner, 'Solana RPC'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getTokenAccountsByOwner',
      params: [WALLET, { mint: USDC }, { encoding: 'jsonParsed', commitment: 'processed' }],
    }),
  });
  return /"uiAmountString":"([^"]+)"/.exec(await response.text())?.[1] ?? 'none';
}

/**
 * Kills the command as soon as `begun`.
 * Whether the command was killed before it ended by itself.
 */
async function killed(args: readonly string[], begun: () => boolean): Promise<boolean> {
  const command = new Instance(args, folder);
  let isOver = false;
  const ended = command.ended().finally(() => {
    isOver = true;
  });
  await expect.poll(() => isOver || begun(), { interval: 1 }).toBe(true);
  command.kill('SIGKILL');
  return (await ended).signal === 'SIGKILL';
}
