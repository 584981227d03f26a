import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { now } from '../testing/waits.ts';
import { findProcessIdentity, lockDataFolder } from './lock.ts';
import { openTestFolder } from '../testing/test-folder.ts';

describe('lockDataFolder', () => {
  let folder: string;
  beforeEach(setUp);
  afterEach(tearDown);

  it('creates the folder, and leaves nothing behind when it is released', async () => {
    const inner = join(folder, 'a', 'b');
    const release = await lockDataFolder(inner);
    expect(readdirSync(inner)).toEqual(['instance.lock']);
    release();
    expect(readdirSync(inner)).toEqual([]);
  });

  it('refuses a folder that a live process holds, and names the folder and the process', async () => {
    const { pid } = await otherProcess();
    writeFileSync(lockFile(), JSON.stringify(findProcessIdentity(pid)));
    await expect(lockDataFolder(folder)).rejects.toThrow(
      `data-dir ${folder} is in use by another instance, process ${pid}`,
    );
    expect(JSON.parse(readFileSync(lockFile(), 'utf8')).pid).toBe(pid);
  });

  it('recognises that a folder is in use even if nothing can be written there', async () => {
    const release = await lockDataFolder(folder);
    const before = statSync(folder).mtimeMs;
    await expect(lockDataFolder(folder)).rejects.toThrow(`process ${process.pid}`);
    expect(statSync(folder).mtimeMs).toBe(before);
    release();
  });

  it('refuses a second time in the same process', async () => {
    const release = await lockDataFolder(folder);
    await expect(lockDataFolder(folder)).rejects.toThrow(`process ${process.pid}`);
    release();
    (await lockDataFolder(folder))();
  });

  it('takes over the lock of a killed process', async () => {
    const other = await otherProcess();
    writeFileSync(lockFile(), JSON.stringify(findProcessIdentity(other.pid)));
    other.kill('SIGKILL');
    await once(other, 'exit');
    const release = await lockDataFolder(folder);
    expect(JSON.parse(readFileSync(lockFile(), 'utf8')).pid).toBe(process.pid);
    expect(readdirSync(folder)).toEqual(['instance.lock']);
    release();
  });

  it('takes over the lock when another process got the same number', async () => {
    const { pid } = await otherProcess();
    writeFileSync(lockFile(), JSON.stringify({ pid, started: 'before that' }));
    (await lockDataFolder(folder))();
    expect(existsSync(lockFile())).toBe(false);
  });

  it.each(['', '{', '{"pid":-1,"started":"x"}', 'null'])(
    'takes over a lock file that holds %j',
    async (text) => {
      writeFileSync(lockFile(), text);
      (await lockDataFolder(folder))();
      expect(existsSync(lockFile())).toBe(false);
    },
  );

  describe('with a holder whose process cannot be seen, as in another container', () => {
    it('refuses the folder while the lock is updated, whatever process has its number here', async () => {
      writeFileSync(lockFile(), elsewhere);
      const wait = async () => utimesSync(lockFile(), 1, now() / 1_000 + 5);
      await expect(lockDataFolder(folder, { every: never, wait })).rejects.toThrow(
        `by another instance, process ${process.pid} in another container or on another machine; stop it`,
      );
      expect(readFileSync(lockFile(), 'utf8')).toBe(elsewhere);
    });

    it('takes it over after ten seconds without an update, and at once when the last update is long ago', async () => {
      writeFileSync(lockFile(), elsewhere);
      let waited = 0;
      const wait = async (milliseconds: number) => {
        waited += milliseconds;
      };
      const told: string[] = [];
      const onWait = (reason: string) => void told.push(reason);
      (await lockDataFolder(folder, { every: never, wait, onWait }))();
      expect(waited).toBe(10_000);
      expect(told).toEqual([
        expect.stringContaining('belongs to another container or machine; waiting up to 10 s'),
      ]);
      writeFileSync(lockFile(), elsewhere);
      utimesSync(lockFile(), 1, now() / 1_000 - 600);
      (await lockDataFolder(folder, { every: never, wait }))();
      expect(waited).toBe(10_000);
    });

    it('keeps the lock after a stall of any length, unless another instance has taken it meanwhile', async () => {
      let beat = () => {};
      const every = (_: number, work: () => void) => {
        beat = work;
        return () => undefined;
      };
      const release = await lockDataFolder(folder, { every, wait: async () => undefined });
      const mine = readFileSync(lockFile(), 'utf8');
      // As if the process had been paused for an hour.
      utimesSync(lockFile(), 1, now() / 1_000 - 3_600);
      expect(beat).not.toThrow();
      expect(readFileSync(lockFile(), 'utf8')).toBe(mine);
      await expect(lockDataFolder(folder)).rejects.toThrow(`process ${process.pid}`);
      release();
      // Nobody knows what another instance has written that came and went during the stall.
      expect(beat).toThrow('was taken by another instance');
    });

    it('updates the lock, and ends the process when another one has taken it', async () => {
      let beat = () => {};
      const every = (_: number, work: () => void) => {
        beat = work;
        return () => undefined;
      };
      const release = await lockDataFolder(folder, { every, wait: async () => undefined });
      utimesSync(lockFile(), 1, 1);
      const before = now();
      beat();
      expect(Math.ceil(statSync(lockFile()).mtimeMs)).toBeGreaterThanOrEqual(before);
      const mine = readFileSync(lockFile());
      rmSync(lockFile());
      // A lock that cannot be read does not mean that another process has it.
      mkdirSync(lockFile());
      expect(beat).not.toThrow();
      rmSync(lockFile(), { recursive: true });
      writeFileSync(lockFile(), mine);
      writeFileSync(lockFile(), elsewhere);
      expect(beat).toThrow('was taken by another instance');
      release();
      expect(readFileSync(lockFile(), 'utf8')).toBe(elsewhere);
    });

    const elsewhere = JSON.stringify({ ...findProcessIdentity(process.pid), space: 'another' });
    const never = () => () => undefined;
  });

  it('does not release a lock that another process has taken since', async () => {
    const release = await lockDataFolder(folder);
    writeFileSync(lockFile(), 'theirs');
    release();
    expect(readFileSync(lockFile(), 'utf8')).toBe('theirs');
  });

  it('says which folder cannot be created', async () => {
    writeFileSync(join(folder, 'file'), '');
    await expect(lockDataFolder(join(folder, 'file', 'data'))).rejects.toThrow(
      /data-dir .*file\/data cannot be created/,
    );
    await expect(lockDataFolder(join(folder, 'file'))).rejects.toThrow(
      /data-dir .*file cannot be used: EEXIST/,
    );
  });

  const children: ChildProcess[] = [];
  const lockFile = () => join(folder, 'instance.lock');

  function setUp(): void {
    folder = openTestFolder('lock');
  }

  function tearDown(): void {
    for (const child of children.splice(0)) child.kill('SIGKILL');
  }

  /** A process that lives until it is killed. */
  async function otherProcess(): Promise<ChildProcess & { pid: number }> {
    const child = spawn(process.execPath, ['-e', 'process.stdout.write("up"); setInterval(() => {}, 1e6)']);
    children.push(child);
    await once(child.stdout, 'data');
    if (child.pid === undefined) throw new Error('not started');
    return Object.assign(child, { pid: child.pid });
  }
});
