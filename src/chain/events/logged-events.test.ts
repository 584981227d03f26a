import { describe, expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import type { LandedCall } from '../landed-transactions.ts';
import { listLoggedEvents } from './logged-events.ts';

const [PROGRAM, OTHER, BUDGET] = ['Program', 'Other', 'Budget'] as Address[] as [Address, Address, Address];

describe('listLoggedEvents', () => {
  it('lists what the program wrote, with the instruction or the call that did it', () => {
    const top = call(PROGRAM, 1);
    const inner = call(PROGRAM, 2);
    const logs = [
      'Program Budget invoke [1]',
      'Program Budget success',
      'Program Program invoke [1]',
      `Program data: ${encode(1)}`,
      'Program Other invoke [2]',
      `Program data: ${encode(7)}`,
      'Program Other success',
      `Program data: ${encode(2)} ${encode(3)}`,
      'Program Program success',
      'Program Other invoke [1]',
      'Program Program invoke [2]',
      `Program data: ${encode(4)}`,
      'Program Program success',
      'Program Other success',
    ];
    const events = listLoggedEvents(
      {
        error: null,
        logs,
        instructions: [call(BUDGET, 0), top, call(OTHER, 3)],
        calls: [
          { instruction: 1, depth: 2, call: call(OTHER, 4) },
          { instruction: 2, depth: 2, call: inner },
        ],
      },
      PROGRAM,
    );
    expect(events.map(({ data }) => [...data])).toEqual([[1], [2], [3], [4]]);
    expect(events.map(({ by }) => by)).toEqual([top, top, top, inner]);
  });

  it.each([
    ['what another program writes', ['Program Other invoke [1]', `Program data: ${encode(1)}`]],
    [
      'what the program logs as text',
      ['Program Program invoke [1]', `Program log: Program data: ${encode(1)}`],
    ],
    [
      'a call that another program logs as text',
      ['Program Other invoke [1]', 'Program log: Program Program invoke [2]', `Program data: ${encode(1)}`],
    ],
    [
      'what follows the end of the program',
      [
        'Program Other invoke [1]',
        'Program Program invoke [2]',
        'Program Program success',
        `Program data: ${encode(1)}`,
      ],
    ],
  ])('does not list %s', (_, logs) => {
    const instructions = [call(logs[0]?.includes('Other') ? OTHER : PROGRAM, 0)];
    const calls = [{ instruction: 0, depth: 2, call: call(PROGRAM, 0) }];
    expect(listLoggedEvents({ error: null, logs, instructions, calls }, PROGRAM)).toEqual([]);
  });

  it('lists nothing of a failed transaction', () => {
    const logs = [
      'Program Program invoke [1]',
      `Program data: ${encode(1)}`,
      'Program Program failed: error',
    ];
    const instructions = [call(PROGRAM, 0)];
    expect(listLoggedEvents({ error: 'failed', logs, instructions, calls: [] }, PROGRAM)).toEqual([]);
  });

  it('reads a log that was cut off up to its end', () => {
    const logs = ['Program Program invoke [1]', `Program data: ${encode(1)}`, 'Log truncated'];
    const instructions = [call(PROGRAM, 0)];
    expect(listLoggedEvents({ error: null, logs, instructions, calls: [] }, PROGRAM)).toHaveLength(1);
  });
});

function call(program: Address, mark: number): LandedCall {
  return { program, accounts: [], data: Uint8Array.of(mark) };
}

function encode(byte: number): string {
  return Buffer.from([byte]).toString('base64');
}
