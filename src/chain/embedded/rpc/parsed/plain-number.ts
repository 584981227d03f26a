/** Formats a number with the fewest digits and without an exponent, like Rust formats a double. */
export function formatPlainNumber(value: number): string {
  const [mantissa = '', exponent] = String(value).split('e');
  if (exponent === undefined) return mantissa === 'Infinity' ? 'inf' : mantissa.replace('-Infinity', '-inf');
  const [sign, whole, fraction] = [
    mantissa.startsWith('-') ? '-' : '',
    ...mantissa.replace('-', '').split('.'),
  ];
  const digits = `${whole}${fraction ?? ''}`;
  const point = 1 + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  return `${sign}${digits.padEnd(point, '0')}`;
}
