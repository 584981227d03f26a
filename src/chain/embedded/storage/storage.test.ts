import { OperatorError } from '../../../common/operator-error.ts';
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { address } from '../../../solana/address.ts';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import { Blocks, createGenesisChain } from '../blocks/blocks.ts';
import { hasNetwork, getLogPath, recover, getSnapshotPath } from './recovery.ts';
import type { SlotRecord } from '../blocks/slot-record.ts';
import type { NetworkState } from '../blocks/snapshot-codec.ts';
import { DEFAULT_SNAPSHOT_POLICY, Storage } from './storage.ts';
import { openTestFolder } from '../../../testing/test-folder.ts';

let folder: string;
beforeEach(setUp);

describe('recover', () => {
  it('returns null for an empty or missing folder', () => {
    expect(hasNetwork(join(folder, 'missing'))).toBe(false);
    expect(recover(join(folder, 'missing'))).toBeNull();
    expect(hasNetwork(folder)).toBe(false);
  });

  it('returns the snapshot and every record', async () => {
    const records = await written(5);
    expect(hasNetwork(folder)).toBe(true);
    const found = recover(folder);
    expect(found?.snapshot).toEqual(GENESIS);
    expect(found?.sequence).toBe(5n);
    expect(found?.records).toEqual(records.map((record, i) => ({ ...record, sequence: BigInt(i + 1) })));
  });

  it('cuts off a torn tail at any offset, and continues from there', async () => {
    const records = await written(3);
    const path = getLogPath(folder, 0n);
    const whole = readFileSync(path);
    // The state just before the third record was durable.
    await writtenAgain(2);
    writeFileSync(path, whole);
    const lengthOfTwo = lengthWithRecords(whole, 2);
    for (let length = lengthOfTwo; length < whole.length; length += 7) {
      writeFileSync(path, whole.subarray(0, length));
      expect(recover(folder)?.sequence, `cut at ${length}`).toBe(2n);
    }
    const torn = recover(folder);
    if (torn === null) throw new Error('nothing recovered');
    const storage = await Storage.resume(folder, DEFAULT_SNAPSHOT_POLICY, torn);
    const third = records[2];
    if (third === undefined) throw new Error('three records expected');
    await storage.append(third);
    await storage.close();
    expect(readFileSync(path)).toEqual(whole);
  });

  it('treats zeros after the last record as a torn tail', async () => {
    await written(2);
    const path = getLogPath(folder, 0n);
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(5000)]));
    expect(recover(folder)?.sequence).toBe(2n);
  });

  it('throws for a log that is damaged before its last record, at any byte', async () => {
    await written(3);
    const path = getLogPath(folder, 0n);
    const whole = readFileSync(path);
    for (let at = 0; at < lengthWithRecords(whole, 2); at += 11) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0x41;
      writeFileSync(path, damaged);
      expect(() => recover(folder), `byte ${at}`).toThrow(OperatorError);
    }
  });

  it('returns everything or throws, whichever bit of whichever file is flipped', async () => {
    const records = await written(4);
    const files = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
    expect([...files.keys()].sort()).toEqual([
      'log-00000000000000000000.dat',
      'network.witness',
      'snapshot-00000000000000000000.dat',
    ]);
    const flip = fc.constantFrom(...files.keys()).chain((name) =>
      fc.record({
        name: fc.constant(name),
        at: fc.nat((files.get(name)?.length ?? 1) - 1),
        bit: fc.nat(7),
      }),
    );
    assertProperty(
      fc.property(flip, ({ name, at, bit }) => {
        const damaged = Buffer.from(files.get(name) ?? []);
        damaged[at] = (damaged[at] ?? 0) ^ (1 << bit);
        writeFileSync(join(folder, name), damaged);
        try {
          const found = recover(folder);
          expect(found?.snapshot).toEqual(GENESIS);
          expect(found?.records).toHaveLength(records.length);
        } catch (error) {
          if (!(error instanceof OperatorError)) throw error;
          expect(readFileSync(join(folder, name))).toEqual(damaged);
        } finally {
          writeFileSync(join(folder, name), files.get(name) ?? '');
        }
      }),
      { cases: 300, short: 100, seed: 20_261_122 },
    );
  });

  it('throws for a log that is truncated, missing or older, and for a folder whose network is gone', async () => {
    await written(3);
    const path = getLogPath(folder, 0n);
    const whole = readFileSync(path);
    const refusal = /record 3 was durable.*Restore the data folder from a backup/;
    for (const length of [0, 28, lengthWithRecords(whole, 2), whole.length - 1]) {
      writeFileSync(path, whole.subarray(0, length));
      expect(() => recover(folder), `${length} bytes`).toThrow(refusal);
    }
    rmSync(path, { force: true });
    expect(() => recover(folder)).toThrow(refusal);
    rmSync(getSnapshotPath(folder, 0n));
    expect(() => recover(folder)).toThrow(/has no network, but record 3 was durable/);
  });

  it('accepts a folder without a witness, from a version that had none', async () => {
    await written(3);
    rmSync(join(folder, 'network.witness'));
    expect(recover(folder)?.sequence).toBe(3n);
  });

  it('throws for a damaged snapshot', async () => {
    await written(1);
    const path = getSnapshotPath(folder, 0n);
    const whole = readFileSync(path);
    for (const at of [9, 30, whole.length >> 1, whole.length - 1]) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      writeFileSync(path, damaged);
      expect(() => recover(folder), `byte ${at}`).toThrow(OperatorError);
    }
    writeFileSync(path, whole);
    truncateSync(path, whole.length - 20);
    expect(() => recover(folder)).toThrow(/damaged/);
  });

  it('throws for data of a newer format, and does not change it', async () => {
    await written(1);
    for (const path of [getSnapshotPath(folder, 0n), getLogPath(folder, 0n)]) {
      const whole = readFileSync(path);
      const newer = Buffer.from(whole);
      newer.writeUInt32LE(2, 8);
      writeFileSync(path, newer);
      expect(() => recover(folder)).toThrow(/has data format 2; this program knows formats up to 1/);
      expect(readFileSync(path)).toEqual(newer);
      writeFileSync(path, whole);
    }
  });

  it('throws for a log without its snapshot, and for records that do not follow each other', async () => {
    await written(2);
    const snapshot = readFileSync(getSnapshotPath(folder, 0n));
    rmSync(getSnapshotPath(folder, 0n));
    expect(() => recover(folder)).toThrow(/has a log but no snapshot/);
    writeFileSync(getSnapshotPath(folder, 0n), snapshot);
    writeFileSync(getLogPath(folder, 2n), readFileSync(getLogPath(folder, 0n)));
    expect(() => recover(folder)).toThrow(/does not follow/);
  });
});

