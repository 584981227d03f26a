import { Field } from '../../../parts/field.tsx';
import { usePageSearch } from '../../../parts/page-search.ts';

const HOUR_MS = 3_600_000;

/** The ranges that the statistics can be read for, by their names in the address. They add up at most 31 days. */
const RANGES = [
  { id: '1h', label: 'The last hour', ms: HOUR_MS },
  { id: '24h', label: 'The last 24 hours', ms: 24 * HOUR_MS },
  { id: '7d', label: 'The last 7 days', ms: 7 * 24 * HOUR_MS },
  { id: '30d', label: 'The last 30 days', ms: 30 * 24 * HOUR_MS },
] as const;

const DEFAULT_RANGE = RANGES[1];

/** Returns the range of the address in milliseconds. */
export function useConductRange(): number {
  const [{ range }] = usePageSearch();
  return (RANGES.find(({ id }) => id === range) ?? DEFAULT_RANGE).ms;
}

/** Chooses the range of the statistics. */
export function RangeChoice() {
  const rangeMs = useConductRange();
  const [, change] = usePageSearch();
  const chosen = RANGES.find(({ ms }) => ms === rangeMs) ?? DEFAULT_RANGE;
  return (
    <div className="maker-range">
      <Field label="Range">
        {(control) => (
          <select {...control} value={chosen.id} onChange={(event) => change({ range: event.target.value })}>
            {RANGES.map(({ id, label }) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}
