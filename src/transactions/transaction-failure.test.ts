import { describe, expect, it } from 'vitest';
import { transactionFailure } from './transaction-failure.ts';

const AGGREGATOR = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
const custom = (code: number) => ({ InstructionError: [3, { Custom: code }] });
const failedIn = (...programs: string[]) =>
  programs.map((program) => `Program ${program} failed: custom program error: 0x1771`);

describe('transactionFailure', () => {
  it.each([
    [AGGREGATOR, 6001, /^SlippageToleranceExceeded: The route pays less/],
    ['CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C', 6005, /^ExceededSlippage$/],
    ['whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc', 6038, /^TickArraySequenceInvalidIndex$/],
    ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 1, /^InsufficientFunds$/],
    ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', 17, /^AccountFrozen$/],
    ['11111111111111111111111111111111', 1, /^ResultWithNegativeLamports$/],
    ['jupZ4m2GqUCJ5iueMfzQf8khFfH31d4XAQt3RzCT9Vd', 6024, /^DexNotEnoughAmountOut$/],
    ['jupZ4m2GqUCJ5iueMfzQf8khFfH31d4XAQt3RzCT9Vd', 6081, /^DexSwapInResult$/],
  ])('names an error of %s', (program, code, name) => {
    const failure = transactionFailure(custom(code), failedIn(program, AGGREGATOR));
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(name);
  });

  it('takes the name from the logs of a program that is not known', () => {
    const stranger = 'GGztQqQ6pCPaJQnNpXBgELr5cs3WwDakRbh1iEMzjgSJ';
    const logs = [
      'Program log: AnchorError occurred. Error Code: PoolPaused. Error Number: 6123. Error Message: Paused.',
      ...failedIn(stranger),
    ];
    expect(transactionFailure(custom(6123), logs)).toEqual({
      code: 6123,
      program: stranger,
      message: 'PoolPaused',
    });
    expect(transactionFailure(custom(6124), logs)).toEqual({
      code: 6124,
      program: stranger,
      message: `custom program error: 0x17ec of ${stranger}`,
    });
    expect(transactionFailure(custom(6001), [])).toMatchObject({ code: 6001 });
  });

  it('gives the words of the runtime when no program has a code', () => {
    expect(transactionFailure({ InstructionError: [0, 'ComputationalBudgetExceeded'] }, [])).toEqual({
      code: null,
      program: null,
      message: 'ComputationalBudgetExceeded',
    });
    expect(transactionFailure('AccountInUse', [])).toEqual({
      code: null,
      program: null,
      message: 'AccountInUse',
    });
    const rent = { InsufficientFundsForRent: { account_index: 2 } };
    expect(transactionFailure(rent, [])).toEqual({
      code: null,
      program: null,
      message: 'InsufficientFundsForRent',
    });
  });
});
