/** Digits of a price that was dragged: a pixel is no more exact. */
const DIGITS = 4;
/** How far the arrow keys go, as a share of the price; with the page keys it is ten times as much. */
const STEP_SHARE = 0.01;

/** Rounds a price to the digits that a drag can mean. It stays above zero. */
export function roundPrice(price: number): number {
  return Number(Math.max(price, Number.MIN_VALUE).toPrecision(DIGITS));
}

/** Returns the price that a key leads to; null for keys that move no price. */
export function stepPrice(key: string, price: number): number | null {
  const factors: Readonly<Record<string, number>> = {
    ArrowUp: 1 + STEP_SHARE,
    ArrowRight: 1 + STEP_SHARE,
    ArrowDown: 1 - STEP_SHARE,
    ArrowLeft: 1 - STEP_SHARE,
    PageUp: 1 + 10 * STEP_SHARE,
    PageDown: 1 - 10 * STEP_SHARE,
  };
  const factor = Object.hasOwn(factors, key) ? factors[key] : undefined;
  return factor === undefined ? null : roundPrice(price * factor);
}

/** Writes a number without an exponent, as the fields of prices take it. */
export function toDecimalText(value: number): string {
  const text = String(value);
  if (!/e/i.test(text)) return text;
  if (Number.isInteger(value)) return BigInt(value).toString();
  const [, exponent = '0'] = text.split(/e/i);
  return value.toFixed(Math.min(100, Math.max(0, -Number(exponent) + DIGITS))).replace(/\.?0+$/, '');
}
