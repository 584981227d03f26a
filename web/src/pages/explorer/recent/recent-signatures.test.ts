import { describe, expect, it } from 'vitest';
import { toRecentTransactions } from './recent-signatures.ts';

describe('toRecentTransactions', () => {
  it('reads what landed and what failed', () => {
    const listed = [
      { signature: 'A', slot: 5, blockTime: 1_700_000_000, err: null, memo: null },
      { signature: 'B', slot: 4, err: { InstructionError: [0, 'InvalidArgument'] } },
    ];
    expect(toRecentTransactions(listed)).toEqual([
      { signature: 'A', slot: 5, time: 1_700_000_000, isFailed: false },
      { signature: 'B', slot: 4, time: null, isFailed: true },
    ]);
  });

  it('keeps no more than it asked for', () => {
    const listed = Array.from({ length: 1_000 }, (_, slot) => ({ signature: `${slot}`, slot, err: null }));
    expect(toRecentTransactions(listed)).toHaveLength(20);
  });

  it.each([null, 'many', {}, [null], [{ signature: 5, slot: 5 }], [{ signature: 'A', slot: '5' }]])(
    'refuses %j',
    (answer) => {
      expect(() => toRecentTransactions(answer)).toThrow('in a form that this page cannot read');
    },
  );
});
