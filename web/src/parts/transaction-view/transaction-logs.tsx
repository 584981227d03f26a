import { escapeInvisible } from '../../base/format-text.ts';

const INVOKED = / invoke \[(\d+)\]$/;
const ENDED = /^Program \w+ (success|failed: )/;
const MAX_LEVEL = 4;

/** The log of a transaction. Lines of a called program stand further to the right. */
export function TransactionLogs({
  logs,
  label = 'The log of the transaction',
}: {
  readonly logs: readonly string[];
  readonly label?: string;
}) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
    <section className="transaction-logs" tabIndex={0} aria-label={label}>
      {indentLogs(logs).map(({ text, level }, index) => (
        <p
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a transaction never change.
          key={index}
          className={`transaction-logs__level-${level}${isFailure(text) ? ' transaction-logs__failure' : ''}`}
        >
          {escapeInvisible(text)}
        </p>
      ))}
    </section>
  );
}

function indentLogs(logs: readonly string[]): readonly { readonly text: string; readonly level: number }[] {
  let depth = 0;
  return logs.map((text) => {
    const invoked = INVOKED.exec(text)?.[1];
    if (invoked !== undefined) depth = Number(invoked);
    const level = Math.min(
      Math.max(invoked === undefined && !ENDED.test(text) ? depth : depth - 1, 0),
      MAX_LEVEL,
    );
    if (ENDED.test(text)) depth = Math.max(depth - 1, 0);
    return { text, level };
  });
}

function isFailure(text: string): boolean {
  return / failed: |AnchorError|^Program log: Error/.test(text);
}
