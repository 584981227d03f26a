import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CommitWitness } from './commit-witness.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-witness-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('CommitWitness', () => {
  it('expects nothing before the first record, and the newest change afterwards', () => {
    const witness = of();
    expect([witness.expected, of().expected]).toEqual([null, null]);
    for (const [sequence, isDurable] of [
      [1n, true],
      [2n, false],
      [3n, false],
    ] as const) {
      witness.note(sequence, isDurable);
      expect(of().expected).toBe(sequence);
    }
    witness.close();
  });

  it('expects only durable changes after a restart of the system', () => {
    const witness = of();
    witness.note(4n, true);
    witness.note(5n, false);
    witness.close();
    const file = readFileSync(witness.path);
    for (const at of [0, 64]) {
      file.write('11111111-2222-3333-4444-555555555555', at + 24, 'latin1');
      file.writeUInt32LE(crc32(file.subarray(at, at + 60)), at + 60);
    }
    writeFileSync(witness.path, file);
    expect(of().expected).toBe(4n);
  });

  it('reads either slot when the other is torn, and throws when both are', () => {
    const witness = of();
    for (const sequence of [1n, 2n, 3n]) witness.note(sequence, true);
    witness.close();
    const whole = readFileSync(witness.path);
    for (let at = 0; at < whole.length; at++) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      writeFileSync(witness.path, damaged);
      expect([2n, 3n], `byte ${at}`).toContain(of().expected);
    }
    for (const length of [0, 63]) {
      truncateSync(witness.path, length);
      expect(of).toThrow(/data\.witness is damaged.*remove .*data\.witness/);
      writeFileSync(witness.path, whole);
    }
  });
});

const of = () => CommitWitness.of(join(folder, 'data'));
