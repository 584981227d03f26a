import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { identityOf, lockDataFolder } from './lock.ts';

describe('lockDataFolder', () => {
  let folder: string;
  const children: ChildProcess[] = [];
  const lockFile = () => join(folder, 'instance.lock');

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sluice-lock-'));
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  });

  /** A process that lives until it is killed. */
  async function otherProcess(): Promise<ChildProcess & { pid: number }> {
    const child = spawn(process.execPath, ['-e', 'process.stdout.write("up"); setInterval(() => {}, 1e6)']);
    children.push(child);
    await once(child.stdout, 'data');
    if (child.pid === undefined) throw new Error('not started');
    return Object.assign(child, { pid: child.pid });
  }

  it('creates the folder, and leaves nothing behind when given back', () => {
    const inner = join(folder, 'a', 'b');
    const release = lockDataFolder(inner);
    expect(readdirSync(inner)).toEqual(['instance.lock']);
    release();
    expect(readdirSync(inner)).toEqual([]);
  });

  it('refuses a folder that a live process holds, and names both', async () => {
    const { pid } = await otherProcess();
    writeFileSync(lockFile(), JSON.stringify(identityOf(pid)));
    expect(() => lockDataFolder(folder)).toThrow(
      `data-dir ${folder} is in use by another instance, process ${pid}`,
    );
    expect(JSON.parse(readFileSync(lockFile(), 'utf8')).pid).toBe(pid);
  });

  it('refuses a second time in the same process', () => {
    const release = lockDataFolder(folder);
    expect(() => lockDataFolder(folder)).toThrow(`process ${process.pid}`);
    release();
    lockDataFolder(folder)();
  });

  it('takes over what a killed process left', async () => {
    const other = await otherProcess();
    writeFileSync(lockFile(), JSON.stringify(identityOf(other.pid)));
    other.kill('SIGKILL');
    await once(other, 'exit');
    lockDataFolder(folder);
    expect(JSON.parse(readFileSync(lockFile(), 'utf8')).pid).toBe(process.pid);
    expect(readdirSync(folder)).toEqual(['instance.lock']);
  });

  it('is not fooled by another process that got the same number', async () => {
    const { pid } = await otherProcess();
    writeFileSync(lockFile(), JSON.stringify({ pid, started: 'before that' }));
    lockDataFolder(folder)();
    expect(existsSync(lockFile())).toBe(false);
  });

  it.each(['', '{', '{"pid":-1,"started":"x"}', 'null'])('takes over a lock file that holds %j', (text) => {
    writeFileSync(lockFile(), text);
    lockDataFolder(folder)();
    expect(existsSync(lockFile())).toBe(false);
  });

  it('does not give back what somebody else has taken since', () => {
    const release = lockDataFolder(folder);
    writeFileSync(lockFile(), 'theirs');
    release();
    expect(readFileSync(lockFile(), 'utf8')).toBe('theirs');
  });

  it('says which folder cannot be created', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(() => lockDataFolder(join(folder, 'file', 'data'))).toThrow(
      /data-dir .*file\/data cannot be created/,
    );
  });
});
