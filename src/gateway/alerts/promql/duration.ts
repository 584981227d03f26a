const UNITS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_536_000_000,
};

/** Returns the milliseconds of a duration in Prometheus' form, such as `5m` or `1h30m`; null for another text. */
export function parseDuration(text: string): number | null {
  if (text === '0') return 0;
  if (!/^(?:\d{1,9}(?:ms|[smhdwy]))+$/.test(text)) return null;
  let total = 0;
  for (const [, digits, unit = ''] of text.matchAll(/(\d+)(ms|[smhdwy])/g))
    total += Number(digits) * (UNITS[unit] ?? 0);
  return total;
}
