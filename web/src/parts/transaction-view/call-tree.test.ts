import { describe, expect, it } from 'vitest';
import type { DecodedInstruction, TransactionResult } from '../../api/decoded-transaction.ts';
import { countCalls, createCallTrees } from './call-tree.ts';

describe('createCallTrees', () => {
  it('puts calls below what made them, and marks what failed and what called it', () => {
    const inner = [call('B', 2), call('C', 3), call('D', 3), call('E', 2)];
    const [first, second] = createCallTrees(
      [call('A', 1), call('X', 1)],
      createResult({ inner: [{ index: 1, instructions: inner }], failure: { instruction: 1, call: 2 } }),
    );
    expect(first?.hasFailed).toBe(false);
    expect(second?.children.map(({ decoded, children }) => [decoded.program, children.length])).toEqual([
      ['B', 2],
      ['E', 0],
    ]);
    const failed = second?.children[0]?.children[1];
    expect([failed?.decoded.program, failed?.isFailed]).toEqual(['D', true]);
    expect([second?.hasFailed, second?.isFailed, second?.children[1]?.hasFailed]).toEqual([
      true,
      false,
      false,
    ]);
    expect(second === undefined ? 0 : countCalls(second)).toBe(4);
  });

  it('gives each call its own lines of the log, without those of its calls', () => {
    const trace = [
      { ...TRACE, program: 'A', depth: 1, instruction: 0, call: null, firstLine: 0, lastLine: 5 },
      { ...TRACE, program: 'B', depth: 2, instruction: 0, call: 0, firstLine: 2, lastLine: 3 },
    ];
    const [tree] = createCallTrees(
      [call('A', 1)],
      createResult({ inner: [{ index: 0, instructions: [call('B', 2)] }], trace }),
    );
    expect(tree?.lines).toEqual([0, 1, 4, 5]);
    expect(tree?.children[0]?.lines).toEqual([2, 3]);
  });

  it('makes no tree deeper than the calls say, whatever depths they claim', () => {
    const inner = [call('B', 9), call('C', 0), call('D', 1), call('E', 200)];
    const [tree] = createCallTrees(
      [call('A', 1)],
      createResult({ inner: [{ index: 0, instructions: inner }] }),
    );
    expect(tree === undefined ? 0 : countCalls(tree)).toBe(4);
  });
});

const TRACE = { units: 5, unitsLeft: 10, outcome: 'success' } as const;

function call(program: string, depth: number): DecodedInstruction {
  return { program, programLabel: null, name: null, fields: [], accounts: [], data: '', depth };
}

function createResult({
  failure = null,
  ...given
}: Partial<Omit<TransactionResult, 'failure'>> & {
  failure?: { instruction: number; call: number | null } | null;
}): TransactionResult {
  const more = { kind: 'other', sentence: '', program: null, programLabel: null, code: null, name: null };
  const rest = { meaning: null, logLine: null, facts: [], advice: '' };
  return {
    slot: 1,
    blockTime: null,
    error: null,
    errorText: null,
    failure: failure === null ? null : { ...more, ...rest, ...failure },
    feeLamports: '5000',
    unitsConsumed: null,
    logs: [],
    inner: [],
    balances: [],
    trace: [],
    events: [],
    returned: null,
    ...given,
  };
}
