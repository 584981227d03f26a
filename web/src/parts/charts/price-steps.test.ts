import { describe, expect, it } from 'vitest';
import { roundPrice, stepPrice, toDecimalText } from './price-steps.ts';

describe('stepPrice', () => {
  it('moves by a hundredth, and by a tenth with the page keys', () => {
    expect(['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown'].map((key) => stepPrice(key, 200))).toEqual([
      202, 198, 220, 180,
    ]);
  });

  it('returns null for other keys, whatever they are called', () => {
    expect(['a', 'Enter', 'constructor', 'toString'].map((key) => stepPrice(key, 200))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });
});

describe('roundPrice', () => {
  it('keeps four digits, and stays above zero', () => {
    expect([roundPrice(201.23456), roundPrice(0.0000123456), roundPrice(-5) > 0]).toEqual([
      201.2,
      0.00001235,
      true,
    ]);
  });
});

describe('toDecimalText', () => {
  it('writes no exponent', () => {
    expect([1.235e-8, 1e-7, 200.5, 2e21].map(toDecimalText)).toEqual([
      '0.00000001235',
      '0.0000001',
      '200.5',
      '2000000000000000000000',
    ]);
  });
});
