import { useEffect, useRef, useState } from 'react';
import { Field } from './field.tsx';
import { usePress } from './use-press.ts';

/** How long the reader has to stop typing before the list is filtered. A list may be asked of the server again each time. */
const QUIET_MS = 250;

/**
 * A field that filters a list by a text in the query of the address. The address follows when the reader stops typing, leaves the
 * field or presses Enter: a field that showed the address alone would put the cursor at its end, and lose what is typed fast.
 *
 * It never follows while a button of the pointer is down: the list would change between the press and the release, and a link or
 * a button under the pointer would lose its click.
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
  /** What was typed and does not stand in the address yet, and on which page. */
  const waiting = useRef<{ readonly text: string; readonly path: string } | null>(null);
  const listener = useRef(onChange);
  listener.current = onChange;
  const afterPress = usePress();
  const commit = () => {
    const change = waiting.current;
    waiting.current = null;
    // The reader may have followed a link to a page that is still loading.
    if (change !== null && change.path === location.pathname) listener.current(change.text);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each key that is pressed begins the pause again, and nothing else does.
  useEffect(() => {
    const timer = setTimeout(() => afterPress(commit), QUIET_MS);
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
            waiting.current = { text: target.value, path: location.pathname };
            setTyped(target.value);
          }}
          onBlur={() => {
            // What was typed stands in the address now, as the page understands it.
            if (waiting.current === null) setTyped(null);
            else afterPress(commit);
          }}
          onKeyDown={({ key }) => {
            if (key === 'Enter') commit();
          }}
        />
      )}
    </Field>
  );
}
