import { describe, expect, it } from 'vitest';
import {
  describeCallFault,
  describeNextFault,
  describeRequestFault,
  listActiveFaults,
} from './fault-text.ts';

describe('listActiveFaults', () => {
  it('names those that are on alone', () => {
    const off = { seed: 1, drop: 0, delaySlots: 0, reorderSlots: 0, congestion: '0', staleReads: 0 };
    expect(listActiveFaults(off)).toEqual([]);
    expect(listActiveFaults({ ...off, drop: 0.3, delaySlots: 1, congestion: '5000' })).toEqual([
      { name: 'drop', text: '30% of all attempts to land are lost.' },
      { name: 'delaySlots', text: 'Transactions wait 1 slot before the first attempt.' },
      {
        name: 'congestion',
        text: 'The network is congested: what pays less than 5000 micro-lamports for a compute unit waits.',
      },
    ]);
  });
});

describe('describeNextFault', () => {
  it('says how many, of whom, and what happens', () => {
    expect(describeNextFault({ effect: 'fail', count: 1, wallet: null, program: null })).toBe(
      'The next transaction is failed.',
    );
    expect(describeNextFault({ effect: 'drop', count: 3, wallet: '1'.repeat(32), program: null })).toBe(
      'The next 3 transactions of 1111…1111 are dropped.',
    );
  });
});

describe('describeCallFault', () => {
  it('says what is answered', () => {
    expect(describeCallFault({ method: '*', status: 429, code: null, delayMs: 0, count: 2 })).toBe(
      'The next 2 calls are answered with 429.',
    );
    expect(describeCallFault({ method: 'getSlot', status: null, code: -32005, delayMs: 100, count: 1 })).toBe(
      'The next call of getSlot is delayed by 100 ms and answered with the error -32005.',
    );
  });
});

describe('describeRequestFault', () => {
  it('says which path', () => {
    expect(describeRequestFault({ path: '/swap/*', status: null, delayMs: 50, count: 1 })).toBe(
      'The next request to /swap/* is delayed by 50 ms.',
    );
  });
});
