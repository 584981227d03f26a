import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { openDataFolder } from '../data-folder.ts';
import { MANIFEST_NAME } from './manifest.ts';
import { finishRestore } from '../put-in-place.ts';
import { readBackup } from './read-backup.ts';
import { restoreBackup } from './restore.ts';
import { readTar, TAR_END, encodeTarHeader, createTarPadding } from './tar.ts';
import { type BackupOptions, openBackup } from './write-backup.ts';
import { openTestFolder } from '../../testing/test-folder.ts';

let root: string;
let folder: string;
let file: string;
beforeEach(setUp);

describe('openBackup', () => {
  it('holds all files, readable by the owner only, except locks and files that were being written', async () => {
    const before = contents(folder);
    for (const name of ['instance.lock', 'x.tmp', 'key-secret.new', '.hidden'])
      writeFileSync(join(folder, name), name);
    symlinkSync('/etc/hostname', join(folder, 'link'));
    await save();
    const target = join(root, 'target');
    expect(await restore(target)).toEqual({ manifest: MANIFEST, replaced: null });
    expect(contents(target)).toEqual(before);
    expect(statSync(target).mode & 0o777).toBe(0o700);
    expect(statSync(join(target, 'key-secret')).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.startsWith('.backup'))).toEqual([]);
  });

  it('leaves out the master key of vaults, which a restore leaves where it is', async () => {
    writeFileSync(join(folder, 'custody-key'), 'master key');
    await save();
    expect(gunzipSync(readFileSync(file)).includes('master key')).toBe(false);
    const target = join(root, 'target');
    mkdirSync(target);
    writeFileSync(join(target, 'custody-key'), 'kept apart');
    await restore(target);
    expect(contents(target)).toMatchObject({ 'custody-key': 'kept apart', 'key-secret': 'secret' });
    await restore(target, true);
    expect(contents(target)).toMatchObject({ 'custody-key': 'kept apart', 'key-secret': 'secret' });
  });

  it('has databases copy themselves, and leaves out their own files', async () => {
    for (const name of ['a.db', 'a.db-wal', 'a.db-shm']) writeFileSync(join(folder, name), 'half written');
    const copyTo = async (path: string) => writeFileSync(path, 'whole');
    await save({ databases: [{ name: 'a.db', copyTo }] });
    const target = join(root, 'target');
    await restore(target);
    expect(contents(target)).toMatchObject({ 'a.db': 'whole' });
    expect(Object.keys(contents(target)).filter((name) => name.startsWith('a.db'))).toEqual(['a.db']);
  });

  it('copies files with the length they had at first, even if they grow or are removed meanwhile', async () => {
    const log = join(folder, 'network', 'log-1.dat');
    const options = { folder, databases: [], ...VERSIONS, version: '0.1.0', now: () => NOW };
    const { archive: stream } = await openBackup(options);
    appendFileSync(log, 'more');
    renameSync(join(folder, 'key-secret'), join(root, 'elsewhere'));
    writeFileSync(file, await buffer(stream));
    const target = join(root, 'target');
    await restore(target);
    expect(contents(target)).toMatchObject({ 'key-secret': 'secret' });
    expect(contents(target)['network/log-1.dat']).toMatch(/^x{200000}(more)?$/);
  });

  it('fails when a database cannot be copied, and leaves nothing behind', async () => {
    const copyTo = () => Promise.reject(new Error('no room'));
    await expect(save({ databases: [{ name: 'a.db', copyTo }] })).rejects.toThrow('no room');
    expect(readdirSync(folder).sort()).toEqual(['empty', 'key-secret', 'network']);
  });

  it('of a folder without files is a backup too, which restores to an empty folder', async () => {
    const nothing = join(root, 'nothing');
    mkdirSync(nothing);
    await save({ folder: nothing, schemaVersion: 0, logVersion: 0 });
    const target = join(root, 'target');
    expect(await restore(target)).toEqual({
      manifest: { ...MANIFEST, schemaVersion: 0, logVersion: 0 },
      replaced: null,
    });
    expect(contents(target)).toEqual({});
  });

  it('removes what a killed backup left behind', async () => {
    mkdirSync(join(folder, '.backup-killed'));
    await save();
    expect(existsSync(join(folder, '.backup-killed'))).toBe(false);
  });
});

