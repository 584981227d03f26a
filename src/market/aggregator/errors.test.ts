import { expect, test } from 'vitest';
import { AGGREGATOR_ERRORS, findAggregatorError } from './errors.ts';

test('codes run from 6000 to 6026', () => {
  expect(AGGREGATOR_ERRORS.map((each) => each.code)).toEqual(Array.from({ length: 27 }, (_, i) => 6000 + i));
});

test.each([
  [6000, 'EmptyRoute'],
  [6001, 'SlippageToleranceExceeded'],
  [6002, 'InvalidCalculation'],
  [6007, 'InvalidOutputIndex'],
  [6008, 'NotEnoughAccountKeys'],
  [6010, 'InvalidRoutePlan'],
  [6012, 'LedgerTokenAccountDoesNotMatch'],
  [6013, 'InvalidTokenLedger'],
  [6016, 'SwapNotSupported'],
  [6017, 'ExactOutAmountNotMatched'],
  [6019, 'InvalidMint'],
  [6020, 'InvalidProgramAuthority'],
  [6024, 'InsufficientFunds'],
  [6025, 'InvalidTokenAccount'],
  [6026, 'BondingCurveAlreadyCompleted'],
])('%d is %s', (code, name) => {
  expect(findAggregatorError(code)?.name).toBe(name);
});

test.each([0, 102, 5999, 6027])('%d is not one of the aggregator', (code) => {
  expect(findAggregatorError(code)).toBeNull();
});
