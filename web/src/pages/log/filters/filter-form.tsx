import { type FormEvent, useState } from 'react';
import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import { Button } from '../../../parts/button.tsx';
import { Disclosure } from '../../../parts/disclosure.tsx';
import { Field } from '../../../parts/field.tsx';
import { NameSelect } from '../../../parts/traffic/name-select.tsx';
import { KeySelect, TeamSelect } from '../../../parts/traffic/owner-fields.tsx';
import {
  DECISION_TEXTS,
  LOG_FILTERS,
  type LogFilterName,
  type LogFilters,
  OUTCOME_NAMES,
} from '../source/log-search.ts';

type FilterChanges = Readonly<Partial<Record<LogFilterName, string | null>>>;

/** The filters that most readers need; the others are below a disclosure. */
const FIRST: readonly LogFilterName[] = ['status', 'path', 'method', 'requestId'];
const MORE: readonly LogFilterName[] = ['group', 'endpoint', 'client', 'country', 'rule', 'matched', 'order'];
const MAX_LENGTH = 256;
const MAX_SHOWN = 40;
/** Requests without a valid key, as the endpoint names them. */
const NO_KEY = 'none';

/** The filters of the log. A choice holds at once, what is typed when the form is sent. */
export function LogFilterForm({
  filters,
  organisation,
  onChange,
}: {
  readonly filters: LogFilters;
  /** The organisation of the page; null: the page lists all of them. */
  readonly organisation: string | null;
  readonly onChange: (changes: FilterChanges) => void;
}) {
  const [typed, setTyped] = useState<LogFilters>({});
  const chosen = organisation ?? filters.organisation ?? '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onChange(Object.fromEntries(Object.entries(typed).map(([name, text]) => [name, text.trim() || null])));
    setTyped({});
  };
  const renderText = (name: LogFilterName) => (
    <TextFilter
      key={name}
      name={name}
      value={typed[name] ?? filters[name] ?? ''}
      onType={(text) => setTyped({ ...typed, [name]: text })}
    />
  );
  const isMoreUsed = ['outcome' as const, ...MORE].some((name) => filters[name] !== undefined);
  return (
    <form className="log-filters" onSubmit={submit}>
      <div className="log-filters__fields">
        {organisation === null ? renderText('organisation') : null}
        {chosen === '' ? (
          <NameSelect
            label="Key"
            all="All"
            names={[NO_KEY]}
            value={filters.key ?? ''}
            onChoose={(key) => onChange({ key })}
          />
        ) : (
          <>
            <TeamSelect
              organisation={chosen}
              team={filters.team ?? ''}
              onChoose={(team) => onChange({ team, key: null })}
            />
            {filters.team === undefined ? null : (
              <KeySelect
                organisation={chosen}
                team={filters.team}
                chosen={filters.key ?? ''}
                onChoose={(key) => onChange({ key })}
              />
            )}
          </>
        )}
        <ChoiceFilter
          label="Decision"
          all="All"
          choices={DECISION_TEXTS}
          value={filters.decision}
          onChoose={(decision) => onChange({ decision })}
        />
        {FIRST.map(renderText)}
      </div>
      <Disclosure summary="More filters" open={isMoreUsed}>
        <div className="log-filters__fields">
          <ChoiceFilter
            label="Firewall did"
            all="Anything"
            choices={OUTCOME_NAMES.map((name) => [name, name])}
            value={filters.outcome}
            onChoose={(outcome) => onChange({ outcome })}
          />
          {MORE.map(renderText)}
        </div>
      </Disclosure>
      <div className="log-filters__bar">
        <Button type="submit" kind="primary">
          Filter
        </Button>
        <FilterChips filters={filters} onChange={onChange} />
      </div>
    </form>
  );
}

function TextFilter({
  name,
  value,
  onType,
}: {
  readonly name: LogFilterName;
  readonly value: string;
  readonly onType: (text: string) => void;
}) {
  const { label, hint } = LOG_FILTERS.find((one) => one.name === name) ?? { label: name, hint: '' };
  return (
    <Field label={label}>
      {(control) => (
        <input
          {...control}
          type="search"
          value={value}
          placeholder={hint}
          maxLength={MAX_LENGTH}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          onChange={({ target }) => onType(target.value)}
        />
      )}
    </Field>
  );
}

function ChoiceFilter({
  label,
  all,
  choices,
  value = '',
  onChoose,
}: {
  readonly label: string;
  readonly all: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly value: string | undefined;
  readonly onChoose: (value: string | null) => void;
}) {
  const isKnown = value === '' || choices.some(([one]) => one === value);
  return (
    <Field label={label}>
      {(control) => (
        <select {...control} value={value} onChange={({ target }) => onChoose(target.value || null)}>
          <option value="">{all}</option>
          {choices.map(([one, text]) => (
            <option key={one} value={one}>
              {text}
            </option>
          ))}
          {isKnown ? null : <option value={value}>{escapeInvisible(value)}</option>}
        </select>
      )}
    </Field>
  );
}

/** The filters that hold, each with a button that ends it. */
function FilterChips({
  filters,
  onChange,
}: {
  readonly filters: LogFilters;
  readonly onChange: (changes: FilterChanges) => void;
}) {
  const held = LOG_FILTERS.filter(({ name }) => filters[name] !== undefined);
  if (held.length === 0) return <span className="log-muted">All requests.</span>;
  return (
    <>
      {held.map(({ name, label }) => {
        const value = filters[name] ?? '';
        return (
          <Button
            key={name}
            kind="quiet"
            className="log-filters__chip"
            title={escapeInvisible(value)}
            aria-label={`Remove the filter ${label} ${escapeInvisible(value)}`}
            onClick={() => onChange(name === 'team' ? { team: null, key: null } : { [name]: null })}
          >
            {label}: {shortenName(escapeInvisible(value), MAX_SHOWN)} ×
          </Button>
        );
      })}
      {held.length > 1 ? (
        <Button
          kind="quiet"
          onClick={() => onChange(Object.fromEntries(held.map(({ name }) => [name, null])))}
        >
          Remove all
        </Button>
      ) : null}
    </>
  );
}
