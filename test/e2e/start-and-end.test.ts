import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { ReadyDocument } from '../../src/cli/commands/start/ready-document.ts';
import { bannerValue, environmentForInstances, FREE_PORTS } from './instance.ts';
import { callRpc, closeStarts, fetchJson, newFolder, start } from './starts.ts';

afterAll(closeStarts);

describe('--ephemeral', () => {
  it('leaves nothing behind', async () => {
    const folder = newFolder();
    const instance = start(folder, '--ephemeral', ...FREE_PORTS);
    const wallet = bannerValue(await instance.ready(), 'its key');
    expect(existsSync(wallet)).toBe(true);
    instance.kill('SIGINT');
    expect((await instance.ended()).code).toBe(0);
    expect(existsSync(join(wallet, '..'))).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a start by a program', () => {
  it('writes where everything is as JSON, to a file and to standard output', async () => {
    const folder = newFolder();
    const file = join(folder, 'ready.json');
    writeFileSync(file, 'of an earlier start');
    const instance = start(folder, ...FREE_PORTS, '--ready-file=ready.json', '--banner=json');
    const read = (): unknown => {
      try {
        return JSON.parse(readFileSync(file, 'utf8'));
      } catch {
        return null;
      }
    };
    await vi.waitFor(() => expect(read()).not.toBeNull(), { interval: 20 });
    const ready = read() as ReadyDocument;
    expect(ready).toMatchObject({ network: 'embedded', dataDir: join(folder, '.sluice'), pid: instance.pid });
    const { status } = await fetchJson(`${ready.urls.rest}/readyz`, {
      headers: { 'x-api-key': ready.apiKey ?? '' },
    });
    expect(status).toBe(200);
    expect(await callRpc(ready.urls.rpc ?? '', 'getHealth')).toBe('ok');
    instance.kill('SIGTERM');
    const { code, out } = await instance.ended();
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual(ready);
    expect(existsSync(file)).toBe(false);
  });

  it('is refused with a banner or a folder that does not exist', async () => {
    expect(await start(newFolder(), '--banner=loud').ended()).toMatchObject({
      code: 2,
      error: expect.stringContaining('flag --banner is "loud", but must be one of text, json, none'),
    });
    expect(await start(newFolder(), '--ready-file=no/such/ready.json').ended()).toMatchObject({
      code: 1,
      error: expect.stringMatching(/^ready-file .*no\/such\/ready\.json: its folder does not exist$/m),
    });
  });
});

describe('npm start as a service', () => {
  it('stops when npm is stopped', async () => {
    const folder = newFolder();
    const flags = [...FREE_PORTS, `--data-dir=${folder}`];
    const npm = spawn('npm', ['start', '--silent', '--', ...flags], {
      cwd: root,
      env: environmentForInstances(),
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const closed = once(npm.stdout, 'close');
    let out = '';
    npm.stdout.on('data', (chunk) => {
      out += chunk;
    });
    while (!out.includes('Ctrl-C stops.')) {
      const ended = await Promise.race([once(npm.stdout, 'data').then(() => false), closed.then(() => true)]);
      if (ended) throw new Error(`npm start ended before it was ready: ${out}`);
    }
    npm.kill('SIGTERM');
    // The pipe closes when the last process that holds it has ended.
    await closed;
    expect(existsSync(join(folder, 'instance.lock'))).toBe(false);
    expect(existsSync(join(folder, 'demo-api-key'))).toBe(true);
  });
});

describe('a killed instance', () => {
  it('does not keep the next one from starting', async () => {
    const folder = newFolder();
    const first = start(folder, ...FREE_PORTS);
    await first.ready();
    await first.stop();
    expect(existsSync(join(folder, '.sluice', 'instance.lock'))).toBe(true);
    const second = start(folder, ...FREE_PORTS);
    await second.ready();
    second.kill('SIGINT');
    expect((await second.ended()).code).toBe(0);
  });
});

const root = fileURLToPath(new URL('../..', import.meta.url));
