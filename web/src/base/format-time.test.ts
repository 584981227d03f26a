import { describe, expect, it } from 'vitest';
import { formatBriefDuration, formatDuration, formatUtcTime, toMachineTime } from './format-time.ts';

describe('formatUtcTime', () => {
  it('writes date and clock, whatever the zone of the machine', () => {
    expect(formatUtcTime(1_795_984_831_500)).toBe('2026-11-29 20:40:31 UTC');
  });

  it.each([1e300, Number.NaN, Number.NEGATIVE_INFINITY])('says of %d that no clock has it', (time) => {
    expect(formatUtcTime(time)).toBe('an unknown time');
  });
});

describe('toMachineTime', () => {
  it('writes what a machine reads, and nothing of a time that no date can have', () => {
    expect(toMachineTime(1_795_984_831_500)).toBe('2026-11-29T20:40:31.500Z');
    expect([1e300, Number.NaN, Number.NEGATIVE_INFINITY].map(toMachineTime)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('formatDuration', () => {
  it.each([
    [0, '0 s'],
    [-5_000, '0 s'],
    [999, '0 s'],
    [59_000, '59 s'],
    [60_000, '1 min'],
    [61_000, '1 min 1 s'],
    [3_725_000, '1 h 2 min'],
    [3_605_000, '1 h'],
    [90_000_000, '1 d 1 h'],
  ])('writes %d ms as %s', (milliseconds, text) => {
    expect(formatDuration(milliseconds)).toBe(text);
  });
});

describe('formatBriefDuration', () => {
  it.each([
    [-5, '0 ms'],
    [12.4, '12 ms'],
    [1_999, '1.9 s'],
    [59_999, '59 s'],
    [61_000, '1 min 1 s'],
    [120_000, '2 min'],
    [3_661_000, '1 h 1 min'],
    [90_000_000, '1 d 1 h'],
  ])('says %d ms as %s', (ms, text) => {
    expect(formatBriefDuration(ms)).toBe(text);
  });
});
