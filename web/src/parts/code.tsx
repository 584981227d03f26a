import './code.css';
import { useMemo } from 'react';
import { escapeInvisible } from '../base/format-text.ts';
import { CopyButton } from './copy-button.tsx';
import { highlightCode, type CodeLanguage, type CodeToken } from './highlight.ts';

/**
 * A block of code with its colours, and a button that copies it. A long block scrolls, and can be scrolled by keyboard.
 */
export function Code({
  text,
  language,
  label,
  maxLines,
}: {
  readonly text: string;
  readonly language: CodeLanguage;
  /** What the block is, for screen readers and the copy button: `the request as curl`. */
  readonly label: string;
  /** Higher blocks scroll. Default: the block is as high as its text. */
  readonly maxLines?: number;
}) {
  const tokens = useMemo(() => highlightCode(text, language), [text, language]);
  const style = maxLines === undefined ? undefined : { maxHeight: `${maxLines * 1.5 + 1.5}em` };
  return (
    <div className="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section className="code-block__scroll" tabIndex={0} aria-label={label} style={style}>
        <pre>
          <code>{tokens.map((token, index) => renderToken(token, index))}</code>
        </pre>
      </section>
      <div className="code-block__copy">
        <CopyButton text={text} label={`Copy ${label}`} />
      </div>
    </div>
  );
}

function renderToken({ text, kind }: CodeToken, index: number) {
  const shown = escapeInvisible(text);
  if (kind === null) return shown;
  return (
    <span key={index} className={`token-${kind}`}>
      {shown}
    </span>
  );
}
