import { escapeInvisible } from '../../../base/format-text.ts';
import { Button } from '../../../parts/button.tsx';
import { Field } from '../../../parts/field.tsx';
import { COUNTRIES } from '../source/countries.ts';
import {
  type ConditionKind,
  createCondition,
  type DraftCondition,
  findHeaderProblem,
  KINDS,
  METHODS,
} from '../source/rule-draft.ts';
import type { Suggestions } from '../source/use-suggestions.ts';
import { ValueList } from './value-list.tsx';

/** What each kind of condition looks at, as it is offered. */
const KIND_LABELS: Readonly<Record<ConditionKind, string>> = {
  path: 'Path begins with',
  method: 'Method is',
  key: 'Key is',
  ip: 'Address is in',
  country: 'Country is',
  header: 'Header is exactly',
};

/** One condition: what it looks at, and the values of which one has to match. */
export function ConditionEditor({
  condition,
  suggestions,
  onChange,
  onRemove,
}: {
  readonly condition: DraftCondition;
  readonly suggestions: Suggestions;
  readonly onChange: (condition: DraftCondition) => void;
  readonly onRemove: () => void;
}) {
  const { kind } = condition;
  const setValues = (values: readonly string[]) => onChange({ ...condition, values });
  const choose = (next: string) => {
    const chosen = KINDS.find((one) => one === next) ?? 'path';
    onChange({ ...createCondition(chosen), id: condition.id });
  };
  return (
    <div className="rule-condition">
      <div className="rule-condition__head">
        <Field label="Condition">
          {(control) => (
            <select {...control} value={kind} onChange={({ target }) => choose(target.value)}>
              {KINDS.map((one) => (
                <option key={one} value={one}>
                  {KIND_LABELS[one]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Button kind="quiet" onClick={onRemove} aria-label="Remove the condition">
          Remove
        </Button>
      </div>
      <ConditionValues
        condition={condition}
        suggestions={suggestions}
        onValues={setValues}
        onName={(name) => onChange({ ...condition, name })}
      />
    </div>
  );
}

function ConditionValues({
  condition: { kind, name, values },
  suggestions,
  onValues,
  onName,
}: {
  readonly condition: DraftCondition;
  readonly suggestions: Suggestions;
  readonly onValues: (values: readonly string[]) => void;
  readonly onName: (name: string) => void;
}) {
  switch (kind) {
    case 'path':
      return (
        <ValueList
          label="Beginning of the path"
          placeholder="/swap"
          kind={kind}
          values={values}
          suggestions={suggestions.paths.map((value) => ({ value }))}
          onChange={onValues}
        />
      );
    case 'method':
      return <ChoiceList legend="Methods" choices={METHODS} values={values} onChange={onValues} />;
    case 'key':
      return suggestions.keys.length === 0 ? (
        <p className="rule-note">The team has no keys yet. Create one first.</p>
      ) : (
        <ChoiceList
          legend="Keys of the team"
          choices={[...new Set([...suggestions.keys, ...values])]}
          values={values}
          onChange={onValues}
        />
      );
    case 'country':
      return (
        <ValueList
          label="Country"
          placeholder="Switzerland or CH"
          kind={kind}
          values={values}
          suggestions={COUNTRIES.map((one) => ({ value: `${one.name} (${one.code})` }))}
          onChange={onValues}
        />
      );
    case 'ip':
      return (
        <ValueList
          label="Address or network"
          placeholder="203.0.113.0/24"
          kind={kind}
          values={values}
          onChange={onValues}
        />
      );
    case 'header':
      return (
        <>
          <Field
            label="Name of the header"
            error={name === '' ? null : findHeaderProblem(name)}
            help="Of the headers that a rule may name, the log keeps only user-agent, so a rule on another header cannot be tried with past requests."
          >
            {(control) => (
              <input
                {...control}
                type="text"
                value={name}
                placeholder="x-app"
                maxLength={64}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                onChange={({ target }) => onName(target.value)}
              />
            )}
          </Field>
          <ValueList label="Value" placeholder="ios" kind={kind} values={values} onChange={onValues} />
        </>
      );
  }
}

/** Values of which all are known: each is a box to check. */
function ChoiceList({
  legend,
  choices,
  values,
  onChange,
}: {
  readonly legend: string;
  readonly choices: readonly string[];
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}) {
  return (
    <fieldset className="rule-choices">
      <legend>{legend}</legend>
      {choices.map((choice) => (
        <label key={choice}>
          <input
            type="checkbox"
            checked={values.includes(choice)}
            onChange={({ target }) =>
              onChange(target.checked ? [...values, choice] : values.filter((one) => one !== choice))
            }
          />
          <span>{escapeInvisible(choice)}</span>
        </label>
      ))}
    </fieldset>
  );
}
