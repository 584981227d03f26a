import { type KeyboardEvent, useId, useState } from 'react';
import { escapeInvisible } from '../../../base/format-text.ts';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import { findCountryCode } from '../source/countries.ts';
import { type ConditionKind, findValueProblem, MAX_VALUES } from '../source/rule-draft.ts';
import { formatValue } from '../source/rule-text.ts';

const MAX_LENGTH = 200;
/** How many suggestions a browser is given: some show all of them at once. */
const MAX_SUGGESTED = 300;

/** The values of a condition, of which one has to match. One is typed, checked as it is typed, and added with Enter. */
export function ValueList({
  label,
  placeholder,
  kind,
  values,
  suggestions = [],
  onChange,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly kind: ConditionKind;
  readonly values: readonly string[];
  readonly suggestions?: readonly { readonly value: string; readonly label?: string }[];
  readonly onChange: (values: readonly string[]) => void;
}) {
  const [typed, setTyped] = useState('');
  const [isTried, setTried] = useState(false);
  const list = useId();
  const value = toValue(kind, typed);
  const problem = value === '' ? null : findValueProblem(kind, value);
  const isFull = values.length >= MAX_VALUES[kind];
  const add = () => {
    setTried(true);
    if (value === '' || problem !== null || isFull) return;
    if (!values.includes(value)) onChange([...values, value]);
    setTyped('');
    setTried(false);
  };
  const press = (event: KeyboardEvent) => {
    // A comma cannot stand in an address or a country, and ends it.
    const ends = event.key === 'Enter' || (event.key === ',' && (kind === 'ip' || kind === 'country'));
    if (!ends) return;
    event.preventDefault();
    add();
  };
  return (
    <div className="rule-values">
      <ValueChips kind={kind} values={values} onChange={onChange} />
      {isFull ? null : (
        <Field
          label={values.length === 0 ? label : 'Or'}
          error={isTried || (kind === 'ip' && typed.length > 6) ? problem : null}
        >
          {(control) => (
            <div className="rule-values__entry">
              <input
                {...control}
                type="text"
                list={list}
                value={typed}
                placeholder={placeholder}
                maxLength={MAX_LENGTH}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                onChange={({ target }) => setTyped(target.value)}
                onKeyDown={press}
                onBlur={add}
              />
              <datalist id={list}>
                {suggestions.slice(0, MAX_SUGGESTED).map((one) => (
                  <option key={one.value} value={one.value}>
                    {one.label}
                  </option>
                ))}
              </datalist>
              <Button onClick={add} disabled={value === ''}>
                Add
              </Button>
            </div>
          )}
        </Field>
      )}
    </div>
  );
}

/** The values that a condition has, each with a button that removes it. */
function ValueChips({
  kind,
  values,
  onChange,
}: {
  readonly kind: ConditionKind;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}) {
  if (values.length === 0) return null;
  return (
    <ul className="rule-chips">
      {values.map((value) => (
        <li key={value} className="rule-chip">
          <span>{escapeInvisible(formatValue(kind, value))}</span>
          <button
            type="button"
            aria-label={`Remove ${escapeInvisible(value)}`}
            onClick={() => onChange(values.filter((one) => one !== value))}
          >
            ×
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Countries may be given by their names. What is none stays as it was typed. */
function toValue(kind: ConditionKind, typed: string): string {
  return (kind === 'country' ? findCountryCode(typed) : null) ?? typed.trim();
}
