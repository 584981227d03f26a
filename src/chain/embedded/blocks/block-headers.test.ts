import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { toAddress } from '../../../solana/address.ts';
import { BlockHeaders, KEPT_HEADERS } from './block-headers.ts';
import type { Block } from './blocks.ts';

describe('BlockHeaders', () => {
  it('keeps the newest slots like a map', () => {
    const gaps = fc.array(fc.oneof(fc.nat(3), fc.integer({ min: KEPT_HEADERS - 5, max: KEPT_HEADERS + 5 })), {
      maxLength: 12,
    });
    assertProperty(
      fc.property(gaps, (skips) => {
        const headers = new BlockHeaders();
        const all: Block[] = [];
        for (const skipped of skips) {
          const parent = all.at(-1)?.slot ?? 0n;
          const added = block(parent + 1n + BigInt(skipped), parent, 7n);
          headers.add(added, Number(added.slot % 5n));
          all.push(added);
        }
        const least = (all.at(-1)?.slot ?? 0n) - BigInt(KEPT_HEADERS);
        const kept = all.filter(({ slot }) => slot > least);
        expect(kept.length === 0 ? 0n : headers.oldest()).toBe(kept[0]?.slot ?? 0n);
        for (const { slot, parent, height, time, hash } of all) {
          const expected = { slot, parent, height, time, hash, transactions: Number(slot % 5n) };
          expect(headers.get(slot)).toEqual(slot > least ? expected : null);
          expect(headers.timeOf(slot)).toBe(slot > least ? 7n : null);
        }
        const last = kept.slice(-3);
        const [first = last[0]] = last;
        if (first !== undefined)
          expect(headers.count(first.slot, least + BigInt(KEPT_HEADERS))).toBe(last.length);
      }),
      { cases: 60, seed: 11, against: 'a map' },
    );
  });

  it('has nothing before the first block', () => {
    const headers = new BlockHeaders();
    expect(headers.get(0n)).toBeNull();
    expect(headers.timeOf(-1n)).toBeNull();
    expect(headers.minutes(0n, 5)).toEqual([]);
  });

  it('returns complete minutes, newest first, without the first, which may have begun earlier', () => {
    const headers = new BlockHeaders();
    const times = [59n, 60n, 61n, 119n, 120n, 125n, 400n, 481n];
    for (const [index, time] of times.entries()) {
      headers.add(block(BigInt(index), BigInt(Math.max(0, index - 1)), time), index);
    }
    expect(headers.minutes(7n, 10)).toEqual([
      { slot: 6n, slots: 1n, transactions: 6 },
      { slot: 5n, slots: 2n, transactions: 9 },
      { slot: 3n, slots: 3n, transactions: 6 },
    ]);
    expect(headers.minutes(7n, 1)).toEqual([{ slot: 6n, slots: 1n, transactions: 6 }]);
    expect(headers.minutes(5n, 10)).toEqual([{ slot: 3n, slots: 3n, transactions: 6 }]);
  });
});

function block(slot: bigint, parent: bigint, time: bigint): Block {
  const hash = new Uint8Array(32).fill(Number(slot % 251n));
  const height = slot / 2n;
  return {
    slot,
    parent,
    height,
    time,
    hash,
    blockhash: toAddress(hash),
    epochStart: 0n,
    transactionCount: 0n,
  };
}
