import { escapeInvisible } from '../../base/format-text.ts';
import { Field } from '../field.tsx';

/** Chooses one of some names, or all. A name that is not among them, such as the id of something deleted, is kept. */
export function NameSelect({
  label,
  all,
  names,
  value,
  help,
  onChoose,
}: {
  readonly label: string;
  /** What the choice of none of them is called. */
  readonly all: string;
  readonly names: readonly string[];
  /** Empty: all. */
  readonly value: string;
  readonly help?: string | undefined;
  /** Called with a name; null: all. */
  readonly onChoose: (name: string | null) => void;
}) {
  const options = value === '' || names.includes(value) ? names : [...names, value];
  return (
    <Field label={label} help={help}>
      {(control) => (
        <select {...control} value={value} onChange={({ target }) => onChoose(target.value || null)}>
          <option value="">{all}</option>
          {options.map((name) => (
            <option key={name} value={name}>
              {escapeInvisible(name)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