describe('restoreBackup', () => {
  it('refuses a folder that is not empty, unless its contents may be moved aside', async () => {
    await save();
    const target = join(root, 'target');
    mkdirSync(target);
    writeFileSync(join(target, 'mine'), 'mine');
    await expect(restore(target)).rejects.toThrow(`data-dir ${target} is not empty`);
    expect(contents(target)).toEqual({ mine: 'mine' });
    const { replaced } = await restore(target, true);
    expect(contents(replaced ?? '')).toEqual({ mine: 'mine' });
    expect(contents(target)).toEqual({ ...contents(folder), [`.replaced-${NOW}/mine`]: 'mine' });
    const empty = join(root, 'empty');
    mkdirSync(empty);
    await restore(empty);
    expect(contents(empty)).toEqual(contents(folder));
  });

  it('restores into a mount, and leaves what belongs to its file system', async () => {
    await save();
    const target = join(root, 'target');
    mkdirSync(join(target, 'lost+found'), { recursive: true });
    writeFileSync(join(target, 'lost+found', 'inode'), 'theirs');
    const inode = statSync(target).ino;
    expect(await restore(target)).toMatchObject({ replaced: null });
    expect(statSync(target).ino).toBe(inode);
    expect(contents(target)).toEqual({ ...contents(folder), 'lost+found/inode': 'theirs' });
    await save({ folder: target });
    expect(await restore(join(root, 'again'))).toMatchObject({ replaced: null });
    expect(contents(join(root, 'again'))).toEqual(contents(folder));
  });

  it('is finished by the next process that opens the folder when it is killed between two renames', async () => {
    for (let renames = 0; renames < 6; renames++) {
      const target = join(root, `target-${renames}`);
      mkdirSync(join(target, '.restoring-7'), { recursive: true });
      for (const name of ['old', 'both', '.restoring-7/both', '.restoring-7/new'])
        writeFileSync(join(target, name), name);
      let left = renames;
      const rename = (from: string, to: string) => {
        if (left-- === 0) throw new Error('killed');
        renameSync(from, to);
      };
      await finishRestore(target, rename).catch(() => undefined);
      const opened = await openDataFolder(target, false);
      opened.close();
      expect(contents(target), `after ${renames} renames`).toEqual({
        both: '.restoring-7/both',
        new: '.restoring-7/new',
        '.replaced-7/old': 'old',
        '.replaced-7/both': 'both',
      });
    }
  });

  it('leaves the folder unchanged when the file is cut short or changed', async () => {
    await save();
    const whole = readFileSync(file);
    const plain = gunzipSync(whole);
    const target = join(root, 'target');
    mkdirSync(target);
    writeFileSync(join(target, 'mine'), 'mine');
    const cut = fc.integer({ min: 0, max: whole.length - 1 }).map((length) => whole.subarray(0, length));
    const cutInside = fc
      .integer({ min: 0, max: plain.length - TAR_END.length - 1 })
      .map((length) => gzipSync(plain.subarray(0, length)));
    await assertProperty(
      fc.asyncProperty(fc.oneof(cut, cutInside), async (bytes) => {
        writeFileSync(file, bytes);
        await expect(restore(target, true)).rejects.toThrow();
        expect(contents(target)).toEqual({ mine: 'mine' });
      }),
      { cases: 60, seed: 5 },
    );
  });

  it('refuses an archive that was cut between two files, or continues after its end', async () => {
    await save();
    const plain = gunzipSync(readFileSync(file));
    const lastFile = plain.lastIndexOf('ustar') - (plain.lastIndexOf('ustar') % 512);
    const target = join(root, 'target');
    const more = Buffer.concat([encodeTarHeader({ name: 'more', size: 0 }, 0), TAR_END]);
    for (const [bytes, message] of [
      [plain.subarray(0, lastFile), 'it is cut short'],
      [plain.subarray(0, plain.length - TAR_END.length), 'it is cut short'],
      [Buffer.concat([plain, more]), 'something follows its end'],
    ] as const) {
      writeFileSync(file, gzipSync(bytes));
      await expect(restore(target)).rejects.toThrow(message);
      expect(existsSync(target)).toBe(false);
    }
  });

  it.each([
    ['../outside'],
    ['/etc/outside'],
    ['a/../../outside'],
    ['..'],
    ['.ssh'],
    ['a//b'],
    ['a\\b'],
    ['a b'],
  ])('takes no file of the name %j', async (name) => {
    expect(() => encodeTarHeader({ name, size: 0 }, 0)).toThrow('whose names have');
    archive([['placeholder', 'text']]);
    const plain = gunzipSync(readFileSync(file));
    const at = plain.indexOf('placeholder');
    plain.fill(0, at, at + 100);
    plain.write(name, at, 'latin1');
    plain.fill(' ', at + 148, at + 156);
    const sum = plain.subarray(at, at + 512).reduce((all, byte) => all + byte, 0);
    plain.write(`${sum.toString(8).padStart(6, '0')}\0 `, at + 148, 'latin1');
    writeFileSync(file, gzipSync(plain));
    await expect(restore(join(root, 'target'))).rejects.toThrow('which is no file of a data folder');
    expect(existsSync(join(root, 'outside'))).toBe(false);
    expect(existsSync(join(root, 'target'))).toBe(false);
  });

  it.each([
    [{ ...MANIFEST, schemaVersion: 4 }, 'run a newer Sluice'],
    [{ ...MANIFEST, logVersion: 3 }, 'run a newer Sluice'],
    [{ ...MANIFEST, logVersion: 'x' }, 'lacks a field'],
    [{ ...MANIFEST, format: 2 }, 'run a newer Sluice'],
    [{}, 'lacks a field'],
  ])('refuses the manifest %j', async (manifest, message) => {
    archive([['key-secret', 'x']], manifest);
    await expect(restore(join(root, 'target'))).rejects.toThrow(message);
    expect(existsSync(join(root, 'target'))).toBe(false);
  });

  it('refuses a file that is not a backup', async () => {
    for (const bytes of ['', 'hello', gzipSync('hello'), gzipSync(TAR_END)]) {
      writeFileSync(file, bytes);
      await expect(restore(join(root, 'target'))).rejects.toThrow(
        /not a complete backup|it was not written by sluice backup/,
      );
    }
    rmSync(file);
    await expect(restore(join(root, 'target'))).rejects.toThrow('cannot be restored');
  });
});

