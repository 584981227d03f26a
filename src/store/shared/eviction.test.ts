import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OperatorError } from '../../common/operator-error.ts';
import { VALKEY_PROGRAM } from '../../testing/store/sentinel-servers.ts';
import { openShared } from './index.ts';
import { createSharedExecutionStore } from './execution-store.ts';
import { createSharedLogs } from './sliding-log.ts';
import { createScript, ValkeyLost } from './valkey.ts';

describe.runIf(VALKEY_PROGRAM !== null)('a Valkey whose memory is full', () => {
  let folder: string;
  let server: ChildProcess | null;
  let problems: string[];
  beforeEach(setUp);
  afterEach(tearDown);

  it('is refused in production when it would evict keys, with the remedy', async () => {
    const refused = await open('allkeys-lru', true).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(OperatorError);
    expect(String(refused)).toMatch(/maxmemory-policy allkeys-lru.*set it to noeviction/);
  });

  it('only causes a warning elsewhere, and loses an order and counted requests', async () => {
    // It evicts what expires next, which is what it is to lose, and not any of the keys of one second.
    const valkey = await open('volatile-ttl', false);
    expect(problems).toEqual([expect.stringContaining('volatile-ttl')]);
    const runs = createSharedExecutionStore(valkey, RUNS);
    await runs.put('order', 'task');
    const logs = createSharedLogs(valkey);
    await logs.hit('organisation', 10, 60_000);
    for (let key = 0; key < 100; key++) await valkey.run(FILL, `filling ${key}`);
    expect([await runs.get('order'), await logs.count('organisation', 60_000)]).toEqual([null, 0]);
    valkey.close();
  });

  it('keeps its keys and reports that it is full when it evicts none', async () => {
    const valkey = await open('noeviction', true);
    expect(problems).toEqual([]);
    const runs = createSharedExecutionStore(valkey, RUNS);
    await runs.put('order', 'task');
    const fill = async () => {
      for (let key = 0; key < 100; key++) await valkey.run(FILL, `filling ${key}`);
    };
    await expect(fill()).rejects.toThrow(ValkeyLost);
    expect(await runs.get('order')).toBe('task');
    await expect(runs.put('another', 'task')).rejects.toThrow('orders cannot be kept now');
    expect(await valkey.unhealthy()).toContain('maxmemory');
    valkey.close();
  });

  function setUp(): void {
    folder = mkdtempSync(join(tmpdir(), 'sluice-valkey-'));
    server = null;
    problems = [];
  }

  async function tearDown(): Promise<void> {
    if (server !== null) {
      server.kill('SIGKILL');
      await once(server, 'close');
    }
    rmSync(folder, { recursive: true, force: true });
  }

  /** Starts a server with little memory, on a socket in the folder. */
  async function open(policy: string, production: boolean) {
    const path = join(folder, 'socket');
    const memory = ['--maxmemory', '3mb', '--maxmemory-policy', policy, '--maxmemory-samples', '64'];
    const place = ['--port', '0', '--unixsocket', path, '--dir', folder, '--save', ''];
    server = spawn(VALKEY_PROGRAM ?? '', [...place, ...memory]);
    let log = '';
    server.stdout?.on('data', (data) => {
      log += data;
    });
    await expect.poll(() => log).toMatch(/ready to accept connections/i);
    const valkey = await openShared({
      url: path,
      sentinels: [],
      secret: 's',
      random: () => 0,
      production,
      onChange: () => undefined,
      onUnsafe: (problem) => problems.push(problem),
    });
    if (valkey === null) throw new Error('a server was named');
    return valkey;
  }
});

const FILL = createScript("return redis.call('SET', KEYS[1], string.rep('x', 100000), 'PX', 600000)");
const RUNS = {
  kind: 'order',
  whenLost: 'orders cannot be kept now',
  taskLifeMs: 60_000,
  leaseMs: 10_000,
  answerLifeMs: 60_000,
};
