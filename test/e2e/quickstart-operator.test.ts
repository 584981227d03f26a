import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bannerValue, environmentForInstances } from './instance.ts';
import { commandsOf, Terminal } from './page-commands.ts';

describe.runIf(hasCurl())('the quick start for operators (skipped without curl)', () => {
  let folder: string;
  let terminal: Terminal;
  /** What the instance has printed; empty before it is started. */
  let banner = '';
  beforeAll(setUp);
  afterAll(tearDown);

  it('runs an instance in production form: settings, a key, metrics, a backup, a trial and the way back', async () => {
    expect(await terminal.run(SETTINGS ?? '')).toMatch(/production +true +.*sluice\.config\.json/);
    await start();
    expect(banner).toContain('none is created in production');
    expect(JSON.parse(await terminal.run(READY ?? ''))).toMatchObject({ ready: true });
    await terminal.run(MAKE_KEY ?? '');
    expect(await order()).toMatchObject({ inAmount: '100000000', outAmount: expect.stringMatching(/^\d+$/) });
    expect(JSON.parse(await terminal.run(WITHOUT_KEY ?? ''))).toMatchObject({ code: 401 });
    expect(await terminal.run(METRICS ?? '')).toMatch(/^sluice_part_up\{part="database"\} 1$/m);

    await terminal.run(BACKUP ?? '');
    await terminal.run('LATER=$(sluice key create acme/web later)');
    await terminal.run(COPY ?? '');
    const [trial] = await terminal.stay(TRIAL ?? '', BANNER);
    expect(bannerValue(trial, 'REST')).not.toBe(bannerValue(banner, 'REST'));
    await terminal.interrupt('SIGINT');
    await terminal.interrupt('SIGTERM');

    await terminal.run(GO_BACK ?? '');
    await start();
    expect(await order()).toMatchObject({ inAmount: '100000000' });
    const withLater = (USE_KEY ?? '').replace('$KEY', '$LATER').replace('--fail', '');
    expect(JSON.parse(await terminal.run(withLater))).toMatchObject({ code: 401 });
  });

  function setUp(): void {
    folder = mkdtempSync(join(tmpdir(), 'sluice-quickstart-operator-'));
    const bin = join(folder, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'sluice'), `#!/bin/sh\nexec '${process.execPath}' '${command}' "$@"\n`);
    chmodSync(join(bin, 'sluice'), 0o755);
    const value = (name: string) => bannerValue(banner, name);
    const urls = () => ({
      'http://127.0.0.1:8787': value('REST'),
      'http://127.0.0.1:9464/metrics': value('Metrics'),
    });
    terminal = new Terminal({
      folder,
      environment: () => ({
        ...environmentForInstances(),
        PATH: `${bin}:${process.env.PATH}`,
        ...(banner === '' ? FREE_PORTS : { SLUICE_ADMIN_PORT: new URL(value('Admin')).port }),
      }),
      replaced: () => (banner === '' ? {} : urls()),
    });
  }

  async function tearDown(): Promise<void> {
    await terminal?.close();
    rmSync(folder, { recursive: true, force: true });
  }

  async function start(): Promise<void> {
    banner = '';
    [banner] = await terminal.stay(START ?? '', BANNER);
  }

  const order = async () => JSON.parse(await terminal.run(USE_KEY ?? ''));
});

const command = fileURLToPath(new URL('../../bin/sluice.mjs', import.meta.url));
/** `npm pack` and what it makes are tested in package.test.ts. */
const [, SETTINGS, START, READY, MAKE_KEY, USE_KEY, WITHOUT_KEY, METRICS, BACKUP, COPY, TRIAL, GO_BACK] =
  commandsOf('docs/quickstart/operator.md').map((block) => block.trimEnd());
const BANNER = /Sluice is ready[\s\S]*Ctrl-C stops\./;
const FREE_PORTS = {
  ...Object.fromEntries(['REST', 'ADMIN', 'RPC', 'WS', 'GRPC'].map((name) => [`SLUICE_${name}_PORT`, '0'])),
  SLUICE_METRICS_ADDRESS: '127.0.0.1:0',
};

function hasCurl(): boolean {
  try {
    execFileSync('curl', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
