import { useEffect, useState } from 'react';
import { Button } from './button.tsx';

/** How long the button says that the text was copied. */
const SAID_MS = 1_500;

/** Copies a text. The button says so for a moment, to screen readers too. */
export function CopyButton({
  text,
  label = 'Copy',
  shown = 'Copy',
}: {
  readonly text: string;
  /** What is copied, for screen readers. It begins with what is shown. */
  readonly label?: string;
  /** The text of the button. Default: Copy. */
  readonly shown?: string;
}) {
  const [said, setSaid] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (said === null) return;
    const timer = setTimeout(() => setSaid(null), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () =>
    writeClipboard(text).then(
      () => setSaid('copied'),
      () => setSaid('failed'),
    );
  return (
    <Button kind="quiet" className="copy-button" onClick={() => void copy()} aria-label={label}>
      <span aria-live="polite">
        {said === 'copied' ? 'Copied' : said === 'failed' ? 'Not copied' : shown}
      </span>
    </Button>
  );
}

/** Copies a text. Pages that were loaded over plain HTTP from another machine have no clipboard of the new kind. */
async function writeClipboard(text: string): Promise<void> {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const area = document.createElement('textarea');
  area.value = text;
  document.body.append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new Error('the browser does not let the page copy');
}
