import { OperatorError } from '../../../common/operator-error.ts';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createGenesisChain } from '../blocks/blocks.ts';
import { NamedSnapshots } from './named-snapshots.ts';
import type { NetworkState } from '../blocks/snapshot-codec.ts';
import { openTestFolder } from '../../../testing/test-folder.ts';

let folder: string;
beforeEach(setUp);

describe('a damaged named snapshot', () => {
  it('is refused wherever the damage is, while others can be restored, and can be deleted', async () => {
    const snapshots = new NamedSnapshots(folder);
    for (const name of ['good', 'bad']) await snapshots.save(name, 1n, STATE);
    const path = join(folder, 'bad.dat');
    const whole = readFileSync(path);
    for (let at = 0; at < whole.length; at += 37) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      writeFileSync(path, damaged);
      expect(() => snapshots.load('bad'), `byte ${at}`).toThrow(OperatorError);
    }
    truncateSync(path, whole.length - 1);
    expect(() => snapshots.load('bad')).toThrow(/bad\.dat is damaged/);
    expect(snapshots.load('good')).toEqual(STATE);
    truncateSync(path, 5);
    expect(() => snapshots.list()).toThrow(/bad\.dat/);
    snapshots.delete('bad');
    expect(snapshots.list()).toEqual([{ name: 'good', slot: 1n }]);
  });
});

describe('a named snapshot whose process was killed while it was saved', () => {
  it.each([0, 1, 0.5, 0.999])(
    'is what it was before, and nothing of %f of the new file stays',
    async (part) => {
      await new NamedSnapshots(folder).save('old', 1n, STATE);
      const whole = readFileSync(join(folder, 'old.dat'));
      const written = whole.subarray(0, Math.floor(whole.length * part));
      for (const name of ['old', 'new']) writeFileSync(join(folder, `${name}.dat.tmp`), written);
      const snapshots = new NamedSnapshots(folder);
      expect(readdirSync(folder)).toEqual(['old.dat']);
      expect(snapshots.list()).toEqual([{ name: 'old', slot: 1n }]);
      expect(snapshots.load('old')).toEqual(STATE);
      await snapshots.save('new', 2n, STATE);
      expect(snapshots.list()).toEqual([
        { name: 'new', slot: 2n },
        { name: 'old', slot: 1n },
      ]);
    },
  );
});

const STATE: NetworkState = {
  genesisSeed: 'test',
  chain: createGenesisChain('test', 1_700_000_000n),
  slotHistory: new Uint8Array(1_000),
  clockOffset: 0n,
  accounts: [],
  statuses: [],
  transactions: [],
};

function setUp(): void {
  folder = openTestFolder('named');
}
