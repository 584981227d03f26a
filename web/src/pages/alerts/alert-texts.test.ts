import { describe, expect, it } from 'vitest';
import { describeCondition, formatLabels, formatReading, toRunbookUrl } from './alert-texts.ts';

describe('formatLabels', () => {
  it('leaves out what all series have, and escapes what cannot be seen', () => {
    expect(formatLabels({ instance: 'a:1', job: 'sluice', severity: 'critical' })).toBe('');
    expect(formatLabels({ job: 'sluice', maker: 'evil\u202emaker', part: 'keeper' })).toBe(
      'maker evil\\u202emaker, part keeper',
    );
  });
});

describe('formatReading', () => {
  it.each([
    [null, 'not a number'],
    [0, '0'],
    [0.0123456, '0.01235'],
    [100_000_000, '100\u202f000\u202f000'],
    [25.0178, '25.02'],
    [1e-9, '1.000e-9'],
    [3e20, '3.000e+20'],
  ])('writes %s as %s', (value, text) => {
    expect(formatReading(value)).toBe(text);
  });
});

describe('describeCondition', () => {
  it('says how long and beyond which value', () => {
    expect(describeCondition({ threshold: { operator: '>', value: 0.25 }, for: 600_000 })).toBe(
      'when above 0.25 for 10 min',
    );
    expect(describeCondition({ threshold: { operator: '==', value: 0 }, for: 0 })).toBe('when equal to 0');
    expect(describeCondition({ threshold: null, for: 0 })).toBe('when its expression holds');
  });
});

describe('toRunbookUrl', () => {
  it('leads to pages of the documentation only', () => {
    expect(toRunbookUrl('/docs/runbooks#sluicedown', 'http://a/docs')).toBe(
      'http://a/docs/runbooks#sluicedown',
    );
    for (const foreign of [
      'https://evil.example/',
      'javascript:alert(1)',
      '/docs/../x',
      '//evil',
      '/docs/a?b',
      null,
    ])
      expect(toRunbookUrl(foreign, '/docs')).toBeNull();
  });
});
