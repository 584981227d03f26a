import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createSealedKey } from '../../custody/keys/sealed-keys.ts';
import { KeyRows } from '../../custody/keys/key-rows.ts';
import { nameAddress } from '../../testing/custody/messages-to-sign.ts';
import { openTestFolder } from '../../testing/test-folder.ts';
import { openTestStore, type TestStore } from '../../testing/store/test-store.ts';
import { readMasterKeys } from './custody.ts';

describe('readMasterKeys', () => {
  let test: TestStore;
  beforeEach(async () => {
    test = await openTestStore('sqlite');
  });
  afterEach(() => test.cleanUp());

  it('makes a key of the data folder once, for its owner alone, and none in production', async () => {
    const [folder, other] = [openTestFolder('custody'), openTestFolder('custody')];
    const made = await read(folder);
    expect((await read(folder))?.current.id).toBe(made?.current.id);
    expect(statSync(join(folder, 'custody-key')).mode & 0o777).toBe(0o600);
    expect((await read(other))?.current.id).not.toBe(made?.current.id);
    rmSync(join(other, 'custody-key'));
    expect(await read(other, true)).toBeNull();
    expect(existsSync(join(other, 'custody-key'))).toBe(false);
  });

  it('makes no other key where the database has keys, and says which one is missing', async () => {
    const folder = openTestFolder('custody');
    const made = await read(folder);
    if (made === null) throw new Error('no key was made');
    const kept = readFileSync(join(folder, 'custody-key'), 'utf8');
    await new KeyRows(test.store).add(createSealedKey(made.current, 'vault', nameAddress('wallet')), 1);
    rmSync(join(folder, 'custody-key'));
    await expect(read(folder)).rejects.toThrow(
      `the database has keys of vaults under the master key ${made.current.id}, but ${join(folder, 'custody-key')} does not exist`,
    );
    expect(existsSync(join(folder, 'custody-key'))).toBe(false);
    writeFileSync(join(folder, 'custody-key'), kept.slice(2));
    await expect(read(folder)).rejects.toThrow('custody-key has 62 characters, but a master key is 32 bytes');
    await expect(read(folder, true)).rejects.toThrow('no setting names it; give it with custody-key-file');
  });

  const read = (folder: string, production = false) =>
    readMasterKeys({ custody: { key: null, previousKey: null }, production }, folder, test.store);
});
