import { escapeInvisible } from '../../../base/format-text.ts';
import { Button } from '../../../parts/button.tsx';

/** The faults of one kind that are on, each with a button that removes it where it can be removed alone. */
export function ActiveList({
  label,
  faults,
}: {
  readonly label: string;
  readonly faults: readonly { readonly text: string; readonly onRemove?: () => void }[];
}) {
  if (faults.length === 0) return null;
  return (
    <ul className="active-faults" aria-label={label}>
      {faults.map(({ text, onRemove }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two faults may be the same, and have no other name.
        <li key={index}>
          <span>{escapeInvisible(text)}</span>
          {onRemove === undefined ? null : (
            <Button kind="quiet" onClick={onRemove} aria-label={`Remove: ${text}`}>
              Remove
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
