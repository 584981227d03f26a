import { useEffect, useRef, useState } from 'react';
import { Field } from './field.tsx';

/** How long the reader has to stop typing before the list is filtered. A list may be asked of the server again each time. */
const QUIET_MS = 250;

/**
 * A field that filters a list by a text in the query of the address. The address follows when the reader stops typing, leaves the
 * field or presses Enter: a field that showed the address alone would put the cursor at its end, and lose what is typed fast.
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
  /** What was typed and does not stand in the address yet. */
  const waiting = useRef<string | null>(null);
  const listener = useRef(onChange);
  listener.current = onChange;
  const commit = () => {
    const text = waiting.current;
    waiting.current = null;
    if (text !== null) listener.current(text);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each key that is pressed begins the pause again, and nothing else does.
  useEffect(() => {
    const timer = setTimeout(commit, QUIET_MS);
    return () => clearTimeout(timer);
  }, [typed]);
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
            waiting.current = target.value;
            setTyped(target.value);
          }}
          onBlur={() => {
            // What was typed stands in the address now, as the page understands it.
            if (waiting.current === null) setTyped(null);
            else commit();
          }}
          onKeyDown={({ key }) => {
            if (key === 'Enter') commit();
          }}
        />
      )}
    </Field>
  );
}
