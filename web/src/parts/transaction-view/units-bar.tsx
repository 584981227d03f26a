import { formatWhole } from '../../base/format-amount.ts';

/** The compute units of a call, and as a bar how many of the transaction's they are. */
export function UnitsBar({ units, total }: { readonly units: number; readonly total: number | null }) {
  // A width is no amount: it may be rounded.
  const percent = total === null || total <= 0 ? 0 : Math.min(100, (units / total) * 100);
  return (
    <span className="units-bar" title={`${formatWhole(units)} compute units, with those of its calls`}>
      <span className="units-bar__track" aria-hidden="true">
        <span className="units-bar__fill" style={{ width: `${percent}%` }} />
      </span>
      <span className="units-bar__number">{formatWhole(units)} CU</span>
    </span>
  );
}
