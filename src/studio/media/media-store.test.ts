import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toAddress } from '../../solana/address.ts';
import { openTestStore, STORES } from '../../testing/store/test-store.ts';
import { openTestFolder } from '../../testing/test-folder.ts';
import { DatabaseMediaStore } from './database-media-store.ts';
import { FolderMediaStore } from './folder-media-store.ts';
import type { MediaKind, MediaStore, NewMedia } from './media.ts';

let store: MediaStore;
let cleanUp: () => Promise<void> | void;
afterEach(() => cleanUp());

describe.each(['folder', ...STORES])('a store of files in a %s', (kind) => {
  beforeEach(() => openStore(kind));

  it('returns what was stored, byte by byte, and nothing for another name', async () => {
    const image = createImage(500_000);
    expect(await store.put({ ...file(1), bytes: image })).toBe(true);
    const read = await readAll(1);
    expect([read?.contentType, read?.bytes.equals(image)]).toEqual(['image/png', true]);
    expect(await readAll(1, 'header')).toBeNull();
    expect(await readAll(2)).toBeNull();
    await store.put({ ...file(1, 'metadata'), contentType: 'application/json', bytes: Buffer.from('{}') });
    expect(await readAll(1, 'metadata')).toEqual({
      contentType: 'application/json',
      bytes: Buffer.from('{}'),
    });
  });

  it('stores a name once, even if two files of it come at once', async () => {
    const [one, other] = [createImage(100, 1), createImage(100, 2)];
    const stored = await Promise.all([one, other].map((bytes) => store.put({ ...file(1), bytes })));
    expect(stored.sort()).toEqual([false, true]);
    const kept = await readAll(1);
    expect(await store.put({ ...file(1), bytes: createImage(100, 3) })).toBe(false);
    expect(await readAll(1)).toEqual(kept);
  });

  it('lists what is pending, the oldest first, until it is kept or removed', async () => {
    for (const mint of [3, 1, 2]) await store.put({ ...file(mint), uploader: `u${mint}` });
    await store.put({ ...file(1, 'header'), bytes: createImage(10_000) });
    expect(await store.measure()).toEqual({ all: 3 * 4_096 + 10_000, pending: 3 * 4_096 + 10_000 });
    const pending = await store.listPending();
    expect(pending.map(({ mint }) => mint).sort()).toEqual([1, 1, 2, 3].map(mintOf).sort());
    expect(pending.map(({ storedAt }) => storedAt)).toEqual(
      pending.map(({ storedAt }) => storedAt).toSorted((a, b) => a - b),
    );
    expect(pending.find(({ mint }) => mint === mintOf(3))).toMatchObject({ uploader: 'u3', size: 4_096 });
    await store.keep([mintOf(1), mintOf(9)]);
    await store.remove(file(2));
    await store.remove(file(2));
    expect((await store.listPending()).map(({ mint }) => mint)).toEqual([mintOf(3)]);
    expect(await store.measure()).toEqual({ all: 2 * 4_096 + 10_000, pending: 4_096 });
    expect(await readAll(2)).toBeNull();
    expect(await store.put(file(2))).toBe(true);
  });
});

describe('FolderMediaStore', () => {
  it('finds its files again, and removes what was being written when the process ended', async () => {
    const folder = openTestFolder('media');
    cleanUp = () => undefined;
    store = await FolderMediaStore.open(folder, () => 5);
    await store.put(file(1));
    const half = join(folder, 'images', `${mintOf(2)}.tmp`);
    writeFileSync(half, 'half');
    writeFileSync(join(folder, 'images', 'notes.txt'), 'of somebody');
    store = await FolderMediaStore.open(folder, () => 5);
    expect((await readAll(1))?.bytes).toEqual(file(1).bytes);
    expect(await readAll(2)).toBeNull();
    expect((await store.measure()).all).toBe(4_096);
    expect(readdirSync(join(folder, 'images')).sort()).toEqual([mintOf(1), 'notes.txt'].sort());
  });
});

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const createImage = (length: number, filler = 7) =>
  Buffer.from([...PNG, ...Buffer.alloc(length - 8, filler)]);
const mintOf = (number: number) => toAddress(Buffer.alloc(32, number));
const file = (number: number, kind: MediaKind = 'image'): NewMedia => ({
  kind,
  mint: mintOf(number),
  contentType: 'image/png',
  bytes: createImage(20, number),
  uploader: 'u',
});

async function openStore(kind: string): Promise<void> {
  if (kind === 'folder') {
    let now = 0;
    store = await FolderMediaStore.open(openTestFolder('media'), () => now++);
    cleanUp = () => undefined;
    return;
  }
  const tested = await openTestStore(kind as 'sqlite');
  store = new DatabaseMediaStore(tested.store);
  cleanUp = tested.cleanUp;
}

async function readAll(number: number, kind: MediaKind = 'image') {
  const found = await store.find(file(number, kind));
  if (found === null) return null;
  const pieces = [];
  for await (const piece of found.read()) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  expect(bytes.length).toBe(found.length);
  return { contentType: found.contentType, bytes };
}