describe('readBackup', () => {
  it('returns the manifest of a whole backup, and refuses one whose last bytes are missing', async () => {
    await save();
    expect(await readBackup(file, VERSIONS)).toEqual(MANIFEST);
    writeFileSync(file, readFileSync(file).subarray(0, -1));
    await expect(readBackup(file, VERSIONS)).rejects.toThrow(`${file} cannot be restored`);
  });
});

describe('readTar', () => {
  it('reads an archive back, in whatever pieces it arrives', async () => {
    const size = fc.oneof(fc.nat({ max: 1_200 }), fc.constantFrom(511, 512, 513, 1_024));
    await assertProperty(
      fc.asyncProperty(
        fc.array(size, { maxLength: 5 }),
        fc.integer({ min: 1, max: 700 }),
        async (sizes, step) => {
          const whole = Buffer.concat([
            ...sizes.flatMap((one, index) => [
              encodeTarHeader({ name: `f${index}`, size: one }, 0),
              Buffer.alloc(one, index + 1),
              createTarPadding(one),
            ]),
            TAR_END,
          ]);
          const pieces = async function* () {
            for (let at = 0; at < whole.length; at += step) yield whole.subarray(at, at + step);
          };
          const read: { name: string; size: number; bytes: number }[] = [];
          for await (const part of readTar(pieces())) {
            const last = read.at(-1);
            if (part.kind === 'file') read.push({ ...part.entry, bytes: 0 });
            else if (last !== undefined) last.bytes += part.bytes.length;
          }
          expect(read).toEqual(sizes.map((one, index) => ({ name: `f${index}`, size: one, bytes: one })));
        },
      ),
      { cases: 100, seed: 6 },
    );
  });
});

const NOW = 1_790_000_000_000;
const VERSIONS = { schemaVersion: 3, logVersion: 2 };
const MANIFEST = { format: 1, version: '0.1.0', schemaVersion: 3, logVersion: 2, createdAt: NOW };

function setUp(): void {
  root = openTestFolder('backup');
  folder = join(root, 'data');
  file = join(root, 'backup.tgz');
  mkdirSync(join(folder, 'network', 'snapshots'), { recursive: true });
  writeFileSync(join(folder, 'key-secret'), 'secret');
  writeFileSync(join(folder, 'empty'), '');
  writeFileSync(join(folder, 'network', 'log-1.dat'), 'x'.repeat(200_000));
  writeFileSync(join(folder, 'network', 'snapshots', 'seven.dat'), 'seven');
}

const save = async (overrides: Partial<BackupOptions> = {}) => {
  const options = { folder, databases: [], ...VERSIONS, version: '0.1.0', now: () => NOW, ...overrides };
  writeFileSync(file, await buffer((await openBackup(options)).archive));
};
const restore = (dataDir: string, replace = false) =>
  restoreBackup({ file, dataDir, replace, known: VERSIONS, now: () => NOW });
const contents = (of: string) =>
  Object.fromEntries(
    readdirSync(of, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(of.length + 1), readFileSync(path, 'utf8')]),
  );

/** An archive of these files, made as ours are. */
function archive(files: readonly (readonly [string, string])[], manifest: object = MANIFEST): void {
  const all = [[MANIFEST_NAME, JSON.stringify(manifest)] as const, ...files];
  const blocks = all.flatMap(([name, text]) => {
    const size = Buffer.byteLength(text);
    return [encodeTarHeader({ name, size }, 0), Buffer.from(text), createTarPadding(size)];
  });
  writeFileSync(file, gzipSync(Buffer.concat([...blocks, TAR_END])));
}
