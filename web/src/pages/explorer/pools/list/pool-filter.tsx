import { Field } from '../../../../parts/field.tsx';

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
      <Field label="Tokens">
        {(control) => (
          <input
            {...control}
            type="search"
            value={query}
            maxLength={100}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder="SOL USDC, or an address"
            onChange={({ target }) => onChange({ query: target.value })}
          />
        )}
      </Field>
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