describe('Storage', () => {
  it('supersedes the old files when a snapshot is complete, and loses no record in the meantime', async () => {
    const storage = await Storage.begin(folder, { bytes: 1 << 30, slots: 2 }, GENESIS);
    const [first, second, third] = slotRecords(3);
    if (first === undefined || second === undefined || third === undefined) throw new Error('three expected');
    await storage.append(first);
    expect(storage.snapshotDue).toBe(false);
    const appended = storage.append(second);
    expect(storage.snapshotDue).toBe(true);
    const after = { ...GENESIS, chain: { blocks: [second.block], open: second.open }, accounts: [] };
    const snapshot = storage.snapshot(after);
    expect(storage.snapshotDue).toBe(false);
    await storage.append(third);
    await Promise.all([appended, snapshot]);
    await storage.close();
    expect(readdirSync(folder).sort()).toEqual([
      'log-00000000000000000002.dat',
      'network.witness',
      'snapshot-00000000000000000002.dat',
    ]);
    const found = recover(folder);
    expect(found?.snapshot).toEqual(after);
    expect(found?.records.map((record) => record.block.slot)).toEqual([3n]);
  });

  it('recovers from a process that ended between a new log and its snapshot', async () => {
    const records = await written(3);
    const found = recover(folder);
    if (found === null) throw new Error('nothing recovered');
    writeFileSync(getLogPath(folder, 3n), Buffer.alloc(0));
    const again = recover(folder);
    expect(again?.records).toEqual(found.records);
    expect(readdirSync(folder)).not.toContain('log-00000000000000000003.dat');
    expect(records).toHaveLength(3);
  });
});

const WALLET = address('4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T');
const account = (lamports: bigint, size = 3) => ({
  lamports,
  owner: SYSTEM_PROGRAM,
  data: new Uint8Array(size).fill(7),
  executable: false,
  rentEpoch: 18446744073709551615n,
});

const GENESIS: NetworkState = {
  genesisSeed: 'test',
  chain: createGenesisChain('test', 1_700_000_000n),
  slotHistory: new Uint8Array(1_000),
  clockOffset: -5n,
  accounts: [
    [WALLET, account(1n)],
    [SYSTEM_PROGRAM, account(2n, 0)],
  ],
  statuses: [
    {
      signature: 'sig',
      messageHash: '\u00ff'.repeat(32),
      slot: 1n,
      height: 1n,
      error: { InstructionError: [0, { Custom: 6001 }] },
    },
  ],
  transactions: [new Uint8Array([1, 2, 3])],
};

/** The records of the slots after genesis, each changing the wallet's balance to its slot. */
function slotRecords(count: number): Omit<SlotRecord, 'sequence'>[] {
  const blocks = new Blocks(GENESIS.chain);
  return Array.from({ length: count }, () => {
    const block = blocks.ended(1);
    const parentHash = blocks.tip.hash;
    const open = blocks.after(block, 1_700_000_100n);
    blocks.advance(block, open);
    const slot = block.slot;
    return {
      block,
      parentHash,
      open,
      clockOffset: slot,
      transactions: [new Uint8Array([Number(slot)])],
      accounts: [[WALLET, slot === 2n ? null : account(slot)]],
    };
  });
}

function setUp(): void {
  folder = openTestFolder('storage');
}

async function written(count: number): Promise<Omit<SlotRecord, 'sequence'>[]> {
  const storage = await Storage.begin(folder, DEFAULT_SNAPSHOT_POLICY, GENESIS);
  const records = slotRecords(count);
  await Promise.all(records.map((record) => storage.append(record)));
  await storage.close();
  return records;
}

/** Like the above, in a folder that is emptied first. */
async function writtenAgain(count: number): Promise<void> {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  await written(count);
}

/** Computes the length of the first `count` records from their headers. */
function lengthWithRecords(file: Buffer, count: number): number {
  let at = 28;
  for (let i = 0; i < count; i++) at += 16 + file.readUInt32LE(at + 4);
  return at;
}
