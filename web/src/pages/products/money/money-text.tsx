import './money-text.css';
import { formatBriefUnits } from '../../../base/format-brief.ts';
import { formatDollars, formatShare } from '../../../base/format-dollars.ts';
import { formatPrice } from '../../../base/format-price.ts';
import { formatUnits } from '../../../base/format-amount.ts';

/** Nano dollars as text, with the exact value in the title; a word where it is not known. */
export function Dollars({ value }: { readonly value: bigint | null }) {
  if (value === null) return <UnknownValue title="No pool prices it." />;
  return <span title={`$${formatUnits(value, 9)}`}>{formatDollars(value)}</span>;
}

/** A price in US dollars. */
export function DollarPrice({ price, places }: { readonly price: bigint | null; readonly places: number }) {
  if (price === null) return <UnknownValue title="No pool prices it." />;
  return <span title={`$${formatUnits(price, places)}`}>${formatPrice(price, places)}</span>;
}

/** A yearly rate or a share, of millionths, as a percentage. */
export function Percentage({ millionths }: { readonly millionths: bigint | null }) {
  return millionths === null ? <UnknownValue title="The answer does not say." /> : formatShare(millionths);
}

/** An amount in units with some six digits, and all of them in the title. */
export function BriefAmount({
  raw,
  places,
  unit,
}: {
  readonly raw: bigint | null;
  readonly places: number;
  readonly unit: string;
}) {
  if (raw === null) return <UnknownValue title="The answer does not say." />;
  return (
    <span title={`${formatUnits(raw, places)} ${unit}`}>
      {formatBriefUnits(raw, places)} {unit}
    </span>
  );
}

function UnknownValue({ title }: { readonly title: string }) {
  return (
    <span className="unknown-value" title={title}>
      unknown
    </span>
  );
}
