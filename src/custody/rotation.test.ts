import { count, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Unavailable } from '../common/unavailable.ts';
import { nameAddress } from '../testing/custody/messages-to-sign.ts';
import { openTestStore, STORES, type TestStore } from '../testing/store/test-store.ts';
import { custodyKeys } from './keys/custody-tables.ts';
import { KeyRows } from './keys/key-rows.ts';
import { MasterKey, type MasterKeys } from './keys/master-key.ts';
import { createSealedKey, signWithSealed } from './keys/sealed-keys.ts';
import { openCustody } from './open-custody.ts';
import { rotateKeys } from './rotation.ts';

describe.each(STORES)('rotateKeys on %s', (kind) => {
  let test: TestStore;
  beforeEach(setUp);
  afterEach(() => test.cleanUp());

  it('goes on after an interruption at any step, and all keys sign what they signed before', async () => {
    const before = await signAll({ current: createMaster(1), previous: null });
    expect(await rotateKeys(test.store.db, ROTATING)).toEqual({ masterId: NEXT.id, rotated: 100, left: 51 });
    // While the rotation is under way, both master keys are needed.
    await expect(signAll({ current: createMaster(1), previous: null })).rejects.toThrow(Unavailable);
    await expect(signAll({ current: NEXT, previous: null })).rejects.toThrow(Unavailable);
    expect(await signAll(ROTATING)).toEqual(before);
    await expect(open({ current: NEXT, previous: null })).rejects.toThrow(createMaster(1).id);
    const store = await test.reopen();
    test = { ...test, store };
    await (await open(ROTATING)).close();
    expect(await rotateKeys(store.db, ROTATING)).toEqual({ masterId: NEXT.id, rotated: 51, left: 0 });
    expect(await rotateKeys(store.db, ROTATING)).toEqual({ masterId: NEXT.id, rotated: 0, left: 0 });
    expect(await signAll({ current: NEXT, previous: null })).toEqual(before);
    await expect(open({ current: createMaster(1), previous: null })).rejects.toThrow(NEXT.id);
  });

  it('keeps nothing of a step that ends halfway, or that has not the master key of a key', async () => {
    await expect(rotateKeys(test.store.db, { current: NEXT, previous: null })).rejects.toThrow(Unavailable);
    const halfway = test.store.transaction(async (db) => {
      await rotateKeys(db, ROTATING);
      throw new Error('killed');
    });
    await expect(halfway).rejects.toThrow('killed');
    expect(await countUnder(NEXT)).toBe(0);
    expect(await rotateKeys(test.store.db, ROTATING)).toMatchObject({ rotated: 100, left: 51 });
  });

  it('loses no key when two instances rotate at once', async () => {
    const before = await signAll({ current: createMaster(1), previous: null });
    for (let round = 0; round < 2; round++) {
      await Promise.all([rotateKeys(test.store.db, ROTATING), rotateKeys(test.store.db, ROTATING)]);
    }
    expect(await countUnder(NEXT)).toBe(KEYS);
    expect(await signAll({ current: NEXT, previous: null })).toEqual(before);
  });

  async function setUp(): Promise<void> {
    test = await openTestStore(kind);
    const master = createMaster(1);
    const keys = Array.from({ length: KEYS }, (_, index) =>
      createSealedKey(master, 'vault', nameAddress(`wallet ${index}`)),
    );
    await test.store.db.insert(custodyKeys).values(keys.map((key) => ({ ...key, createdAt: 1 })));
  }

  /** Returns the signatures of some keys, read again from the database. */
  async function signAll(masters: MasterKeys): Promise<readonly string[]> {
    const rows = new KeyRows(test.store);
    const signatures: string[] = [];
    for (let index = 0; index < KEYS; index += 10) {
      const key = await rows.findVault(nameAddress(`wallet ${index}`));
      if (key === null) throw new Error(`the key ${index} is gone`);
      signatures.push(Buffer.from(signWithSealed(masters, key, MESSAGE)).toString('hex'));
    }
    return signatures;
  }

  async function countUnder(master: MasterKey): Promise<number> {
    const [row] = await test.store.db
      .select({ keys: count() })
      .from(custodyKeys)
      .where(eq(custodyKeys.masterId, master.id));
    return Number(row?.keys);
  }

  const open = (masters: MasterKeys) =>
    openCustody({
      store: test.store,
      masters,
      now: () => 1,
      every: () => () => undefined,
      onDefect: () => undefined,
    });
});

const KEYS = 151;
const MESSAGE = Buffer.from('hello');
const createMaster = (fill: number) => new MasterKey(Buffer.alloc(32, fill));
const NEXT = createMaster(2);
const ROTATING: MasterKeys = { current: NEXT, previous: createMaster(1) };
