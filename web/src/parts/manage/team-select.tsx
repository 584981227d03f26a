import { shortenName } from '../../base/format-text.ts';
import { Field } from '../field.tsx';

/** Chooses one team of an organisation, or all. */
export function TeamSelect({
  teams,
  value,
  help,
  onChange,
}: {
  /** The names of the teams that there are. */
  readonly teams: readonly string[];
  /** Empty: all. It may be one that is gone: the address of the page can name any. */
  readonly value: string;
  readonly help?: string;
  readonly onChange: (team: string) => void;
}) {
  const listed = value === '' || teams.includes(value) ? teams : [...teams, value];
  return (
    <Field label="Team" help={help}>
      {(control) => (
        <select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">All teams</option>
          {listed.map((slug) => (
            <option key={slug} value={slug}>
              {shortenName(slug, 48)}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
