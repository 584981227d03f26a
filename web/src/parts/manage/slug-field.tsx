import { Field } from '../field.tsx';

/** What an organisation or a team can be called. */
export const SLUG = /^[a-z0-9-]{1,48}$/;

/** A field for the name of an organisation or a team, which stands in addresses. */
export function SlugField({
  label,
  value,
  isTried,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  /** Whether it was tried to send the form: what is wrong is said from then on. */
  readonly isTried: boolean;
  readonly onChange: (slug: string) => void;
}) {
  return (
    <Field
      label={label}
      required
      help="1 to 48 lowercase letters, digits and hyphens. It cannot be changed later."
      error={isTried && !SLUG.test(value) ? 'lowercase letters, digits and hyphens only, at most 48' : null}
    >
      {(control) => (
        <input
          {...control}
          type="text"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          maxLength={48}
          value={value}
          onChange={({ target }) => onChange(target.value.trim())}
        />
      )}
    </Field>
  );
}
