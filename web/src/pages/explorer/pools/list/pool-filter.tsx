import { Field } from '../../../../parts/field.tsx';
import { FilterField } from '../../../../parts/filter-field.tsx';

/** Chooses which pools are listed. */
export function PoolFilterForm({
  query,
  venue,
  venues,
  onChange,
}: {
  readonly query: string;
  readonly venue: string;
  readonly venues: readonly string[];
  readonly onChange: (changes: { readonly query?: string; readonly venue?: string }) => void;
}) {
  return (
    <search className="pool-filter">
      <FilterField
        label="Tokens"
        value={query}
        placeholder="SOL USDC, or an address"
        onChange={(text) => onChange({ query: text })}
      />
      <Field label="Venue">
        {(control) => (
          <select {...control} value={venue} onChange={({ target }) => onChange({ venue: target.value })}>
            <option value="">All venues</option>
            {venues.map((label) => (
              <option key={label} value={label}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
    </search>
  );
}
