import { describe, expect, it } from 'vitest';
import type { Address } from '../../../solana/address.ts';
import type { DecodedInstruction } from '../form/decoded-transaction.ts';
import { describeLandedFailure, type FailureSources } from './landed-failure.ts';
import { readLogTrace } from './log-trace.ts';

describe('describeLandedFailure', () => {
  it('says that a fault of the network failed it, where faults can be set', () => {
    const logs = [...SUCCESS, 'Program log: failed by an injected fault'];
    const failure = explain({ code: 1_234, logs, hasFaults: true });
    expect(failure).toMatchObject({ kind: 'injected', instruction: 0, logLine: 2 });
    expect(failure.sentence).toMatch(/^Instruction 1 of 1 failed with code 1234, although no program did/);
    expect(explain({ code: 1_234, logs, hasFaults: false }).kind).toBe('other');
  });

  it('does not believe a program that says so itself', () => {
    const logs = [
      `Program ${PROGRAM} invoke [1]`,
      'Program log: failed by an injected fault',
      `Program ${PROGRAM} failed: custom program error: 0x4d2`,
    ];
    expect(explain({ code: 1_234, logs, hasFaults: true })).toMatchObject({
      kind: 'other',
      program: PROGRAM,
    });
  });

  it('takes the sentence and the compared values from the log of a program that is not known', () => {
    const logs = [
      `Program ${PROGRAM} invoke [1]`,
      'Program log: AnchorError thrown in lib.rs:5. Error Code: TooLittleReceived. Error Number: 6007. Error Message: Too little came out.',
      'Program log: Left: 5',
      'Program log: Right: 9',
      `Program ${PROGRAM} failed: custom program error: 0x1777`,
    ];
    const failure = explain({ code: 6_007, logs, message: 'TooLittleReceived' });
    expect(failure).toMatchObject({ kind: 'slippage', meaning: 'Too little came out', logLine: 1 });
    expect(failure.sentence).toBe(
      'Some program failed in instruction 1 of 1 with TooLittleReceived: too little came out.',
    );
    expect(failure.facts.map(({ name, value }) => [name, value])).toEqual([
      ['it compared', '5'],
      ['with', '9'],
    ]);
  });

  it.each([
    [
      'BlockhashNotFound',
      'blockhash',
      /^The network refused the transaction with BlockhashNotFound: the blockhash/,
    ],
    [{ InsufficientFundsForRent: { account_index: 1 } }, 'rent', /InsufficientFundsForRent/],
    [
      { InstructionError: [0, 'MissingRequiredSignature'] },
      'authority',
      /^Some program failed in instruction 1 of 1/,
    ],
    [{ InstructionError: [0, { BorshIoError: 'x' }] }, 'input', /BorshIoError/],
    [{ InstructionError: 'x' }, 'other', /refused/],
    [{ InstructionError: [-1, 5] }, 'other', /refused/],
    [5, 'other', /refused/],
    [null, 'other', /refused/],
  ])('reads the error %j', (error, kind, sentence) => {
    const failure = explain({ error, code: null, logs: [] });
    expect(failure.kind).toBe(kind);
    expect(failure.sentence).toMatch(sentence);
  });

  it('says how many compute units were used where no call did say so', () => {
    const error = { InstructionError: [0, 'ComputationalBudgetExceeded'] };
    expect(explain({ error, code: null, logs: [] }).facts).toEqual([
      { name: 'compute units that the transaction used', value: '1', unit: null },
    ]);
  });

  it('names the account that would have too little for its rent', () => {
    const failure = explain({
      error: { InsufficientFundsForRent: { account_index: 1 } },
      code: null,
      logs: [],
    });
    expect(failure.facts).toEqual([{ name: 'the account', value: 'B', unit: null }]);
  });
});

const PROGRAM = 'GGztQqQ6pCPaJQnNpXBgELr5cs3WwDakRbh1iEMzjgSJ';
const SUCCESS = [`Program ${PROGRAM} invoke [1]`, `Program ${PROGRAM} success`];

function explain({
  code,
  logs,
  error = { InstructionError: [0, { Custom: code }] },
  message = 'custom program error',
  hasFaults = false,
}: {
  code: number | null;
  logs: readonly string[];
  error?: unknown;
  message?: string;
  hasFaults?: boolean;
}) {
  const call = { program: PROGRAM as Address, accounts: [], data: new Uint8Array() };
  const failed = logs.some((line) => line.includes(' failed: '));
  const sources: FailureSources = {
    landed: {
      error,
      logs,
      accounts: ['A' as Address, 'B' as Address],
      unitsConsumed: 1n,
      preBalances: [5n, 5n],
      postBalances: [5n, 5n],
      preTokenBalances: [],
    },
    described: { code, program: failed ? (PROGRAM as Address) : null, callers: [], message },
    instructions: [INSTRUCTION],
    inner: new Map(),
    trace: readLogTrace(logs, [call], []),
    findLabel: () => 'Some program',
    hasFaults,
  };
  return describeLandedFailure(sources);
}

const INSTRUCTION: DecodedInstruction = {
  program: PROGRAM,
  programLabel: null,
  name: null,
  fields: [],
  accounts: [],
  data: '',
  depth: 1,
};
