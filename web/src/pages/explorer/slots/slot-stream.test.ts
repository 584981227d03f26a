import { describe, expect, it } from 'vitest';
import { appendSlots, type LiveSlot, parseSlotBatch, sumSlots } from './slot-stream.ts';

describe('parseSlotBatch', () => {
  it('reads an event, and returns null for what is none', () => {
    const batch = { head: HEAD, slots: [createSlot(5)] };
    expect(parseSlotBatch(JSON.stringify(batch))).toEqual(batch);
    for (const text of [
      '',
      'null',
      '{}',
      '{"head":{},"slots":[]}',
      '{"head":1',
      '[1]',
      '{"slots":[{"slot":"5"}]}',
    ])
      expect(parseSlotBatch(text)).toBeNull();
  });
});

describe('appendSlots', () => {
  it('appends newer slots only, and keeps the newest 150', () => {
    const first = appendSlots([], [createSlot(1), createSlot(2)]);
    expect(appendSlots(first, [createSlot(2)])).toBe(first);
    const many = Array.from({ length: 400 }, (_, index) => createSlot(index + 3));
    expect(appendSlots(first, many).map(({ slot }) => slot)).toEqual(
      Array.from({ length: 150 }, (_, i) => i + 253),
    );
  });
});

describe('sumSlots', () => {
  it('counts the last minute of the clock of the network', () => {
    const slots = [createSlot(1, 100), createSlot(2, 941), createSlot(3, 951), createSlot(4, 1_000)];
    expect(sumSlots(slots)).toEqual({ transactions: 9, failed: 3, perSecond: 9 / 59 });
  });

  it('knows no rate while the clock stands still, and nothing over an outside RPC', () => {
    expect(sumSlots([createSlot(1, 5), createSlot(2, 5)])).toMatchObject({
      transactions: 6,
      perSecond: null,
    });
    expect(sumSlots([])).toBeNull();
    expect(sumSlots([{ ...createSlot(1), transactions: null, failed: null }])).toBeNull();
  });
});

const HEAD = { processed: 7, confirmed: 6, finalized: 1, height: 6, epoch: 0, time: 5 };

function createSlot(slot: number, time = slot): LiveSlot {
  return {
    slot,
    time,
    blockhash: 'H',
    transactions: 3,
    failed: 1,
    last: [{ signature: 'S', isFailed: false }],
  };
}
