import { parseFixed } from '../../../../base/fixed-point.ts';
import { formatBriefUnits } from '../../../../base/format-brief.ts';
import { DOLLAR_DECIMALS, formatDollars, formatShare } from '../../../../base/format-dollars.ts';

/** Enough for what a token that is worth almost nothing costs in one that is worth much. */
const PLACES = 24;

/** Formats a number that stands for a price or an amount of a chart, with some six digits. */
export function formatNumber(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const rounded = value.toPrecision(7);
  const fixed = parseFixed(rounded, PLACES);
  return fixed === null ? rounded : formatBriefUnits(fixed, PLACES);
}

/** Formats a share such as 0.0021, as a percentage. */
export function formatPercent(share: number): string {
  if (!Number.isFinite(share)) return '–';
  return formatShare(BigInt(Math.round(share * 1_000_000)));
}

/** Formats a number of dollars. */
export function formatDollarNumber(dollars: number): string {
  const fixed = parseFixed(String(dollars), DOLLAR_DECIMALS);
  return fixed === null ? '–' : formatDollars(fixed);
}

/** Formats how far a price is from another one, such as `0.21% below`. */
export function formatDistance(price: number, reference: number): string {
  const distance = price / reference - 1;
  if (Math.abs(distance) < 5e-7) return 'at the price';
  return `${formatPercent(Math.abs(distance))} ${distance < 0 ? 'below' : 'above'} the price`;
}
