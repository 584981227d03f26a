import './secret-form.css';
import { useState } from 'react';
import { Button } from './button.tsx';
import { Field } from './field.tsx';

/** Asks for a key or a credential. It is shown as dots, and no browser remembers it. */
export function SecretForm({
  label,
  help,
  error,
  action,
  onSubmit,
}: {
  readonly label: string;
  readonly help: string;
  /** Why the last one was not accepted; null: none was given. */
  readonly error: string | null;
  /** What the button says. */
  readonly action: string;
  /** Called with what was entered, without white space around it. */
  readonly onSubmit: (secret: string) => void;
}) {
  const [text, setText] = useState('');
  return (
    <form
      className="secret-form"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(text.trim());
      }}
    >
      <Field label={label} help={help} error={error}>
        {(control) => (
          <input
            {...control}
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" kind="primary" disabled={text.trim() === ''}>
        {action}
      </Button>
    </form>
  );
}
