import { describe, expect, it } from 'vitest';
import { U64_MAX } from '../../units.ts';
import { computeInterestFactor, toUiTokenAmount } from './display-amount.ts';

describe('toUiTokenAmount', () => {
  it('formats whole tokens without trailing zeros', () => {
    expect(toUiTokenAmount(1_500_000n, { decimals: 6, scale: null })).toEqual({
      amount: '1500000',
      decimals: 6,
      uiAmount: 1.5,
      uiAmountString: '1.5',
    });
    expect(toUiTokenAmount(0n, { decimals: 9, scale: null }).uiAmountString).toBe('0');
    expect(toUiTokenAmount(U64_MAX, { decimals: 0, scale: null }).uiAmountString).toBe(
      '18446744073709551615',
    );
  });

  it('has no number when 10^decimals exceeds 64 bits', () => {
    expect(toUiTokenAmount(1n, { decimals: 20, scale: null })).toMatchObject({
      uiAmount: null,
      uiAmountString: '0.00000000000000000001',
    });
  });

  it('formats accrued interest like the token program', () => {
    const factor = (rate: number, until: bigint) =>
      computeInterestFactor(
        {
          initializationTimestamp: 0n,
          preUpdateAverageRate: rate,
          lastUpdateTimestamp: YEAR,
          currentRate: rate,
        },
        until,
      );
    const shown = (amount: bigint, decimals: number, rate: number, until: bigint) =>
      toUiTokenAmount(amount, { decimals, scale: { kind: 'interest', factor: factor(rate, until) } })
        .uiAmountString;
    expect(shown(ONE, 18, 500, YEAR)).toBe('1.051271096376024117');
    expect(shown(ONE, 18, -500, YEAR)).toBe('0.951229424500713905');
    expect(shown(10_000_000_000n, 10, 500, YEAR)).toBe('1.0512710964');
    expect(shown(U64_MAX, 0, 500, YEAR * 2n)).toBe('20386805083448098816');
    expect(shown(U64_MAX, 0, 500, YEAR * 10_000n)).toHaveLength(237);
  });

  it('truncates after a multiplier', () => {
    const shown = (amount: bigint, decimals: number, factor: number) =>
      toUiTokenAmount(amount, { decimals, scale: { kind: 'multiplier', factor } });
    expect(shown(1n, 1, 5).uiAmountString).toBe('0.5');
    expect(shown(101n, 2, 0.99).uiAmountString).toBe('0.99');
    expect(shown(U64_MAX, 0, Number.MAX_VALUE).uiAmountString).toBe('inf');
  });
});

const YEAR = 31_556_736n;
const ONE = 10n ** 18n;
