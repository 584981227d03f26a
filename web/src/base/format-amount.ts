/** The thin space between groups of three digits. */
const GROUP = '\u202f';

/**
 * Formats an amount in units, exactly.
 *
 * @param raw - In smallest units.
 * @param decimals - How many of the digits stand behind the point.
 * @returns Digits in groups of three before the point, and no zeros at the end behind it.
 *
 * @example
 * ```ts
 * formatUnits(1_234_500_000n, 6); // '1 234.5'
 * ```
 */
export function formatUnits(raw: bigint, decimals: number): string {
  const digits = (raw < 0n ? -raw : raw).toString().padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
  const sign = raw < 0n ? '\u2212' : '';
  return `${sign}${groupDigits(whole)}${fraction === '' ? '' : `.${fraction}`}`;
}

/** Formats a whole number with its digits in groups of three. */
export function formatWhole(value: bigint | number): string {
  const text = value.toString();
  return text.startsWith('-') ? `\u2212${groupDigits(text.slice(1))}` : groupDigits(text);
}

/**
 * Parses an amount in units to smallest units.
 *
 * @returns null if the text is no positive decimal number, or has more digits behind the point than the token.
 */
export function parseUnits(text: string, decimals: number): bigint | null {
  const match = /^(\d*)(?:\.(\d*))?$/.exec(text.trim().replaceAll(/[\s_\u202f]/g, ''));
  const [, whole = '', fraction = ''] = match ?? [];
  if (match === null || (whole === '' && fraction === '') || fraction.length > decimals) return null;
  return BigInt(`${whole === '' ? '0' : whole}${fraction.padEnd(decimals, '0')}`);
}

function groupDigits(digits: string): string {
  return digits.replaceAll(/\B(?=(\d{3})+$)/g, GROUP);
}
