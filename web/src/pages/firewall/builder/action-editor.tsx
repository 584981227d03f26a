import { Field } from '../../../parts/field.tsx';
import { type ActionKind, type DraftAction, findActionProblem } from '../source/rule-draft.ts';

const LABELS: Readonly<Record<ActionKind, readonly [label: string, what: string]>> = {
  deny: ['Deny', 'the request is answered with 403'],
  'rate-limit': ['Limit the rate', 'requests beyond a number in a time are answered with 429'],
  log: ['Only record', 'nothing happens; the request log shows that the rule matched'],
  bypass: ['Bypass', 'the rest of the firewall is skipped: other rules do not apply'],
};
/** Those that newcomers want come first. */
const OFFERED: readonly ActionKind[] = ['deny', 'rate-limit', 'log', 'bypass'];

/** What happens to requests that match. */
export function ActionEditor({
  action,
  onChange,
}: {
  readonly action: DraftAction;
  readonly onChange: (action: DraftAction) => void;
}) {
  return (
    <fieldset className="rule-action">
      <legend>Then</legend>
      {OFFERED.map((kind) => (
        <label key={kind} className="rule-action__choice">
          <input
            type="radio"
            name="rule-action"
            checked={action.kind === kind}
            onChange={() => onChange({ ...action, kind })}
          />
          <span>
            <strong>{LABELS[kind][0]}</strong>: {LABELS[kind][1]}
          </span>
        </label>
      ))}
      {action.kind === 'rate-limit' ? <LimitFields action={action} onChange={onChange} /> : null}
    </fieldset>
  );
}

function LimitFields({
  action,
  onChange,
}: {
  readonly action: DraftAction;
  readonly onChange: (action: DraftAction) => void;
}) {
  const problem = findActionProblem(action);
  return (
    <div className="rule-action__limit">
      <NumberField
        label="Requests"
        value={action.limit}
        onChange={(limit) => onChange({ ...action, limit })}
        error={problem}
      />
      <NumberField
        label="In any"
        value={action.window}
        onChange={(window) => onChange({ ...action, window })}
      />
      <Field label="Unit">
        {(control) => (
          <select
            {...control}
            value={action.unit}
            onChange={({ target }) => onChange({ ...action, unit: target.value === 'm' ? 'm' : 's' })}
          >
            <option value="s">seconds</option>
            <option value="m">minutes</option>
          </select>
        )}
      </Field>
      <Field label="Counted for">
        {(control) => (
          <select
            {...control}
            value={action.per}
            onChange={({ target }) => onChange({ ...action, per: target.value })}
          >
            <option value="ip">each address</option>
            <option value="key">each key</option>
            <option value="team">the whole team</option>
          </select>
        )}
      </Field>
    </div>
  );
}

function NumberField({
  label,
  value,
  error = null,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly error?: string | null;
  readonly onChange: (text: string) => void;
}) {
  return (
    <Field label={label} error={error}>
      {(control) => (
        <input
          {...control}
          type="text"
          inputMode="numeric"
          value={value}
          maxLength={5}
          autoComplete="off"
          onChange={({ target }) => onChange(target.value.trim())}
        />
      )}
    </Field>
  );
}
