import { describe, expect, it } from 'vitest';
import { buildQuotePath, formatEffectChange } from './effect-values.ts';

describe('formatEffectChange', () => {
  it('says by how much a value has changed', () => {
    expect(formatEffectChange(valued(200), valued(220))).toBe('+10.00%');
    expect(formatEffectChange(valued(200), valued(199))).toBe('\u22120.50%');
    expect(formatEffectChange(valued(200), valued(200))).toBe('unchanged');
    expect(formatEffectChange(valued(0), valued(1))).toBe('changed');
  });
});

describe('buildQuotePath', () => {
  it('asks for whole tokens in smallest units', () => {
    const path = buildQuotePath({ symbol: 'X', mint: 'M', decimals: 18 }, 100n);
    expect(path).toContain('amount=100000000000000000000');
  });
});

function valued(size: number) {
  return { text: String(size), size };
}
