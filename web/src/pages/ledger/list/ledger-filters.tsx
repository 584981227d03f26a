import type { Scope } from '../../../api/scope.ts';
import { Field } from '../../../parts/field.tsx';
import { FilterField } from '../../../parts/filter-field.tsx';
import { type PageSearch, usePageSearch } from '../../../parts/page-search.ts';
import type { LedgerFilters } from '../source/ledger-queries.ts';
import { FILL_STATES } from '../text/fill-states.ts';
import { OUTCOMES } from '../text/order-outcome.ts';

/** Which of the two lists is shown. */
export type LedgerView = 'orders' | 'fills';

const HOUR_MS = 3_600_000;
const RANGES: readonly (readonly [name: string, label: string, ms: number])[] = [
  ['1h', 'the last hour', HOUR_MS],
  ['24h', 'the last 24 hours', 24 * HOUR_MS],
  ['7d', 'the last 7 days', 168 * HOUR_MS],
  ['30d', 'the last 30 days', 720 * HOUR_MS],
  ['all', 'all that is kept', 0],
];
const DEFAULT_RANGE = '7d';
/** The texts that the endpoint takes for each filter; another one is not sent, since it would be refused. */
const FORMS: Readonly<Record<string, RegExp>> = {
  taker: /^[1-9A-HJ-NP-Za-km-z]{32,44}$/,
  maker: /^[a-zA-Z0-9][a-zA-Z0-9._-]{0,63}$/,
  signature: /^[1-9A-HJ-NP-Za-km-z]{64,88}$/,
  organisation: /^[a-z0-9-]{1,64}$/,
  router: /^[a-z0-9-]{1,32}$/,
  outcome: /^(?:never-executed|open|succeeded|failed|unknown)$/,
  code: /^(?:-\d{1,4}|\d{1,10})$/,
  state: /^(?:offered|confirmed|failed|expired|rejected)$/,
  since: /^\d{1,15}$/,
  until: /^\d{1,15}$/,
};
const NAMES: Readonly<Record<LedgerView, readonly string[]>> = {
  orders: ['taker', 'maker', 'signature', 'organisation', 'router', 'outcome', 'code', 'since', 'until'],
  fills: ['taker', 'maker', 'signature', 'organisation', 'state', 'since', 'until'],
};

/**
 * Returns the query of the endpoint for what stands in the address.
 * @param now - Unix milliseconds.
 */
export function toLedgerFilters(
  search: PageSearch,
  view: LedgerView,
  scope: Scope,
  now: number,
): LedgerFilters {
  const range = RANGES.find(([name]) => name === search.range);
  const given = NAMES[view].flatMap((name) => {
    const value = search[name];
    if (value === undefined || FORMS[name]?.test(value) !== true) return [];
    return name === 'organisation' && scope.kind === 'organisation' ? [] : [[name, value] as const];
  });
  const since = range === undefined ? {} : { since: range[2] === 0 ? '0' : `${now - range[2]}` };
  return { ...since, ...Object.fromEntries(given) };
}

/** The filters of the list. They stand in the address. */
export function LedgerFilterBar({ scope, view }: { readonly scope: Scope; readonly view: LedgerView }) {
  const [search, change] = usePageSearch();
  const isOwnRange = search.since !== undefined || search.until !== undefined;
  const set = (name: string) => (text: string) => change({ [name]: text.trim() === '' ? null : text.trim() });
  const findError = (name: string) => {
    const value = search[name];
    return value === undefined || FORMS[name]?.test(value) === true ? null : 'not used: it has another form';
  };
  return (
    <div className="ledger-filters">
      <ChoiceField
        label="Given out in"
        value={isOwnRange ? 'own' : (search.range ?? DEFAULT_RANGE)}
        choices={[
          ...(isOwnRange ? [['own', 'the times in the address'] as const] : []),
          ...RANGES.map(([name, label]) => [name, label] as const),
        ]}
        onChange={(range) =>
          change({ range: range === DEFAULT_RANGE ? null : range, since: null, until: null })
        }
      />
      {view === 'orders' ? (
        <>
          <ChoiceField
            label="Outcome"
            value={search.outcome ?? ''}
            choices={[
              ['', 'any'],
              ...Object.entries(OUTCOMES).map(([name, [label]]) => [name, label] as const),
            ]}
            onChange={(outcome) => change({ outcome })}
          />
          <FilterField
            label="Code"
            value={search.code ?? ''}
            help={findError('code') ?? undefined}
            onChange={set('code')}
          />
          <FilterField
            label="Router"
            value={search.router ?? ''}
            help={findError('router') ?? undefined}
            onChange={set('router')}
          />
        </>
      ) : (
        <ChoiceField
          label="State"
          value={search.state ?? ''}
          choices={[['', 'any'], ...FILL_STATES]}
          onChange={(state) => change({ state })}
        />
      )}
      {scope.kind === 'instance' ? (
        <FilterField
          label="Organisation"
          value={search.organisation ?? ''}
          help={findError('organisation') ?? undefined}
          onChange={set('organisation')}
        />
      ) : null}
    </div>
  );
}

function ChoiceField({
  label,
  value,
  choices,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
}) {
  return (
    <Field label={label}>
      {(control) => (
        <select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          {choices.map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
