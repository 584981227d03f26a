import { describe, expect, it } from 'vitest';
import { joinProgramErrorExplanations, joinProgramErrorNames } from '../market/program-errors.ts';
import { PROTOCOLS } from '../protocols/index.ts';
import { createFailureDescriber } from './transaction-failure.ts';

describe('createFailureDescriber', () => {
  it.each([
    [AGGREGATOR, 6001, /^SlippageToleranceExceeded: The route pays less/],
    ['CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C', 6005, /^ExceededSlippage$/],
    ['whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc', 6038, /^TickArraySequenceInvalidIndex$/],
    ['TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA', 1, /^InsufficientFunds$/],
    ['TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb', 17, /^AccountFrozen$/],
    ['11111111111111111111111111111111', 1, /^ResultWithNegativeLamports$/],
    ['jup3YeL8QhtSx1e253b2FDvsMNC87fDrgQZivbrndc9', 6000, /^FTokenDepositInsignificant$/],
    ['jupeiUmn818Jg1ekPURTpr4mFo29p46vygyykFJ3wZC', 6028, /^WithdrawalLimitReached$/],
    ['jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi', 6025, /^VaultUserDebtTooLow$/],
    ['jupnw4B6Eqs7ft6rxpzYLJZYSnrpRgPcr589n5Kv4oc', 6001, /^PriceTooOld$/],
    ['jupgfSgfuAXv4B6R2Uxu85Z1qdzgju79s6MfZekN6XS', 6009, /^FlashloanPaybackNotFound$/],
  ])('names an error of %s', (program, code, name) => {
    const failure = describeFailure(custom(code), failedIn(program, AGGREGATOR));
    expect(failure.code).toBe(code);
    expect(failure).toMatchObject({ program, callers: program === AGGREGATOR ? [] : [AGGREGATOR] });
    expect(failure.message).toMatch(name);
  });

  it.each([
    [6017, 'DexAlreadyEntered'],
    [6024, 'DexNotEnoughAmountOut'],
    [6048, 'DexOracleUpdateHugeSwapDiff'],
    [6050, 'DexSwapAndArbitragePaused'],
    [6051, 'DexExceedsAmountInMax'],
    [6052, 'DexSwapInLimitingAmounts'],
    [6053, 'DexSwapOutLimitingAmounts'],
    [6060, 'DexLimitingAmountsSwapAndNonPerfect'],
    [6077, 'DexValidateInvalidLiquidityPosition'],
  ])('names error %i of the Lend AMM within a route', (code, name) => {
    expect(describeFailure(custom(code), failedIn(LEND_AMM, AGGREGATOR)).message).toBe(name);
  });

  it.each([
    [6081, 'DexSwapInResult'],
    [6082, 'DexSwapOutResult'],
  ])('reads code %i of the Lend AMM as the result of a simulation', (code, name) => {
    const { message } = describeFailure(custom(code), failedIn(LEND_AMM, AGGREGATOR));
    expect(message).toBe(
      `${name}: The swap was asked only for its result and moves nothing; it did not fail`,
    );
    expect(describeFailure(custom(code), failedIn(AGGREGATOR)).message).not.toMatch(/result/);
  });

  it('takes the name of an unknown program’s error from the logs', () => {
    const stranger = 'GGztQqQ6pCPaJQnNpXBgELr5cs3WwDakRbh1iEMzjgSJ';
    const logs = [
      'Program log: AnchorError occurred. Error Code: PoolPaused. Error Number: 6123. Error Message: Paused.',
      ...failedIn(stranger),
    ];
    expect(describeFailure(custom(6123), logs)).toEqual({
      code: 6123,
      program: stranger,
      callers: [],
      message: 'PoolPaused',
    });
    expect(describeFailure(custom(6124), logs)).toEqual({
      code: 6124,
      program: stranger,
      callers: [],
      message: `custom program error: 0x17ec of ${stranger}`,
    });
    expect(describeFailure(custom(6001), [])).toMatchObject({ code: 6001 });
  });

  it('uses the runtime’s description when no program has a code', () => {
    expect(describeFailure({ InstructionError: [0, 'ComputationalBudgetExceeded'] }, [])).toEqual({
      code: null,
      program: null,
      callers: [],
      message: 'ComputationalBudgetExceeded',
    });
    expect(describeFailure('AccountInUse', [])).toEqual({
      code: null,
      program: null,
      callers: [],
      message: 'AccountInUse',
    });
    const rent = { InsufficientFundsForRent: { account_index: 2 } };
    expect(describeFailure(rent, [])).toEqual({
      code: null,
      program: null,
      callers: [],
      message: 'InsufficientFundsForRent',
    });
  });
});

const describeFailure = createFailureDescriber(
  joinProgramErrorNames(PROTOCOLS),
  joinProgramErrorExplanations(PROTOCOLS),
);
const AGGREGATOR = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4';
const LEND_AMM = 'jupZ4m2GqUCJ5iueMfzQf8khFfH31d4XAQt3RzCT9Vd';
const custom = (code: number) => ({ InstructionError: [3, { Custom: code }] });
const failedIn = (...programs: string[]) =>
  programs.map((program) => `Program ${program} failed: custom program error: 0x1771`);
