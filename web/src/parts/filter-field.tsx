import { useState } from 'react';
import { Field } from './field.tsx';

/**
 * A field that filters a list by a text in the query of the address. The address follows a moment after a key is pressed: a field
 * that showed the address alone would put the cursor at its end, and lose what is typed fast.
 */
export function FilterField({
  label,
  help,
  value,
  placeholder,
  onChange,
}: {
  readonly label: string;
  readonly help?: string | undefined;
  /** What stands in the address. */
  readonly value: string;
  readonly placeholder?: string;
  /** Called with what was typed, to put it into the address. */
  readonly onChange: (text: string) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  if (typed === value) setTyped(null);
  return (
    <Field label={label} help={help}>
      {(control) => (
        <input
          {...control}
          type="search"
          value={typed ?? value}
          maxLength={100}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={placeholder}
          onChange={({ target }) => {
            setTyped(target.value);
            onChange(target.value);
          }}
        />
      )}
    </Field>
  );
}
