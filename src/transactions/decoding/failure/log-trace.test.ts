import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Address } from '../../../solana/address.ts';
import { assertProperty } from '../../../testing/random.ts';
import { readLogTrace } from './log-trace.ts';
import { readLoggedEvents } from './logged-data.ts';

describe('readLogTrace', () => {
  it('finds calls with their depth, units and outcome, and the recorded call that each one is', () => {
    const traced = readLogTrace(
      [
        `Program ${BUDGET} invoke [1]`,
        `Program ${BUDGET} success`,
        `Program ${OUTER} invoke [1]`,
        'Program log: hello',
        `Program ${INNER} invoke [2]`,
        `Program ${INNER} consumed 40 of 900 compute units`,
        `Program ${INNER} success`,
        `Program ${INNER} invoke [2]`,
        `Program ${INNER} consumed 50 of 800 compute units`,
        `Program ${INNER} failed: custom program error: 0x1`,
        `Program ${OUTER} consumed 300 of 1000 compute units`,
        `Program ${OUTER} failed: custom program error: 0x1`,
      ],
      [call(BUDGET), call(ED25519), call(OUTER)],
      [inner(2, INNER), inner(2, INNER)],
    );
    expect(
      traced.map(({ program, instruction, call: at, depth }) => [program, instruction, at, depth]),
    ).toEqual([
      [BUDGET, 0, null, 1],
      // The check of signatures in between logs nothing.
      [OUTER, 2, null, 1],
      [INNER, 2, 0, 2],
      [INNER, 2, 1, 2],
    ]);
    expect(traced.map(({ units, unitsLeft, outcome }) => [units, unitsLeft, outcome])).toEqual([
      [null, null, 'success'],
      [300, 1000, 'failed'],
      [40, 900, 'success'],
      [50, 800, 'failed'],
    ]);
    expect(traced.map(({ firstLine, lastLine }) => [firstLine, lastLine])).toEqual([
      [0, 1],
      [2, 11],
      [4, 6],
      [7, 9],
    ]);
  });

  it('takes nothing that a program writes itself for a call', () => {
    const traced = readLogTrace(
      [
        `Program ${OUTER} invoke [1]`,
        `Program log: Program ${INNER} invoke [2]`,
        `Program log: x\nProgram ${INNER} invoke [2]`,
        `Program log: Program ${OUTER} failed: custom program error: 0x1`,
        `Program ${OUTER} success`,
      ],
      [call(OUTER)],
      [],
    );
    expect(traced.map(({ program, outcome }) => [program, outcome])).toEqual([[OUTER, 'success']]);
  });

  it('says that a call is unfinished when the log was cut', () => {
    const traced = readLogTrace([`Program ${OUTER} invoke [1]`, 'Log truncated'], [call(OUTER)], []);
    expect(traced).toMatchObject([{ outcome: 'unfinished', firstLine: 0, lastLine: 1 }]);
  });

  it('reads any log, of any order and depth', () => {
    const program = fc.constantFrom(OUTER, INNER, BUDGET);
    const line = fc.oneof(
      fc.tuple(program, fc.nat(999)).map(([id, depth]) => `Program ${id} invoke [${depth}]`),
      program.map((id) => `Program ${id} success`),
      program.map((id) => `Program ${id} failed: x`),
      fc.string(),
    );
    assertProperty(
      fc.property(fc.array(line, { maxLength: 60 }), (logs) => {
        for (const { firstLine, lastLine, outcome } of readLogTrace(logs, [call(OUTER)], [inner(0, INNER)])) {
          expect(firstLine).toBeLessThanOrEqual(lastLine);
          expect(lastLine).toBeLessThan(logs.length);
          expect(['success', 'failed', 'unfinished']).toContain(outcome);
        }
      }),
      { seed: 45, cases: 200 },
    );
  });
});

describe('readLoggedEvents', () => {
  it('reads the first hundred events, each with the innermost call that logged it', () => {
    const events = Array.from({ length: 150 }, () => 'Program data: AQID');
    const logs = [
      `Program ${OUTER} invoke [1]`,
      `Program ${INNER} invoke [2]`,
      'Program data: BAUG',
      `Program ${INNER} success`,
      ...events,
      `Program ${OUTER} success`,
    ];
    const trace = readLogTrace(logs, [call(OUTER)], [inner(0, INNER)]);
    const read = readLoggedEvents(logs, trace, () => ({ label: null, name: null, fields: [] }));
    expect(read.length).toBe(100);
    expect(read.slice(0, 2)).toMatchObject([
      { program: INNER, data: '040506', logLine: 2 },
      { program: OUTER, data: '010203', logLine: 4 },
    ]);
  });
});

const BUDGET = 'ComputeBudget111111111111111111111111111111';
const ED25519 = 'Ed25519SigVerify111111111111111111111111111';
const OUTER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
const INNER = 'whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc';

function call(program: string) {
  return { program: program as Address, accounts: [], data: new Uint8Array() };
}

function inner(instruction: number, program: string) {
  return { instruction, depth: 2, call: call(program) };
}
