import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { FAILURE_ADVICE, findErrorMeaning, findFailureKind } from './failure-kinds.ts';

describe('findFailureKind', () => {
  it.each([
    ['SlippageToleranceExceeded', 'slippage'],
    ['ExceededSlippage', 'slippage'],
    ['DexNotEnoughAmountOut', 'slippage'],
    ['AmountOutBelowMinimum', 'slippage'],
    ['InsufficientFunds', 'tokens'],
    ['ResultWithNegativeLamports', 'lamports'],
    ['InsufficientFundsForFee', 'lamports'],
    ['InsufficientFundsForRent', 'rent'],
    ['ComputationalBudgetExceeded', 'compute'],
    ['BlockhashNotFound', 'blockhash'],
    ['AccountFrozen', 'frozen'],
    ['AccountNotInitialized', 'missing-account'],
    ['UninitializedAccount', 'missing-account'],
    ['PriceTooOld', 'price'],
    ['WithdrawalLimitReached', 'liquidity'],
    ['DexSwapAndArbitragePaused', 'closed'],
    ['MissingRequiredSignature', 'authority'],
    ['InvalidTokenAccount', 'wrong-account'],
    ['SomethingNew', 'other'],
    ['', 'other'],
  ])('takes %s for %s', (name, kind) => {
    expect(findFailureKind(name)).toBe(kind);
  });

  it('does not search a name of any length', () => {
    // The search of all of it would take minutes.
    expect(findFailureKind('Below'.repeat(200_000))).toBe('other');
  });
});

describe('findErrorMeaning', () => {
  it('returns null for what it does not know', () => {
    expect(findErrorMeaning('toString')).toBeNull();
    expect(findErrorMeaning('BlockhashNotFound')).toMatch(/blockhash/);
  });
});

describe('FAILURE_ADVICE', () => {
  it('stands in docs/portal.md, kind by kind', () => {
    const page = readFileSync(new URL('../../../../docs/portal.md', import.meta.url), 'utf8');
    const rows = Object.entries(FAILURE_ADVICE).map(([kind, advice]) => `| \`${kind}\` | ${advice} |`);
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });
});
