import { useDocsUrl } from '../../api/instance.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { formatUtcTime } from '../../base/format-time.ts';
import type { OperationView, PartView } from './operation-shape.ts';
import { Since } from './since.tsx';
import { createVerdict } from './verdict.ts';

/** The first line of the page: whether everything works, since when, and what to do about what does not. */
export function VerdictLine({ operation }: { readonly operation: OperationView }) {
  const { tone, text, since, broken } = createVerdict(operation);
  const { now } = operation.instance;
  return (
    <section className={`verdict verdict--${tone}`} aria-label="Whether everything works" aria-live="polite">
      <p className="verdict__text">
        <span className="verdict__mark" aria-hidden="true">
          {tone === 'good' ? '✓' : '!'}
        </span>
        {escapeInvisible(text)}
        <span className="verdict__since">
          {' '}
          since {formatUtcTime(since)} (<Since at={since} now={now} />)
        </span>
      </p>
      {broken.length === 0 ? null : (
        <ul className="verdict__list">
          {broken.map((part) => (
            <BrokenPart key={part.name} part={part} now={now} />
          ))}
        </ul>
      )}
    </section>
  );
}

function BrokenPart({ part, now }: { readonly part: PartView; readonly now: number }) {
  return (
    <li>
      <strong>{escapeInvisible(part.name)}</strong>: {escapeInvisible(part.reason ?? 'it does not work')} (
      <Since at={part.since} now={now} />
      {part.optional ? '; requests are served without it' : ''}). <RunbookLink runbook={part.runbook} />
    </li>
  );
}

/** The only sections that are linked to: those of the documentation. */
const RUNBOOK = /^[a-z-]{1,40}(?:#[a-z0-9-]{1,80})?$/;

/** A link to the section of the documentation that says what to do. */
export function RunbookLink({ runbook }: { readonly runbook: string }) {
  const docs = useDocsUrl();
  if (!RUNBOOK.test(runbook)) return null;
  return <a href={`${docs}/${runbook}`}>What to do</a>;
}
