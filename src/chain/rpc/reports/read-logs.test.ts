import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../../common/operator-error.ts';
import { createTestKey } from '../../../testing/chain/bank.ts';
import { readLogs } from './read-logs.ts';
import {
  CALLED,
  createLogsNotification,
  PROGRAM,
  createTestSignature,
} from '../../../testing/chain/node-reports.ts';

describe('readLogs', () => {
  it.each([
    ['calls the program', CALLED, null, true],
    ['calls it in logs that were truncated', ['Log truncated'], null, true],
    ['fails', CALLED, { InstructionError: [0, { Custom: 1 }] }, false],
    ['only mentions the program', [`Program ${OTHER} invoke [1]`], null, false],
    ['writes the line of a call itself', [`Program log: Program ${PROGRAM} invoke [1]`], null, false],
  ])('tells whether a transaction must be read that %s', (_, lines, err, mayCall) => {
    expect(readLogs(createLogsNotification(1, lines, err), PROGRAM)).toEqual({
      slot: 7n,
      signature: createTestSignature(1),
      mayCall,
    });
  });

  it('takes a transaction without logs for one that may call the program', () => {
    const result = {
      context: { slot: 7 },
      value: { signature: createTestSignature(1), err: null, logs: null },
    };
    expect(readLogs(result, PROGRAM).mayCall).toBe(true);
  });

  it.each([
    ['no signature', { context: { slot: 7 }, value: { err: null, logs: [] } }],
    ['a short one', { context: { slot: 7 }, value: { signature: 'abc', err: null, logs: [] } }],
    ['a huge one', { context: { slot: 7 }, value: { signature: 'z'.repeat(100_000), err: null, logs: [] } }],
    [
      'false logs',
      { context: { slot: 7 }, value: { signature: createTestSignature(1), err: null, logs: [1] } },
    ],
  ])('refuses a notification with %s', (_, result) => {
    expect(() => readLogs(result, PROGRAM)).toThrow(OperatorError);
  });
});

const OTHER = createTestKey(2).address;
