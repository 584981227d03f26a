import { beforeEach, describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../../solana/address.ts';
import { CountedMetrics } from '../../testing/counted-metrics.ts';
import { openTestFolder } from '../../testing/test-folder.ts';
import { FolderMediaStore } from './folder-media-store.ts';
import type { MediaStore } from './media.ts';
import { MediaLibrary } from './media-library.ts';

let folder: string;
let store: MediaStore;
let library: MediaLibrary;
let metrics: CountedMetrics;
let now: number;
let launched: Set<Address>;
let isChainDown: boolean;
/** About how many tokens the chain was asked at once. */
let asked: number[];
beforeEach(setUp);

describe('MediaLibrary.put', () => {
  it('stores a name once', async () => {
    expect(await put(1)).toBe('stored');
    expect(await put(1)).toBe('taken');
    expect(metrics.countsOf('sluice_studio_uploads_total')).toEqual({ stored: 1, taken: 1 });
  });

  it('lets pending files take a quarter of the room: the oldest of whoever has the most give way', async () => {
    for (const mint of [1, 2]) await put(mint, 'honest');
    for (let mint = 10; mint < 90; mint++) expect(await put(mint, 'flood'), String(mint)).toBe('stored');
    expect((await store.measure()).pending).toBeLessThanOrEqual(ROOM / 4);
    expect(await findMints([1, 2, 10, 11, 89])).toEqual([1, 2, 89]);
  });

  it('keeps the bound if each file has another uploader', async () => {
    for (let mint = 10; mint < 200; mint++) expect(await put(mint, `flood ${mint}`)).toBe('stored');
    expect((await store.measure()).pending).toBeLessThanOrEqual(ROOM / 4);
  });

  it('never removes the files of a launch, and says when there is no room left', async () => {
    for (let mint = 1; mint <= 8; mint++) {
      expect(await put(mint, 'one', ROOM / 10)).toBe('stored');
      launched.add(mintOf(mint));
    }
    expect(await put(9, 'other', ROOM / 10)).toBe('stored');
    expect(await put(10, 'other', ROOM / 4.5)).toBe('full');
    expect(await findMints([1, 2, 3, 4, 5, 6, 7, 8])).toHaveLength(8);
  });

  it('finds out after a start which files are those of launches', async () => {
    for (let mint = 1; mint <= 60; mint++) {
      launched.add(mintOf(mint));
      expect(await put(mint, `u${mint}`)).toBe('stored');
    }
    await restart();
    expect(await put(61)).toBe('stored');
    expect(await findMints([1, 30, 60, 61])).toEqual([1, 30, 60, 61]);
  });

  it('removes nothing as long as the chain does not say what was launched', async () => {
    for (let mint = 1; mint <= 16; mint++) await put(mint);
    isChainDown = true;
    await expect(put(17)).rejects.toThrow('down');
    isChainDown = false;
    expect((await store.listPending()).length).toBe(16);
    expect(await put(17)).toBe('stored');
  });

  it('asks about many tokens at once when it makes room or sweeps', async () => {
    for (let mint = 1; mint <= 17; mint++) await put(mint);
    expect(asked).toEqual([3]);
    now += DAY + 1;
    for (let sweeps = 0; sweeps < 3; sweeps++) await library.sweep();
    expect(asked).toEqual([3, 14, 14]);
  });

  it('keeps the bounds for files that come at once', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, index) => put(index, 'flood')));
    expect((await store.measure()).pending).toBeLessThanOrEqual(ROOM / 4);
  });
});

describe('MediaLibrary.sweep', () => {
  it('removes what was not launched within a day', async () => {
    for (const mint of [1, 2]) await put(mint);
    launched.add(mintOf(2));
    now += DAY;
    await put(3);
    await library.sweep();
    expect(await findMints([1, 2, 3])).toEqual([1, 2, 3]);
    now += 1;
    await library.sweep();
    expect(await findMints([1, 2, 3])).toEqual([1, 2, 3]);
    await library.sweep();
    expect(await findMints([1, 2, 3])).toEqual([2, 3]);
    expect((await store.listPending()).map(({ mint }) => mint)).toEqual([mintOf(3)]);
    expect(metrics.countsOf('sluice_studio_files_removed_total')).toEqual({ '': 1 });
  });

  it('does not take one wrong answer for the truth', async () => {
    await put(1);
    now += DAY + 1;
    await library.sweep();
    launched.add(mintOf(1));
    await library.sweep();
    launched.clear();
    await library.sweep();
    await library.sweep();
    expect(await findMints([1])).toEqual([1]);
  });

  it('still knows after a restart what is kept, whatever the chain answers then', async () => {
    for (const mint of [1, 2]) await put(mint);
    launched.add(mintOf(1));
    now += DAY + 1;
    await library.sweep();
    launched.clear();
    await restart();
    // Files have the time of the disk.
    now = Number.MAX_SAFE_INTEGER;
    for (let sweeps = 0; sweeps < 2; sweeps++) await library.sweep();
    expect(await findMints([1, 2])).toEqual([1]);
  });
});

const ROOM = 64 * 4_096;
const DAY = 24 * 60 * 60_000;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const mintOf = (number: number) => toAddress(Buffer.alloc(32, number + 1));

async function setUp(): Promise<void> {
  now = 1_000;
  metrics = new CountedMetrics();
  launched = new Set();
  isChainDown = false;
  asked = [];
  folder = openTestFolder('media');
  await restart();
}

async function restart(): Promise<void> {
  store = await FolderMediaStore.open(folder, () => now);
  library = new MediaLibrary({
    store,
    maxBytes: ROOM,
    findLaunched: async (mints) => {
      if (isChainDown) throw new Error('down');
      asked.push(mints.length);
      return new Set(mints.filter((mint) => launched.has(mint)));
    },
    now: () => now,
    metrics,
  });
}

function put(number: number, uploader = 'u', length = 4_096) {
  const bytes = Buffer.concat([PNG, Buffer.alloc(Math.floor(length) - PNG.length)]);
  return library.put({ kind: 'image', mint: mintOf(number), contentType: 'image/png', bytes, uploader });
}

async function findMints(numbers: readonly number[]): Promise<readonly number[]> {
  const found = [];
  for (const number of numbers)
    if ((await library.find({ kind: 'image', mint: mintOf(number) })) !== null) found.push(number);
  return found;
}
