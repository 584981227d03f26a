import { describe, expect, it } from 'vitest';
import { formatFieldValue } from './field-text.ts';

describe('formatFieldValue', () => {
  it.each([
    ['slippage_bps', '50', '0.5 %'],
    ['expires_at', '1800000000', '2027-01-15 08:00:00 UTC'],
    ['expires_at', '0', '0'],
    ['units', '1400000', '1\u202f400\u202f000'],
    ['name', '<b>no markup</b>', '<b>no markup</b>'],
    ['new_debt', '-5', '\u22125'],
  ])('formats %s %s as %s', (name, value, text) => {
    expect(formatFieldValue(name, value)).toBe(text);
  });
});
