import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { bannerValue, FREE_PORTS, type Instance, withSlotsOf } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { openFolder } from '../../src/testing/test-folder.ts';

const folder = openFolder('snapshot-crash');
let instance: Instance;
let admin: string;
beforeAll(setUp);
afterAll(tearDown);

it('an instance that is killed while it imports a snapshot has it whole or not at all, and loses no other', async () => {
  await call('POST', '', { name: 'first' });
  const { content } = await call<{ content: string }>('GET', '/first/content');
  for (const name of NAMES) {
    const put = call('PUT', `/${name}/content`, { content });
    // The connection ends with the process, if it is killed before it answers.
    const imported = name === 'answered' ? put : put.catch(() => {});
    if (name === 'answered') await imported;
    if (name === 'when-the-file-is-there') {
      await vi.waitFor(() => expect(files().some((file) => file.startsWith(name))).toBe(true), WAIT);
    }
    await instance.stop();
    await imported;
    await start();
    expect(files().filter((file) => !file.endsWith('.dat'))).toEqual([]);
    for (const each of await names()) await call('POST', `/${each}/restore`);
    expect(await names()).toEqual(expect.arrayContaining(['first', 'answered']));
  }
});

const NAMES = ['answered', 'at-once', 'when-the-file-is-there'];
const WAIT = { interval: 5 };

async function start(): Promise<void> {
  instance = startOwnInstance({ reason: 'is killed', flags: [...withSlotsOf(200), ...FREE_PORTS], folder });
  admin = bannerValue(await instance.ready(), 'Admin').replace('/docs', '/admin/v1/network/snapshots');
}

async function setUp(): Promise<void> {
  await start();
}

async function tearDown(): Promise<void> {
  await instance?.stop();
}

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const credential = readFileSync(join(folder, '.sluice', 'operator-credential'), 'utf8').trim();
  const response = await fetch(`${admin}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${credential}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} was answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

async function names(): Promise<readonly string[]> {
  const { snapshots } = await call<{ snapshots: readonly { name: string }[] }>('GET', '');
  return snapshots.map(({ name }) => name);
}

const files = () => readdirSync(join(folder, '.sluice', 'network', 'snapshots'));
