import { describe, expect, it } from 'vitest';
import { parseFixed } from './fixed-point.ts';
import { formatPrice } from './format-price.ts';

describe('formatPrice', () => {
  it.each([
    ['200.00000000000026', '200.00'],
    ['199.91998', '199.92'],
    ['108500.0000088889', '108\u202f500.00'],
    ['5.49999999999933', '5.50'],
    ['2.2', '2.20'],
    ['1.02345678', '1.0235'],
    ['0.49000000000010363', '0.49'],
    ['0.0010000000000006284', '0.001'],
    ['0.0000000123456789', '0.000000012346'],
    ['0.999999', '1'],
    ['0', '0'],
    ['-3', '\u22123.00'],
  ])('shows %s as %s', (price, text) => {
    expect(formatPrice(parseFixed(price, 18) ?? 1n, 18)).toBe(text);
  });
});
