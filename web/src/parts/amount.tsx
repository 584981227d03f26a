import { formatUnits } from '../base/format-amount.ts';

/** An amount of a token in units, with the symbol. The smallest units stand in the title. */
export function Amount({
  raw,
  decimals,
  symbol,
  signed = false,
}: {
  /** In smallest units. */
  readonly raw: string | bigint;
  readonly decimals: number;
  readonly symbol: string | null;
  /** Whether a plus sign stands before a gain. Default: false. */
  readonly signed?: boolean;
}) {
  const value = BigInt(raw);
  const sign = signed && value > 0n ? '+' : '';
  return (
    <span className="amount" title={`${value} of the smallest unit`}>
      {sign}
      {formatUnits(value, decimals)}
      {symbol === null ? '' : ` ${symbol}`}
    </span>
  );
}
