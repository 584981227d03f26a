import { describe, expect, it } from 'vitest';
import { parseSummary } from './summary-template.ts';

describe('parseSummary', () => {
  it('writes labels, values and the text between them', () => {
    const write = parseSummary(
      '{{ $labels.maker }} fills {{$value|humanizePercentage}} of its swaps, not {{ $value }}.',
    );
    expect(write({ maker: 'acme' }, 0.123456)).toBe('acme fills 12.35% of its swaps, not 0.123456.');
    expect(write({}, 1)).toBe(' fills 100% of its swaps, not 1.');
  });

  it('takes no label for a template', () => {
    expect(parseSummary('{{ $labels.a }}')({ a: '{{ $value }}' }, 1)).toBe('{{ $value }}');
    expect(parseSummary('{{ $labels.constructor }}')({}, 1)).toBe('');
  });

  // As Go writes %v, and %.4g with the percent sign and the prefixes of Prometheus.
  it.each([
    [25.5, '25.5', '2550%', '25.5'],
    [0, '0', '0%', '0'],
    [1_234_567.891, '1234567.891', '1.235e+08%', '1.235M'],
    [1e21, '1e+21', '1e+23%', '1Z'],
    [1e-5, '1e-05', '0.001%', '10u'],
    [0.00005, '5e-05', '0.005%', '50u'],
    [-0.5, '-0.5', '-50%', '-500m'],
    [99.99995, '99.99995', '1e+04%', '100'],
    [Number.NaN, 'NaN', 'NaN%', 'NaN'],
    [Number.POSITIVE_INFINITY, '+Inf', '+Inf%', '+Inf'],
  ])('writes %d as Prometheus does', (value, plain, percentage, human) => {
    expect(parseSummary('{{ $value }}')({}, value)).toBe(plain);
    expect(parseSummary('{{ $value | humanizePercentage }}')({}, value)).toBe(percentage);
    expect(parseSummary('{{ $value | humanize }}')({}, value)).toBe(human);
  });

  it.each([
    '{{ query "up" }}',
    '{{ $externalLabels.x }}',
    '{{ if true }}',
    '{{ $value | printf "%.2f" }}',
    'a {{ b',
    'a }} b',
  ])('refuses %s', (text) => {
    expect(() => parseSummary(text)).toThrow('a summary');
  });
});
