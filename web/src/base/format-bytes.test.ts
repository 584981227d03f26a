import { describe, expect, it } from 'vitest';
import { formatBytes } from './format-bytes.ts';

describe('formatBytes', () => {
  it.each([
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1_000, '1.0 kB'],
    [2_657, '2.7 kB'],
    [20_000_000, '20.0 MB'],
    [1_240_000_000, '1.2 GB'],
    [5e15, '5\u202f000.0 TB'],
  ])('writes %s as %s', (count, text) => {
    expect(formatBytes(count)).toBe(text);
  });
});
